package dev.holdfast.os.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SocketOwnersTest {
  @Test
  void theOwnerOfAConnectionOfThisMachineIsFound() throws IOException {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    try (ServerSocket server = new ServerSocket(0, 5, loopback);
        Socket client = new Socket(loopback, server.getLocalPort());
        Socket accepted = server.accept()) {
      assertThat(accepted.getPort()).isEqualTo(client.getLocalPort());
      assertThat(
              new SocketOwners(Path.of("/proc"))
                  .of(
                      server.getLocalPort(),
                      Set.of(client.getLocalPort(), 1),
                      Duration.ofSeconds(30)))
          .containsOnlyKeys(client.getLocalPort())
          .containsValue(ProcessHandle.current().pid());
    }
  }

  @Test
  void whoListensOnAPortIsFound() throws IOException {
    SocketOwners owners = new SocketOwners(Path.of("/proc"));
    int port;
    try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      port = server.getLocalPort();
      assertThat(owners.listener(port, Duration.ofSeconds(30)))
          .contains(ProcessHandle.current().pid());
    }
    assertThat(owners.listener(port, Duration.ofSeconds(30))).isEmpty();
  }

  @Test
  void withoutTheKernelsTablesNobodyIsFound(@TempDir Path empty) {
    assertThat(new SocketOwners(empty).of(1, Set.of(2), Duration.ofSeconds(1))).isEmpty();
  }
}
