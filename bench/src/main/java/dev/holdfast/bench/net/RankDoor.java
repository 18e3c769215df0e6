package dev.holdfast.bench.net;

import dev.holdfast.core.text.Fields;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Where ranks report. Lets in only those who know the token, are of this version and mean the same
 * plan; each rank once. Others are told why not, and nobody waits for them.
 */
final class RankDoor implements AutoCloseable {
  private static final int HELLO_MILLIS = 10_000;
  private static final int HELLO_BYTES = 1 << 20;

  private final ServerSocket listener = new ServerSocket();
  private final String token;
  private final int ranks;
  private final String plan;
  private final BlockingQueue<RankEvent> events;
  private final Map<Integer, Wire> wires = new ConcurrentHashMap<>();
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

  RankDoor(int ranks, String plan, InetAddress address, BlockingQueue<RankEvent> events)
      throws IOException {
    this.ranks = ranks;
    this.plan = plan;
    this.events = events;
    byte[] secret = new byte[16];
    new SecureRandom().nextBytes(secret);
    token = HexFormat.of().formatHex(secret);
    try {
      listener.bind(new InetSocketAddress(address, 0), 1024);
    } catch (IOException notHere) {
      listener.close();
      throw new IOException(
          "cannot listen at %s: %s; --address must be one of this machine"
              .formatted(address.getHostAddress(), notHere.getMessage()),
          notHere);
    }
    Thread.ofVirtual().name("door").start(this::listen);
  }

  int port() {
    return listener.getLocalPort();
  }

  String token() {
    return token;
  }

  Map<Integer, Wire> wires() {
    return wires;
  }

  private void listen() {
    try {
      while (true) {
        Socket socket = listener.accept();
        sockets.add(socket);
        Thread.ofVirtual().start(() -> serve(socket));
      }
    } catch (IOException closed) {
      // The end.
    }
  }

  private void serve(Socket socket) {
    try (socket;
        Wire wire = new Wire(socket)) {
      wire.patience(HELLO_MILLIS);
      Fields hello = wire.hear(HELLO_BYTES);
      if (hello == null) {
        return;
      }
      String refused = refusal(hello);
      int rank = refused.isEmpty() ? hello.integer("rank") : -1;
      if (refused.isEmpty() && wires.putIfAbsent(rank, wire) != null) {
        refused = "rank " + rank + " is here already";
      }
      if (!refused.isEmpty()) {
        wire.say("refused", refused);
        return;
      }
      wire.patience(0);
      events.add(new RankEvent.Said(rank, hello));
      try {
        for (Fields said = wire.hear(); said != null; said = wire.hear()) {
          events.add(new RankEvent.Said(rank, said));
        }
      } finally {
        events.add(new RankEvent.Silent(rank));
      }
    } catch (IOException | IllegalArgumentException gone) {
      // A stranger, or a rank whose end was told above.
    } finally {
      sockets.remove(socket);
    }
  }

  /** Why this one may not take part; empty when it may. */
  private String refusal(Fields hello) {
    if (!MessageDigest.isEqual(
        hello.text("token", "").getBytes(StandardCharsets.UTF_8),
        token.getBytes(StandardCharsets.UTF_8))) {
      return "wrong token";
    }
    if (hello.integer("hello", 0) != RankSettings.VERSION) {
      return "version %d of the protocol, here it is %d"
          .formatted(hello.integer("hello", 0), RankSettings.VERSION);
    }
    if (hello.integer("ranks", 0) != ranks) {
      return "%d ranks, here there are %d".formatted(hello.integer("ranks", 0), ranks);
    }
    if (!hello.text("plan", "").equals(plan)) {
      return "it means to measure '%s', here it is '%s'".formatted(hello.text("plan", ""), plan);
    }
    int rank = hello.integer("rank", -1);
    return rank < 0 || rank >= ranks ? "there is no rank " + rank : "";
  }

  @Override
  public void close() {
    try {
      listener.close();
      for (Socket socket : sockets) {
        socket.close();
      }
    } catch (IOException gone) {
      // It is gone either way.
    }
  }
}
