package dev.holdfast.doctor.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.health.Outcome;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckResult;
import dev.holdfast.doctor.testing.TestNode;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GpuLinksTest {
  private static CheckResult ask(Check check, String... facts) {
    return new TestNode().nvml(facts).examine(check);
  }

  private static Severity severity(CheckResult result) {
    return result.findings().getFirst().severity();
  }

  private static String links(int device, int up, int down) {
    StringBuilder facts = new StringBuilder("gpu." + device + ".name=NVIDIA H100 80GB HBM3\n");
    facts.append("gpu.").append(device).append(".pci.device=0x233010de\n");
    for (int link = 0; link < up + down; link++) {
      facts.append("gpu.%d.nvlink.%d.state=".formatted(device, link));
      facts.append(link < up ? "active\n" : "inactive\n");
    }
    return facts.toString();
  }

  @Test
  void aLinkThatIsDownIsFatalAndNamed() {
    CheckResult result = ask(new GpuNvlinkState(), links(0, 18, 0), links(1, 17, 1));
    assertThat(result.findings()).hasSize(1);
    assertThat(result.findings().getFirst().summary()).isEqualTo("17 of 18 NVLinks are up");
    assertThat(result.findings().getFirst().evidence().getFirst().source())
        .isEqualTo("nvml gpu.1.nvlink.17.state");
  }

  @Test
  void allDownOnAWiredProductIsFatal() {
    assertThat(ask(new GpuNvlinkState(), links(0, 0, 18), links(1, 0, 18)).findings()).hasSize(2);
  }

  @Test
  void aSingleGpuWithoutPeersAndCardsWithoutBridgesAreSkipped() {
    assertThat(ask(new GpuNvlinkState(), links(0, 0, 18)).outcome()).isEqualTo(Outcome.SKIP);
    String cards = links(0, 0, 12) + links(1, 0, 12);
    assertThat(ask(new GpuNvlinkState(), cards.replace("0x2330", "0x20b5")).outcome())
        .isEqualTo(Outcome.SKIP);
  }

  @Test
  void linkErrorsAreJudgedByTheirGrowth() {
    TestNode node =
        new TestNode()
            .nvml(links(0, 2, 0), "gpu.0.nvlink.1.errors.recovery=30")
            .earlier(Duration.ofMinutes(10), Map.of("gpu/0/nvlink.errors.recovery", 0L));
    CheckResult result = node.examine(new GpuNvlinkErrors());
    assertThat(severity(result)).isEqualTo(Severity.DEGRADED);
    assertThat(result.findings().getFirst().summary()).contains("most on link 1");
    assertThat(
            ask(new GpuNvlinkErrors(), links(0, 2, 0), "gpu.0.nvlink.1.errors.recovery=30")
                .outcome())
        .isEqualTo(Outcome.SKIP);
  }

  @Test
  void aGpuOutsideTheFabricIsFatalOnceTheNodeHasBeenUpForAWhile() {
    GpuFabricState check = new GpuFabricState();
    assertThat(severity(ask(check, "gpu.0.fabric.state=not-started"))).isEqualTo(Severity.FATAL);
    assertThat(severity(ask(check, "gpu.0.fabric.state=in-progress"))).isEqualTo(Severity.FATAL);
    CheckResult booting =
        new TestNode()
            .file("/proc/stat", "btime 1767268680\n")
            .nvml("gpu.0.fabric.state=in-progress")
            .examine(check);
    assertThat(severity(booting)).isEqualTo(Severity.WARNING);
    assertThat(
            severity(
                ask(check, "gpu.0.fabric.state=completed", "gpu.0.fabric.status=NOT_SUPPORTED")))
        .isEqualTo(Severity.FATAL);
    assertThat(
            severity(
                ask(
                    check,
                    "gpu.0.fabric.state=completed",
                    "gpu.0.fabric.health.words=degraded-bandwidth")))
        .isEqualTo(Severity.DEGRADED);
    assertThat(ask(check, "gpu.0.fabric.state!=NOT_SUPPORTED").outcome()).isEqualTo(Outcome.SKIP);
  }

  @Test
  void fewerLanesAreAlwaysAFaultALowerGenerationOnlyUnderLoad() {
    GpuPcieLink check = new GpuPcieLink();
    String[] idle = {
      "gpu.0.name=NVIDIA H200",
      "gpu.0.pci.width.current=16",
      "gpu.0.pci.width.maximum=16",
      "gpu.0.pci.generation.current=1",
      "gpu.0.pci.generation.slot=5"
    };
    assertThat(ask(check, idle).outcome()).isEqualTo(Outcome.PASS);
    assertThat(ask(check, String.join("\n", idle), "gpu.0.utilisation.percent=90").outcome())
        .isEqualTo(Outcome.FAIL);
    assertThat(ask(check, String.join("\n", idle), "gpu.0.pci.width.current=8").outcome())
        .isEqualTo(Outcome.FAIL);
  }

  @Test
  void aSlotBelowThoseOfThePeersIsAFaultOneOfTheSameKindIsNot() {
    GpuPcieLink check = new GpuPcieLink();
    StringBuilder facts = new StringBuilder();
    for (int i = 0; i < 4; i++) {
      facts.append("gpu.%d.name=NVIDIA H200\ngpu.%d.pci.width.current=16\n".formatted(i, i));
      facts.append("gpu.%d.pci.width.maximum=16\n".formatted(i));
      facts.append("gpu.%d.pci.generation.slot=%d\n".formatted(i, i == 3 ? 3 : 5));
    }
    assertThat(ask(check, facts.toString()).findings()).hasSize(1);
    assertThat(ask(check, facts.toString().replace("slot=5", "slot=3")).outcome())
        .isEqualTo(Outcome.PASS);
  }

  @Test
  void theReplayBudgetFollowsTheLink() {
    assertThat(GpuPcieReplays.budget(3, 16)).isEqualTo(8);
    assertThat(GpuPcieReplays.budget(4, 16)).isEqualTo(16);
    assertThat(GpuPcieReplays.budget(5, 16)).isEqualTo(31);
    assertThat(GpuPcieReplays.budget(6, 16)).isEqualTo(62);
  }

  @Test
  void replaysAboveTheBudgetAreTold() {
    TestNode node =
        new TestNode()
            .nvml(
                "gpu.0.pci.replays=5000",
                "gpu.0.pci.generation.maximum=5",
                "gpu.0.pci.width.current=16")
            .earlier(Duration.ofMinutes(10), Map.of("gpu/0/pci.replays", 4000L));
    assertThat(severity(node.examine(new GpuPcieReplays()))).isEqualTo(Severity.WARNING);
    assertThat(ask(new GpuPcieReplays(), "gpu.0.pci.replays=5000").outcome())
        .isEqualTo(Outcome.SKIP);
  }

  @Test
  void aSmallWindowIsToldForServerPartsThatMapAllMemory() {
    String[] facts = {
      "gpu.0.name=NVIDIA H200",
      "gpu.0.architecture=hopper",
      "gpu.0.memory.total.bytes=150754820096",
      "gpu.0.bar1.total.bytes=268435456"
    };
    assertThat(ask(new GpuBar1Size(), facts).outcome()).isEqualTo(Outcome.WARN);
    facts[1] = "gpu.0.architecture=turing";
    assertThat(ask(new GpuBar1Size(), facts).outcome()).isEqualTo(Outcome.SKIP);
  }
}
