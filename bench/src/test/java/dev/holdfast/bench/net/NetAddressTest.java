package dev.holdfast.bench.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import org.junit.jupiter.api.Test;

/** Which of its addresses a machine takes. */
class NetAddressTest {
  @Test
  void aCardIsFoundByNameOrNetwork() throws IOException {
    assertThat(NetAddress.of("lo").isLoopbackAddress()).isTrue();
    assertThat(NetAddress.of("127.0.0.0/8").getHostAddress()).isEqualTo("127.0.0.1");
    assertThat(NetAddress.card(InetAddress.ofLiteral("127.0.0.1"))).startsWith("lo mtu ");
  }

  @Test
  void whatIsNotThereIsSaidWithWhatIs() {
    assertThatThrownBy(() -> NetAddress.of("ib99"))
        .hasMessageContaining("--interface ib99")
        .hasMessageContaining("lo 127.0.0.1");
    assertThatThrownBy(() -> NetAddress.of("203.0.113.0/24"))
        .hasMessageContaining("203.0.113.0/24");
  }

  @Test
  void trafficToThisMachineLeavesFromLoopback() {
    assertThat(NetAddress.towards("127.0.0.1")).get().matches(InetAddress::isLoopbackAddress);
    assertThat(NetAddress.towards("no-such-host.invalid")).isEmpty();
  }
}
