package dev.holdfast.launch.rendezvous;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Set;

/** A small job in a hurry, for tests over loopback. */
final class Small {
  static final Timings QUICK =
      new Timings(
          Duration.ofMillis(200),
          Duration.ofSeconds(2),
          Duration.ofMillis(500),
          Duration.ofMillis(300),
          Duration.ofSeconds(20),
          Duration.ofSeconds(4),
          Duration.ofMillis(300),
          Duration.ofSeconds(1),
          Duration.ofMillis(100),
          Duration.ofSeconds(1),
          Duration.ofSeconds(2));

  static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  static Setup setup(String node, int port, boolean first, int min, int max, int spares) {
    return new Setup(
        "job-1",
        FakeNode.member(node, 0, 2),
        min,
        max,
        spares,
        "127.0.0.1",
        port,
        first,
        "secret",
        Set.of(),
        QUICK);
  }

  /** A launcher that falls silent without a word. */
  static void crash(Rendezvous rendezvous) {
    rendezvous.close();
  }

  private Small() {}
}
