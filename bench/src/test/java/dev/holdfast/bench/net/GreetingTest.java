package dev.holdfast.bench.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What two ranks find out when they meet. */
class GreetingTest {
  private static final InetAddress HERE = InetAddress.getLoopbackAddress();

  private static RankSettings settings(int rank, String token, double silence) {
    return new RankSettings(
        "127.0.0.1",
        1,
        token,
        rank,
        4,
        "plan",
        Transport.TCP,
        1,
        "",
        RankSeat.NONE,
        "",
        0,
        1024,
        false,
        false,
        silence);
  }

  private static InetSocketAddress at(ServerSocket socket) {
    return new InetSocketAddress(HERE, socket.getLocalPort());
  }

  @Test
  void ranksThatKnowTheTokenMeet() throws Exception {
    try (ServerSocketChannel server = ServerSocketChannel.open()) {
      server.bind(new InetSocketAddress(HERE, 0));
      CompletableFuture<Greeting.Name> heard = new CompletableFuture<>();
      Thread.ofVirtual()
          .start(
              () -> {
                try (SocketChannel channel = server.accept()) {
                  Greeting greeting = new Greeting(settings(0, "secret", 60));
                  Greeting.Name name = greeting.hear(channel);
                  greeting.welcome(channel);
                  heard.complete(name);
                } catch (IOException failed) {
                  heard.completeExceptionally(failed);
                }
              });
      try (SocketChannel channel =
          new Greeting(settings(2, "secret", 60)).connect(0, server.getLocalAddress(), HERE, 5)) {
        assertThat(channel.isConnected()).isTrue();
      }
      assertThat(heard.get(60, TimeUnit.SECONDS)).isEqualTo(new Greeting.Name(2, 5));
    }
  }

  /** Takes what it gets and says what it likes. */
  private static void answer(ServerSocket server, int bytes) {
    Thread.ofVirtual()
        .start(
            () -> {
              try (Socket socket = server.accept()) {
                socket.getOutputStream().write(new byte[bytes]);
                InputStream input = socket.getInputStream();
                while (input.read(new byte[4096]) >= 0) {
                  // Until the other side has enough.
                }
              } catch (IOException closed) {
                // The test is over.
              }
            });
  }

  @Test
  void largePacketsThatDoNotComeBackAreBlamedOnTheMtu() throws IOException {
    try (ServerSocket server = new ServerSocket(0, 1, HERE)) {
      answer(server, 1);
      assertThatThrownBy(
              () -> new Greeting(settings(2, "secret", 1)).connect(0, at(server), HERE, 0))
          .isInstanceOf(LinkFault.class)
          .hasMessageContaining("small packets pass")
          .hasMessageContaining("MTU");
    }
  }

  @Test
  void somebodyWhoSaysNothingIsNotWaitedForForever() throws IOException {
    try (ServerSocket server = new ServerSocket(0, 1, HERE)) {
      answer(server, 0);
      assertThatThrownBy(
              () -> new Greeting(settings(2, "secret", 1)).connect(0, at(server), HERE, 0))
          .hasMessageContaining("says nothing");
    }
  }

  @Test
  void aClosedPortIsSaidToBeOne() throws IOException {
    InetSocketAddress closed;
    try (ServerSocket server = new ServerSocket(0, 1, HERE)) {
      closed = at(server);
    }
    assertThatThrownBy(() -> new Greeting(settings(2, "secret", 20)).connect(0, closed, HERE, 0))
        .isInstanceOf(LinkFault.class)
        .hasMessageContaining("refuses connections");
  }
}
