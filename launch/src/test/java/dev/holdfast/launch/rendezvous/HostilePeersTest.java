package dev.holdfast.launch.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.launch.job.Member;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class HostilePeersTest {
  private static final Judge JUDGE = new FakeJudge(5, false);

  private static Socket connect(int port, byte[] text) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(20_000);
    try {
      socket.getOutputStream().write(text);
    } catch (IOException _) {
      // Thrown out while still speaking, which is right.
    }
    return socket;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void garbageOnThePortHarmsNobody() throws Exception {
    int port = Small.freePort();
    FakeNode first = new FakeNode("n1");
    FakeNode second = new FakeNode("n2");
    SplittableRandom random = new SplittableRandom(7);
    List<byte[]> garbage = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      byte[] noise = new byte[1 + random.nextInt(20_000)];
      random.nextBytes(noise);
      garbage.add(noise);
    }
    garbage.add(bytes("GET / HTTP/1.1\r\nHost: x\r\n\r\n"));
    garbage.add(bytes("x".repeat(100_000)));
    garbage.add(bytes("[".repeat(3_000) + "\n"));
    garbage.add(bytes("{}\n{}\n"));
    garbage.add(bytes("{\"holdfast\":\"rendezvous/1\",\"job\":7}\n"));
    garbage.add(
        bytes(
            "{\"holdfast\":\"rendezvous/1\",\"job\":\"job-1\",\"nonce\":\"a\"}\n{\"proof\":\"b\"}\n"));
    garbage.add(bytes("{\"say\":\"tell\",\"term\":9}\n"));
    List<Socket> sockets = new ArrayList<>();
    try (Rendezvous _ = first.join(Small.setup("n1", port, true, 2, 2, 0), JUDGE)) {
      for (byte[] each : garbage) {
        sockets.add(connect(port, each));
      }
      // And one that says nothing at all.
      sockets.add(connect(port, new byte[0]));
      try (Rendezvous _ = second.join(Small.setup("n2", port, false, 2, 2, 0), JUDGE)) {
        first.await("start 0");
        second.await("start 0");
      }
    } finally {
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }

  @Test
  void aForeignJobIsToldWhyItIsRefused() throws Exception {
    int port = Small.freePort();
    FakeNode first = new FakeNode("n1");
    try (Rendezvous _ = first.join(Small.setup("n1", port, true, 2, 2, 0), JUDGE);
        Socket socket =
            connect(
                port,
                bytes("{\"holdfast\":\"rendezvous/1\",\"job\":\"other\",\"nonce\":\"a\"}\n"))) {
      InputStream in = socket.getInputStream();
      assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
          .contains("another job meets here");
    }
  }

  /** It joins properly, says once a moment that it is there, and never reads a byte again. */
  @Test
  void aMemberThatNeverListensIsLeftOut() throws Exception {
    int port = Small.freePort();
    FakeNode first = new FakeNode("n1");
    FakeNode second = new FakeNode("n2");
    Member deaf = FakeNode.member("n3", 1, 2);
    try (Rendezvous _ = first.join(Small.setup("n1", port, true, 2, 3, 0), JUDGE);
        Rendezvous _ = second.join(Small.setup("n2", port, false, 2, 3, 0), JUDGE);
        Socket socket = new Socket()) {
      socket.setReceiveBufferSize(1024);
      socket.connect(new java.net.InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      OutputStream out = socket.getOutputStream();
      java.io.BufferedReader in =
          new java.io.BufferedReader(
              new java.io.InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
      Handshake handshake = new Handshake("job-1", "secret", deaf, true);
      out.write(Wire.line(handshake.opening()));
      out.write(Wire.line(Objects.requireNonNull(handshake.on(in.readLine()).say())));
      Thread speaker =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      while (!Thread.interrupted()) {
                        out.write(Wire.line(renewal()));
                        Thread.sleep(200);
                      }
                    } catch (IOException | InterruptedException _) {
                      // Thrown out.
                    }
                  });
      try {
        // Attempt 0 has it as a member if it came in time; sooner or later the others run alone.
        long deadline = System.nanoTime() + FakeNode.PATIENCE.toNanos();
        while (!runsWith(first, "n1", "n2") && System.nanoTime() < deadline) {
          Thread.sleep(20);
        }
        assertThat(runsWith(first, "n1", "n2")).isTrue();
        assertThat(runsWith(second, "n1", "n2")).isTrue();
      } finally {
        speaker.interrupt();
      }
    }
  }

  private static boolean runsWith(FakeNode node, String... names) {
    var assignment = node.assignment;
    return assignment != null
        && assignment.members().stream().map(Member::node).toList().equals(List.of(names));
  }

  private static Message renewal() {
    return new Message.Renew(
        1, 5, -1, Version.NONE, -1, false, -1, false, 0, List.of(), null, null);
  }

  @Test
  void whatIsNotAMessageIsRefused() {
    for (String line :
        List.of(
            "",
            "7",
            "{\"say\":\"dance\",\"term\":1}",
            "{\"say\":\"renew\",\"term\":\"x\"}",
            "=!!",
            "=eJw=",
            "{\"say\":\"prepare\",\"term\":1,\"stamp\":1,\"record\":{}}")) {
      assertThatThrownBy(() -> Wire.message(line)).isInstanceOf(IllegalArgumentException.class);
    }
  }
}
