package dev.holdfast.doctor.nic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.health.Outcome;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckResult;
import dev.holdfast.doctor.site.Site;
import dev.holdfast.doctor.testing.TestNode;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class NicLinkTest {
  private static final String DOWN = "1: DOWN\n";

  static List<Check> checks() {
    return List.of(
        new NicLinkState(),
        new NicLinkRate(),
        new NicLinkFlap(),
        new NicCount(),
        new NicFirmwareUniform(),
        new NicErrorsSymbol(),
        new NicErrorsLink(),
        new NicErrorsReceive(),
        new NicErrorsDiscards(),
        new NicRdmaRetries(),
        new NicCongestion());
  }

  @ParameterizedTest
  @MethodSource("checks")
  void aNodeWithoutRdmaIsSkippedWithOneReason(Check check) {
    CheckResult result = new TestNode().examine(check);
    assertThat(result.outcome()).isEqualTo(Outcome.SKIP);
    assertThat(result.detail()).isEqualTo(RdmaDevices.NONE);
  }

  @ParameterizedTest
  @MethodSource("checks")
  void garbageInEveryFileIsNoFinding(Check check) {
    TestNode node = new TestNode();
    for (String file :
        List.of("state", "phys_state", "rate", "link_layer", "counters/symbol_error")) {
      node.file(Rail.path(0, file), "\u0000\ufffd: : 9999999999999999999999\n");
    }
    node.file("/sys/class/infiniband/mlx5_0/fw_ver", "\n");
    assertThat(node.examine(check).findings()).isEmpty();
  }

  @Test
  void aPortThatIsDownAmongSiblingsThatAreUpIsFatal() {
    CheckResult result =
        Rail.infiniBand(8).file(Rail.path(3, "state"), DOWN).examine(new NicLinkState());
    assertThat(result.findings()).hasSize(1);
    assertThat(result.findings().getFirst().severity()).isEqualTo(Severity.FATAL);
    assertThat(result.findings().getFirst().subject()).hasToString("node/n1/nic/mlx5_3/1");
    assertThat(result.findings().getFirst().summary()).contains("7 of 8");
  }

  @Test
  void aPortNobodyCabledIsToldButNotJudged() {
    CheckResult result =
        Rail.infiniBand(2).file(Rail.path(1, "state"), DOWN).examine(new NicLinkState());
    assertThat(result.outcome()).isEqualTo(Outcome.PASS);
    assertThat(result.detail()).contains("mlx5_1/1");
  }

  @Test
  void aPortSeenUpEarlierInThisBootIsFatalWhenDown() {
    CheckResult result =
        Rail.infiniBand(1)
            .file(Rail.path(0, "state"), DOWN)
            .earlier(Duration.ofHours(2), Map.of("nic/mlx5_0/1/down", 0L))
            .examine(new NicLinkState());
    assertThat(result.findings().getFirst().summary()).contains("up earlier in this boot");
  }

  @Test
  void aPortDownAsLongAsHistoryReachesIsNotJudged() {
    CheckResult result =
        Rail.infiniBand(1)
            .file(Rail.path(0, "state"), DOWN)
            .earlier(Duration.ofHours(2), Map.of("nic/mlx5_0/1/down", 1L))
            .examine(new NicLinkState());
    assertThat(result.outcome()).isEqualTo(Outcome.SKIP);
  }

  @Test
  void aPortThatTheSiteExpectsIsFatalWhenDown() {
    Site site =
        new Site(Map.of("nic.mlx5_0.rate", "400 Gb/s"), List.of(), LocalDate.of(2026, 1, 1));
    CheckResult result =
        Rail.infiniBand(1).file(Rail.path(0, "state"), DOWN).site(site).examine(new NicLinkState());
    assertThat(result.outcome()).isEqualTo(Outcome.FAIL);
  }

  @Test
  void anInterfaceSwitchedOffByTheOperatorIsNotJudged() {
    CheckResult result =
        Rail.ethernet(8)
            .file(Rail.path(3, "state"), DOWN)
            .file("/sys/class/net/eth3/flags", "0x1002\n")
            .examine(new NicLinkState());
    assertThat(result.outcome()).isEqualTo(Outcome.PASS);
  }

  @Test
  void aPortWithoutASubnetManagerSaysSo() {
    CheckResult result =
        Rail.infiniBand(1).file(Rail.path(0, "state"), "2: INIT\n").examine(new NicLinkState());
    assertThat(result.findings().getFirst().remedy()).contains("sminfo");
  }

  @Test
  void aPortSlowerThanItsSiblingsIsDegraded() {
    CheckResult result =
        Rail.infiniBand(8)
            .file(Rail.path(5, "rate"), "200 Gb/sec (2X NDR)\n")
            .examine(new NicLinkRate());
    assertThat(result.findings()).hasSize(1);
    assertThat(result.findings().getFirst().summary()).contains("200 Gb/s", "400 Gb/s");
  }

  @Test
  void aPortSlowerThanTheSiteExpectsIsDegradedEvenAlone() {
    Site site =
        new Site(Map.of("nic.mlx5_0.rate", "800 Gb/s"), List.of(), LocalDate.of(2026, 1, 1));
    CheckResult result = Rail.infiniBand(1).site(site).examine(new NicLinkRate());
    assertThat(result.outcome()).isEqualTo(Outcome.FAIL);
  }

  @Test
  void twoPortsOfDifferentRateAreNoMajority() {
    CheckResult result =
        Rail.infiniBand(2)
            .file(Rail.path(1, "rate"), "200 Gb/sec (4X HDR)\n")
            .examine(new NicLinkRate());
    assertThat(result.outcome()).isEqualTo(Outcome.PASS);
  }

  @Test
  void flapsAreJudgedByHowOftenTheyCameAndTotalsWithoutHistoryAreNot() {
    TestNode node = Rail.infiniBand(1).file(Rail.path(0, "counters/link_downed"), "40\n");
    assertThat(node.examine(new NicLinkFlap()).outcome()).isEqualTo(Outcome.SKIP);
    assertThat(flap(node, Duration.ofHours(6), 39).severity()).isEqualTo(Severity.INFO);
    assertThat(flap(node, Duration.ofHours(6), 38).severity()).isEqualTo(Severity.INFO);
    assertThat(flap(node, Duration.ofHours(6), 37).severity()).isEqualTo(Severity.DEGRADED);
    assertThat(flap(node, Duration.ofMinutes(4), 38).severity()).isEqualTo(Severity.DEGRADED);
    assertThat(flap(node, Duration.ofDays(3), 37).severity()).isEqualTo(Severity.WARNING);
  }

  private static dev.holdfast.core.health.Finding flap(TestNode node, Duration ago, long before) {
    return node.earlier(ago, Map.of("nic/mlx5_0/1/link_downed", before))
        .examine(new NicLinkFlap())
        .findings()
        .getFirst();
  }

  @Test
  void withoutHistoryTheKernelLogMayBearWitness() {
    String line = "mlx5_core 0000:10:00.0: Port module event: module 0, Cable unplugged\n";
    TestNode node =
        Rail.infiniBand(1)
            .file(Rail.path(0, "counters/link_downed"), "40\n")
            .file("/proc/stat", "btime 1767261600\n")
            .probe("kernel-log", ("<4>[  100.000000] " + line) + ("<4>[ 2000.000000] " + line));
    assertThat(node.examine(new NicLinkFlap()).outcome()).isEqualTo(Outcome.SKIP);
    node.probe(
        "kernel-log",
        ("<4>[  100.000000] " + line)
            + ("<4>[ 2000.000000] " + line)
            + ("<4>[ 6000.000000] " + line));
    CheckResult result = node.examine(new NicLinkFlap());
    assertThat(result.findings().getFirst().severity()).isEqualTo(Severity.DEGRADED);
    assertThat(result.findings().getFirst().since()).isPresent();
  }

  @Test
  void oneAdapterMissingBesideEightGpusIsTold() {
    TestNode node = Rail.infiniBand(7);
    node.nvml(
        java.util.stream.IntStream.range(0, 8)
            .mapToObj(i -> "gpu." + i + ".name=NVIDIA H100")
            .toArray(String[]::new));
    assertThat(node.examine(new NicCount()).findings()).hasSize(1);
  }

  @Test
  void fewerAdaptersThanTheSiteExpectsIsFatal() {
    Site site = new Site(Map.of("nic.rdma.count", "8"), List.of(), LocalDate.of(2026, 1, 1));
    CheckResult result = Rail.infiniBand(7).site(site).examine(new NicCount());
    assertThat(result.findings().getFirst().severity()).isEqualTo(Severity.FATAL);
    assertThat(new TestNode().site(site).examine(new NicCount()).outcome()).isEqualTo(Outcome.FAIL);
  }

  @Test
  void theAdapterWithOtherFirmwareIsNamed() {
    CheckResult result =
        Rail.infiniBand(4)
            .file("/sys/class/infiniband/mlx5_2/fw_ver", "28.36.1010\n")
            .examine(new NicFirmwareUniform());
    assertThat(result.findings()).hasSize(1);
    assertThat(result.findings().getFirst().subject()).hasToString("node/n1/nic/mlx5_2/1");
  }

  @Test
  void halfAndHalfFirmwareBlamesNobody() {
    CheckResult result =
        Rail.infiniBand(2)
            .file("/sys/class/infiniband/mlx5_1/fw_ver", "28.36.1010\n")
            .examine(new NicFirmwareUniform());
    assertThat(result.findings().getFirst().subject()).hasToString("node/n1");
  }

  @Test
  void symbolErrorsAreJudgedByTheirRate() {
    TestNode node = Rail.infiniBand(1).file(Rail.path(0, "counters/symbol_error"), "1000\n");
    assertThat(symbols(node, Duration.ofHours(1), 900)).isEqualTo(Outcome.PASS);
    assertThat(symbols(node, Duration.ofHours(1), 800)).isEqualTo(Outcome.FAIL);
    // Five errors in ten seconds are not 1800 an hour.
    assertThat(symbols(node, Duration.ofSeconds(10), 995)).isEqualTo(Outcome.PASS);
    assertThat(symbols(node, Duration.ofSeconds(10), 800)).isEqualTo(Outcome.FAIL);
    assertThat(symbols(node, Duration.ofHours(1), 1000)).isEqualTo(Outcome.PASS);
  }

  private static Outcome symbols(TestNode node, Duration ago, long before) {
    return node.earlier(ago, Map.of("nic/mlx5_0/1/symbol_error", before))
        .examine(new NicErrorsSymbol())
        .outcome();
  }

  @Test
  void retriesNameTheCounterAndTheLimit() {
    CheckResult result =
        Rail.infiniBand(1)
            .file(Rail.path(0, "hw_counters/local_ack_timeout_err"), "500\n")
            .earlier(Duration.ofMinutes(1), Map.of("nic/mlx5_0/1/local_ack_timeout_err", 0L))
            .examine(new NicRdmaRetries());
    assertThat(result.findings().getFirst().summary())
        .contains("500 acknowledgements", "1 min", "limit 1");
  }

  @Test
  void congestionIsAskedOnlyOfRoce() {
    assertThat(Rail.infiniBand(1).examine(new NicCongestion()).outcome()).isEqualTo(Outcome.SKIP);
    CheckResult result =
        Rail.ethernet(1)
            .file(Rail.path(0, "hw_counters/roce_slow_restart"), "5000\n")
            .earlier(Duration.ofMinutes(1), Map.of("nic/mlx5_0/1/roce_slow_restart", 0L))
            .examine(new NicCongestion());
    assertThat(result.outcome()).isEqualTo(Outcome.FAIL);
  }
}
