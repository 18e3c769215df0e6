package dev.holdfast.store.server;

import dev.holdfast.os.net.Poller;
import dev.holdfast.store.keys.Keyspace;
import dev.holdfast.store.keys.Wait;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/**
 * What can be seen of a store at one moment.
 *
 * @param joined how many ranks have announced themselves ({@code init/}); -1: none has
 */
public record StoreView(
    int port,
    long keys,
    long bytes,
    long accepted,
    long refused,
    long dropped,
    List<Peer> peers,
    long joined) {
  private static final int KEYS_SHOWN = 8;

  public StoreView {
    peers = List.copyOf(peers);
  }

  /**
   * One connection.
   *
   * @param process the number of the client's process, where its dialect tells it; else 0
   * @param waitsFor the keys it waits for, a few of them
   */
  public record Peer(
      String address,
      int port,
      int process,
      String dialect,
      double seconds,
      double idleSeconds,
      long requests,
      String last,
      List<String> waitsFor,
      double waitsSeconds) {
    static Peer of(Connection connection, long now) {
      Wait wait = connection.waiting();
      return new Peer(
          Poller.text(connection.peer),
          connection.peerPort,
          connection.process,
          connection.scanner.dialect().name(),
          (now - connection.sinceNanos) / 1e9,
          (now - connection.lastNanos) / 1e9,
          connection.requests,
          connection.last.name().toLowerCase(Locale.ROOT),
          wait == null
              ? List.of()
              : wait.missingKeys(KEYS_SHOWN).stream().map(StoreView::text).toList(),
          wait == null ? 0 : (now - wait.sinceNanos()) / 1e9);
    }
  }

  static long joined(Keyspace keyspace) {
    byte[] counter = keyspace.value("init/".getBytes(StandardCharsets.US_ASCII));
    if (counter == null) {
      return -1;
    }
    try {
      return Long.parseLong(new String(counter, StandardCharsets.US_ASCII));
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  /** A key for people: what cannot be printed is shown as {@code \xNN}. */
  public static String text(byte[] key) {
    StringBuilder out = new StringBuilder();
    for (byte b : key) {
      if (b >= 0x20 && b < 0x7f && b != '\\') {
        out.append((char) b);
      } else {
        out.append("\\x%02x".formatted(b & 0xff));
      }
      if (out.length() > 200) {
        return out.append('…').toString();
      }
    }
    return out.toString();
  }
}
