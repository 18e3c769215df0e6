package dev.holdfast.doctor.nic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.health.Outcome;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckResult;
import dev.holdfast.doctor.testing.TestNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RoceTest {
  static List<Check> checks() {
    return List.of(
        new NicPauseStorm(),
        new NicDiscardsPhysical(),
        new NicFlowControlSettings(),
        new NicCountersMisleading(),
        new NicCongestionSettings(),
        new NicGidIndex(),
        new NicMtu());
  }

  @ParameterizedTest
  @MethodSource("checks")
  void aNodeWithoutRdmaAndOneWithInfiniBandOnlyAreSkipped(Check check) {
    assertThat(new TestNode().examine(check).detail()).isEqualTo(RdmaDevices.NONE);
    assertThat(Rail.infiniBand(2).examine(check).outcome()).isEqualTo(Outcome.SKIP);
  }

  @ParameterizedTest
  @MethodSource("checks")
  void garbageIsNoFinding(Check check) {
    TestNode node = Rail.ethernet(4);
    for (int i = 0; i < 4; i++) {
      node.probe(
              "ethtool-statistics/eth" + i,
              "::\nrx_prio_pause: x\n: 5\nfoo: 99999999999999999999\n")
          .file(Rail.path(i, "gids/0"), "zz\n")
          .file("/sys/class/net/eth" + i + "/mtu", "many\n");
    }
    assertThat(node.examine(check).findings()).isEmpty();
  }

  @Test
  void aNodeThatPausesItsSwitchIsDegraded() {
    CheckResult result =
        Rail.ethernet(1)
            .probe(
                "ethtool-statistics/eth0", "NIC statistics:\n tx_prio3_pause_duration: 30000000\n")
            .earlier(Duration.ofMinutes(10), Map.of("nic/mlx5_0/1/tx_prio3_pause_duration", 0L))
            .examine(new NicPauseStorm());
    assertThat(result.findings().getFirst().summary())
        .isEqualTo("in the last 10 min this port: paused its switch port 5.0 % of the time");
    assertThat(result.findings().getFirst().severity()).isEqualTo(Severity.DEGRADED);
  }

  @Test
  void pausesReceivedNowAndThenAreNormal() {
    TestNode node =
        Rail.ethernet(1).probe("ethtool-statistics/eth0", "rx_prio3_pause_duration: 30000000\n");
    assertThat(node.examine(new NicPauseStorm()).outcome()).isEqualTo(Outcome.SKIP);
    node.earlier(Duration.ofMinutes(10), Map.of("nic/mlx5_0/1/rx_prio3_pause_duration", 0L));
    assertThat(node.examine(new NicPauseStorm()).outcome()).isEqualTo(Outcome.PASS);
  }

  @Test
  void aPauseStormOfTheFirmwareIsDegraded() {
    CheckResult result =
        Rail.ethernet(1)
            .probe("ethtool-statistics/eth0", "tx_pause_storm_error_events: 4\n")
            .earlier(Duration.ofMinutes(10), Map.of("nic/mlx5_0/1/tx_pause_storm_error_events", 3L))
            .examine(new NicPauseStorm());
    assertThat(result.findings().getFirst().summary())
        .contains("1 pause storms", "lose packets", "10 min");
  }

  @Test
  void packetsDroppedAtTheWireAreDegraded() {
    CheckResult result =
        Rail.ethernet(1)
            .probe("ethtool-statistics/eth0", "rx_discards_phy: 100000\n")
            .earlier(Duration.ofMinutes(10), Map.of("nic/mlx5_0/1/rx_discards_phy", 0L))
            .examine(new NicDiscardsPhysical());
    assertThat(result.outcome()).isEqualTo(Outcome.FAIL);
  }

  @Test
  void aRailWithoutTheOthersFlowControlIsNamed() {
    TestNode node = rails(4, "rx_prio3_pause: 0\n");
    node.probe("ethtool-statistics/eth2", "rx_global_pause: 0\n");
    CheckResult result = node.examine(new NicFlowControlSettings());
    assertThat(result.findings()).hasSize(1);
    assertThat(result.findings().getFirst().summary())
        .isEqualTo("flow control: link-wide pause, while most rails have: priority 3");
  }

  @Test
  void lossyRoceIsAChoiceAndTwoLosslessPrioritiesAreToldOnce() {
    assertThat(rails(4, "rx_bytes: 1\n").examine(new NicFlowControlSettings()).detail())
        .isEqualTo("MT4129: none");
    CheckResult two =
        rails(4, "rx_prio3_pause: 0\nrx_prio5_pause: 0\n").examine(new NicFlowControlSettings());
    assertThat(two.outcome()).isEqualTo(Outcome.WARN);
    assertThat(two.findings()).hasSize(1);
  }

  @Test
  void rdmaThatOutgrowsTheUsualCountersIsWorthANote() {
    CheckResult result =
        rails(2, "rx_bytes: 1000\nrx_vport_rdma_unicast_bytes: 9000000\n")
            .examine(new NicCountersMisleading());
    assertThat(result.outcome()).isEqualTo(Outcome.PASS);
    assertThat(result.findings()).hasSize(1);
    assertThat(result.findings().getFirst().severity()).isEqualTo(Severity.INFO);
  }

  @Test
  void congestionControlUnlikeTheOtherRailsNamesTheFile() {
    TestNode node = Rail.ethernet(4);
    for (int i = 0; i < 4; i++) {
      String folder = "/sys/kernel/debug/mlx5/0000:%02x:00.0/cc_params/".formatted(0x10 + i);
      node.file(folder + "rp_ai_rate", i == 3 ? "50\n" : "5\n");
    }
    CheckResult result = node.examine(new NicCongestionSettings());
    assertThat(result.findings()).hasSize(1);
    assertThat(result.findings().getFirst().remedy()).contains("echo 5", "0000:13:00.0");
  }

  @Test
  void aRailWithoutARoceAddressIsNamedButUnusedPortsAreNot() {
    TestNode node = Rail.ethernet(4);
    assertThat(node.examine(new NicGidIndex()).outcome()).isEqualTo(Outcome.SKIP);
    for (int i = 0; i < 3; i++) {
      node.file(Rail.path(i, "gids/3"), "0000:0000:0000:0000:0000:ffff:0a01:0101\n")
          .file(Rail.path(i, "gid_attrs/types/3"), "RoCE v2\n");
    }
    CheckResult result = node.examine(new NicGidIndex());
    assertThat(result.findings()).hasSize(1);
    assertThat(result.findings().getFirst().subject()).hasToString("node/n1/nic/mlx5_3/1");
  }

  @Test
  void smallPacketsAreToldOfRailsOnly() {
    TestNode rails = Rail.ethernet(4);
    for (int i = 0; i < 4; i++) {
      rails.file("/sys/class/net/eth" + i + "/mtu", i == 0 ? "1500\n" : "9000\n");
    }
    assertThat(rails.examine(new NicMtu()).findings()).hasSize(1);
    CheckResult alone =
        Rail.ethernet(1).file("/sys/class/net/eth0/mtu", "1500\n").examine(new NicMtu());
    assertThat(alone.outcome()).isEqualTo(Outcome.PASS);
  }

  @Test
  void aRocePortWithoutItsInterfaceIsTold() {
    CheckResult result =
        Rail.ethernet(1)
            .file(Rail.path(0, "gid_attrs/ndevs/0"), "\n")
            .examine(new NicNetDeviceMapping());
    assertThat(result.outcome()).isEqualTo(Outcome.WARN);
    assertThat(Rail.infiniBand(1).examine(new NicNetDeviceMapping()).outcome())
        .isEqualTo(Outcome.PASS);
  }

  @Test
  void aDeadLegOfABondIsDegradedAndAGroupOfItsOwnToo() {
    assertThat(bond("up", "1", "up", "1").outcome()).isEqualTo(Outcome.PASS);
    assertThat(bond("up", "1", "down", "1").findings().getFirst().summary())
        .contains("1 of 2 legs");
    assertThat(bond("up", "1", "up", "2").findings().getFirst().summary()).contains("LACP groups");
    assertThat(new TestNode().examine(new NicBond()).outcome()).isEqualTo(Outcome.SKIP);
    assertThat(
            new TestNode()
                .file("/proc/net/bonding/bond0", "Bonding Mode: load balancing\nMII Status: down\n")
                .examine(new NicBond())
                .outcome())
        .as("made with its module, never used")
        .isEqualTo(Outcome.SKIP);
  }

  private static CheckResult bond(String first, String group, String second, String other) {
    return new TestNode()
        .file(
            "/proc/net/bonding/bond0",
            """
            Bonding Mode: IEEE 802.3ad Dynamic link aggregation
            MII Status: up
            Slave Interface: eth0
            MII Status: %s
            Aggregator ID: %s
            Slave Interface: eth1
            MII Status: %s
            Aggregator ID: %s
            """
                .formatted(first, group, second, other))
        .examine(new NicBond());
  }

  @Test
  void anAdapterNearItsCriticalTemperatureIsDegraded() {
    String sensor = "/sys/class/infiniband/mlx5_0/device/hwmon/hwmon3/temp1";
    TestNode node = Rail.infiniBand(1);
    assertThat(node.examine(new NicModuleTemperature()).outcome()).isEqualTo(Outcome.SKIP);
    node.file(sensor + "_input", "61000\n").file(sensor + "_crit", "105000\n");
    assertThat(node.examine(new NicModuleTemperature()).outcome()).isEqualTo(Outcome.PASS);
    node.file(sensor + "_crit", "0\n");
    assertThat(node.examine(new NicModuleTemperature()).outcome()).isEqualTo(Outcome.PASS);
    node.file(sensor + "_input", "103000\n");
    assertThat(node.examine(new NicModuleTemperature()).outcome()).isEqualTo(Outcome.FAIL);
  }

  private static TestNode rails(int count, String statistics) {
    TestNode node = Rail.ethernet(count);
    for (int i = 0; i < count; i++) {
      node.probe("ethtool-statistics/eth" + i, statistics);
    }
    return node;
  }
}
