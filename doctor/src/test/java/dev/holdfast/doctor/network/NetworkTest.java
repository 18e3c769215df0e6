package dev.holdfast.doctor.network;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.health.Outcome;
import dev.holdfast.doctor.check.CheckResult;
import dev.holdfast.doctor.testing.TestNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NetworkTest {
  private static final String ROUTES =
      "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\n"
          + "eth0\t00000000\t0100000A\t0003\t0\t0\t0\t00000000\n";

  @Test
  void errorsOfTheDefaultInterfaceAreJudgedByTheirRate() {
    TestNode node =
        new TestNode()
            .file("/proc/net/route", ROUTES)
            .file("/sys/class/net/eth0/statistics/rx_errors", "5000\n");
    assertThat(node.examine(new InterfaceErrors()).outcome()).isEqualTo(Outcome.SKIP);
    node.earlier(Duration.ofMinutes(10), Map.of("net/eth0/rx_errors", 5000L));
    assertThat(node.examine(new InterfaceErrors()).outcome()).isEqualTo(Outcome.PASS);
    node.earlier(Duration.ofMinutes(10), Map.of("net/eth0/rx_errors", 0L));
    assertThat(node.examine(new InterfaceErrors()).outcome()).isEqualTo(Outcome.WARN);
    assertThat(
            new TestNode()
                .file("/proc/net/route", "garbage\n\n")
                .examine(new InterfaceErrors())
                .detail())
        .isEqualTo("no default route");
  }

  @Test
  void theLoopbackInterfaceMustBeUp() {
    assertThat(new TestNode().examine(new Loopback()).outcome()).isEqualTo(Outcome.SKIP);
    assertThat(loopback("0x9").outcome()).isEqualTo(Outcome.PASS);
    assertThat(loopback("0x8").outcome()).isEqualTo(Outcome.FAIL);
    assertThat(
            new TestNode()
                .file("/sys/class/net/eth0/flags", "0x1003\n")
                .examine(new Loopback())
                .outcome())
        .as("a recording without the file says nothing")
        .isEqualTo(Outcome.SKIP);
  }

  private static CheckResult loopback(String flags) {
    return new TestNode().file("/sys/class/net/lo/flags", flags + "\n").examine(new Loopback());
  }

  @Test
  void anOwnNameOnLoopbackHurtsOnlyNodesOfACluster() {
    TestNode node =
        new TestNode()
            .file("/proc/sys/kernel/hostname", "n1\n")
            .file("/etc/hosts", "127.0.0.1 localhost\n127.0.1.1 n1.example n1 # Debian\n");
    assertThat(node.examine(new HostNameAddress()).outcome()).isEqualTo(Outcome.PASS);
    node.probe("environment", "SLURM_JOB_ID=4711\n");
    assertThat(node.examine(new HostNameAddress()).outcome()).isEqualTo(Outcome.WARN);
    node.file("/etc/hosts", "127.0.1.1 n1\n10.0.0.5 n1\n");
    assertThat(node.examine(new HostNameAddress()).outcome()).isEqualTo(Outcome.PASS);
    node.file("/etc/hosts", "127.0.0.1 localhost n10 n\n# 127.0.1.1 n1\n");
    assertThat(node.examine(new HostNameAddress()).detail()).contains("resolver");
  }

  @Test
  void rendezvousPortsMustNotBeHandedOut() {
    assertThat(ports("32768\t60999", "").outcome()).isEqualTo(Outcome.PASS);
    assertThat(ports("1024\t65535", "").outcome()).isEqualTo(Outcome.WARN);
    assertThat(ports("1024\t65535", "8080,29000-30000").outcome()).isEqualTo(Outcome.PASS);
    assertThat(ports("1024\t65535", "29500").outcome()).isEqualTo(Outcome.WARN);
    assertThat(ports("garbage", "x-y").outcome()).isEqualTo(Outcome.SKIP);
  }

  private static CheckResult ports(String range, String reserved) {
    return new TestNode()
        .file("/proc/sys/net/ipv4/ip_local_port_range", range + "\n")
        .file("/proc/sys/net/ipv4/ip_local_reserved_ports", reserved + "\n")
        .examine(new EphemeralPorts());
  }

  @Test
  void variablesThatNameNoDeviceOrSwitchOffRdmaAreDegraded() {
    assertThat(environment("PATH=/bin").outcome()).isEqualTo(Outcome.SKIP);
    assertThat(environment("NCCL_SOCKET_IFNAME=eth", "NCCL_IB_HCA=mlx5").outcome())
        .isEqualTo(Outcome.PASS);
    assertThat(environment("NCCL_SOCKET_IFNAME=ib0").findings().getFirst().remedy())
        .contains("eth0");
    assertThat(environment("NCCL_IB_HCA==mlx5_9:1").outcome()).isEqualTo(Outcome.FAIL);
    assertThat(environment("NCCL_IB_DISABLE=1").outcome()).isEqualTo(Outcome.FAIL);
    assertThat(environment("NCCL_P2P_DISABLE=1").outcome()).isEqualTo(Outcome.PASS);
    assertThat(environment("NCCL_DEBUG=TRACE").outcome()).isEqualTo(Outcome.WARN);
    assertThat(environment("NCCL_DEBUG=INFO").outcome()).isEqualTo(Outcome.PASS);
  }

  private static CheckResult environment(String... lines) {
    return new TestNode()
        .probe("environment", String.join("\n", lines) + "\n")
        .file("/sys/class/net/eth0/flags", "0x1003\n")
        .file("/sys/class/infiniband/mlx5_0/ports/1/state", "4: ACTIVE\n")
        .examine(new NcclEnvironment());
  }

  @Test
  void namesAreChosenTheWayNcclDoes() {
    List<String> devices = List.of("eth0", "lo");
    assertThat(NcclEnvironment.matches("eth", devices)).isTrue();
    assertThat(NcclEnvironment.matches("=eth", devices)).isFalse();
    assertThat(NcclEnvironment.matches("=eth0,ib0", devices)).isTrue();
    assertThat(NcclEnvironment.matches("^lo,docker", devices)).isTrue();
    assertThat(NcclEnvironment.matches("^lo,eth", devices)).isFalse();
    assertThat(NcclEnvironment.matches("^=eth0,lo", devices)).isFalse();
  }
}
