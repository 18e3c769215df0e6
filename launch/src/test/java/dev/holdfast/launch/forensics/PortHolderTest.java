package dev.holdfast.launch.forensics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

class PortHolderTest {
  @Test
  void whoHasThePortIsNamedHoweverItIsWritten() throws IOException {
    try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      int port = server.getLocalPort();
      String holder =
          "process " + ProcessHandle.current().pid() + " (java) listens on port " + port;
      assertThat(PortHolder.of("failed to listen. port: " + port + ", useIpv6: 0, code: -98"))
          .hasValueSatisfying(line -> assertThat(line).contains(holder));
      assertThat(PortHolder.of("failed to bind to [::]:" + port + " (errno: 98)"))
          .hasValueSatisfying(line -> assertThat(line).contains(holder));
      assertThat(PortHolder.of("bind addr=[::]:" + port + ": Address already in use")).isPresent();
    }
  }

  @Test
  void wordsWithoutAPortNameNobody() {
    assertThat(PortHolder.of("RuntimeError: Address already in use")).isEmpty();
    assertThat(PortHolder.of("train.py:88: OSError: [Errno 98]")).isEmpty();
  }
}
