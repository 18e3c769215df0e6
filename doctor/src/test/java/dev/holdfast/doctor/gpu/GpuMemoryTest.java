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

class GpuMemoryTest {
  private static final String DRAM = "gpu/0/ecc.volatile.corrected.dram";

  private static CheckResult ask(Check check, String... facts) {
    return new TestNode()
        .nvml("gpu.0.name=NVIDIA H100 80GB HBM3\n" + String.join("\n", facts))
        .examine(check);
  }

  private static Severity severity(CheckResult result) {
    return result.findings().getFirst().severity();
  }

  private static CheckResult rate(Duration ago, long before, long now) {
    return new TestNode()
        .nvml("gpu.0.ecc.volatile.corrected.dram=" + now)
        .earlier(ago, Map.of(DRAM, before))
        .examine(new GpuEccCorrectedRate());
  }

  @Test
  void correctedErrorsAreJudgedByTheirRate() {
    Duration ten = Duration.ofMinutes(10);
    assertThat(rate(ten, 1_000_000, 1_000_900).outcome()).isEqualTo(Outcome.PASS);
    assertThat(severity(rate(ten, 0, 2_000))).isEqualTo(Severity.DEGRADED);
    assertThat(severity(rate(ten, 0, 200_000))).isEqualTo(Severity.FATAL);
  }

  @Test
  void aShortBurstIsOnlyAWarning() {
    assertThat(severity(rate(Duration.ofMinutes(1), 0, 500))).isEqualTo(Severity.WARNING);
  }

  @Test
  void aCounterThatBecameSmallerWasReset() {
    assertThat(rate(Duration.ofMinutes(10), 5_000_000, 40).outcome()).isEqualTo(Outcome.PASS);
  }

  @Test
  void aTotalWithoutHistoryIsNoRate() {
    CheckResult result = ask(new GpuEccCorrectedRate(), "gpu.0.ecc.volatile.corrected.dram=900");
    assertThat(result.outcome()).isEqualTo(Outcome.SKIP);
    assertThat(result.detail()).contains("needs history");
    assertThat(ask(new GpuEccCorrectedRate(), "gpu.0.ecc.volatile.corrected.dram=0").outcome())
        .isEqualTo(Outcome.PASS);
  }

  @Test
  void theSramThresholdIsFatal() {
    assertThat(
            severity(
                ask(
                    new GpuEccSramThreshold(),
                    "gpu.0.ecc.sram.threshold.exceeded=true",
                    "gpu.0.ecc.sram.source.l2=12")))
        .isEqualTo(Severity.FATAL);
    assertThat(ask(new GpuEccSramThreshold(), "gpu.0.ecc.sram.threshold.exceeded=false").outcome())
        .isEqualTo(Outcome.PASS);
  }

  @Test
  void eccOffIsDegradedOnAServerPartOnly() {
    assertThat(severity(ask(new GpuEccMode(), "gpu.0.ecc.mode.current=disabled")))
        .isEqualTo(Severity.DEGRADED);
    assertThat(
            severity(
                ask(
                    new GpuEccMode(),
                    "gpu.0.ecc.mode.current=enabled",
                    "gpu.0.ecc.mode.pending=disabled")))
        .isEqualTo(Severity.WARNING);
    CheckResult workstation =
        new TestNode()
            .nvml("gpu.0.name=NVIDIA RTX A6000", "gpu.0.ecc.mode.current=disabled")
            .examine(new GpuEccMode());
    assertThat(workstation.outcome()).isEqualTo(Outcome.SKIP);
  }

  @Test
  void rowRemappingIsJudgedByItsWorstSign() {
    GpuRowsRemapped check = new GpuRowsRemapped();
    String fine = "gpu.0.remapped.failure=false";
    assertThat(ask(check, fine).outcome()).isEqualTo(Outcome.PASS);
    assertThat(severity(ask(check, "gpu.0.remapped.failure=true"))).isEqualTo(Severity.FATAL);
    assertThat(severity(ask(check, fine, "gpu.0.remapped.pending=true")))
        .isEqualTo(Severity.DEGRADED);
    assertThat(severity(ask(check, fine, "gpu.0.remapped.uncorrectable=512")))
        .isEqualTo(Severity.FATAL);
    assertThat(severity(ask(check, fine, "gpu.0.remapped.histogram.none=1")))
        .isEqualTo(Severity.WARNING);
    assertThat(ask(check, "gpu.0.remapped.correctable!=NOT_SUPPORTED").outcome())
        .isEqualTo(Outcome.SKIP);
  }

  @Test
  void retiredPagesHaveTwoLimits() {
    GpuPagesRetired check = new GpuPagesRetired();
    assertThat(ask(check, "gpu.0.retired.pages.double=3").outcome()).isEqualTo(Outcome.PASS);
    assertThat(severity(ask(check, "gpu.0.retired.pages.double=63"))).isEqualTo(Severity.FATAL);
    assertThat(
            severity(
                ask(check, "gpu.0.retired.pages.double=1", "gpu.0.retired.pages.pending=true")))
        .isEqualTo(Severity.DEGRADED);
    CheckResult growing =
        new TestNode()
            .nvml("gpu.0.retired.pages.double=18")
            .earlier(Duration.ofDays(2), Map.of("gpu/0/retired.pages.double", 14L))
            .examine(check);
    assertThat(severity(growing)).isEqualTo(Severity.FATAL);
    assertThat(ask(check, "gpu.0.retired.pages.single!=NOT_SUPPORTED").outcome())
        .isEqualTo(Outcome.SKIP);
  }

  @Test
  void aRepairThatWaitsAndADamagedInforomAreTold() {
    assertThat(severity(ask(new GpuMemoryRepair(), "gpu.0.repair.channel.pending=true")))
        .isEqualTo(Severity.DEGRADED);
    assertThat(ask(new GpuMemoryRepair(), "gpu.0.repair.channel.pending=false").outcome())
        .isEqualTo(Outcome.PASS);
    assertThat(severity(ask(new GpuInforom(), "gpu.0.inforom.valid=false")))
        .isEqualTo(Severity.WARNING);
    assertThat(ask(new GpuInforom(), "gpu.0.inforom.valid=true").outcome()).isEqualTo(Outcome.PASS);
  }
}
