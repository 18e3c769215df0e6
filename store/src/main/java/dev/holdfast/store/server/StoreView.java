package dev.holdfast.store.server;

import dev.holdfast.os.net.Poller;
import dev.holdfast.store.keys.Keyspace;
import dev.holdfast.store.protocol.DropReason;
import dev.holdfast.store.protocol.Operation;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What can be seen of a store at one moment.
 *
 * @param cutOff whom it cut off lately after they had greeted, the last one first
 * @param joined how many ranks have announced themselves ({@code init/}); -1: none has
 */
public record StoreView(
    int port, Totals totals, List<Peer> peers, List<CutOff> cutOff, long joined) {

  public StoreView {
    peers = List.copyOf(peers);
    cutOff = List.copyOf(cutOff);
  }

  /**
   * What a store counts.
   *
   * @param bytes of keys and values
   * @param buffered bytes of unread answers and unfinished requests, of all stores of the process
   * @param mostBuffered how many of them there may be
   * @param connections open now
   * @param waiting clients that wait now
   * @param wakeUps waits that ended because what was waited for came
   */
  public record Totals(
      long keys,
      long bytes,
      long buffered,
      long mostBuffered,
      long connections,
      long accepted,
      long refused,
      Map<DropReason, Long> dropped,
      Map<Operation, Long> operations,
      long waiting,
      long wakeUps) {
    public Totals {
      dropped = Map.copyOf(dropped);
      operations = Map.copyOf(operations);
    }

    public long droppedInAll() {
      return dropped.values().stream().mapToLong(Long::longValue).sum();
    }
  }

  /**
   * One connection.
   *
   * @param process the number of the client's process, where its dialect tells it; else 0
   * @param rank the rank its own keys say it is; below 0: they do not, or say several
   * @param buffered bytes it has not read or not finished
   * @param waitsFor the keys it waits for, a few of them
   */
  public record Peer(
      String address,
      int port,
      int process,
      int rank,
      String dialect,
      double seconds,
      double idleSeconds,
      long requests,
      String last,
      long buffered,
      List<String> waitsFor,
      double waitsSeconds) {
    static Peer of(Glance glance, long now) {
      Connection connection = glance.connection();
      return new Peer(
          Poller.text(connection.peer),
          connection.peerPort,
          glance.process(),
          glance.rank(),
          glance.dialect().name(),
          (now - connection.sinceNanos) / 1e9,
          (now - glance.lastNanos()) / 1e9,
          glance.requests(),
          glance.last().name().toLowerCase(Locale.ROOT),
          connection.holds,
          glance.waitsFor().stream().map(StoreView::text).toList(),
          glance.waitsFor().isEmpty() ? 0 : (now - glance.waitsSinceNanos()) / 1e9);
    }
  }

  /** A connection it ended, as it was then. */
  public record CutOff(Peer peer, DropReason reason, String why, double secondsAgo) {}

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
