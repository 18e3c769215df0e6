package dev.holdfast.doctor.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.health.Outcome;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.check.CheckResult;
import dev.holdfast.doctor.testing.TestNode;
import org.junit.jupiter.api.Test;

class GpuEccUncorrectedTest {
  @Test
  void anyUncorrectableErrorIsFatalAndNamesTheDevice() {
    CheckResult result =
        new TestNode()
            .nvml(
                "gpu.0.ecc.volatile.uncorrected.dram=0",
                "gpu.1.ecc.volatile.uncorrected.dram=2",
                "gpu.1.ecc.volatile.uncorrected.sram=0")
            .examine(new GpuEccUncorrected());
    assertThat(result.outcome()).isEqualTo(Outcome.FAIL);
    assertThat(result.findings()).hasSize(1);
    assertThat(result.findings().getFirst().severity()).isEqualTo(Severity.FATAL);
    assertThat(result.findings().getFirst().subject()).hasToString("node/n1/gpu/1");
    assertThat(result.findings().getFirst().remedy()).contains("-i 1");
  }

  @Test
  void aDeviceWithoutEccIsSkippedNotPassed() {
    CheckResult result =
        new TestNode().nvml("gpu.0.name=NVIDIA T400").examine(new GpuEccUncorrected());
    assertThat(result.outcome()).isEqualTo(Outcome.SKIP);
  }

  @Test
  void aNodeWithoutAcceleratorsIsSkippedWithTheReason() {
    CheckResult result =
        new TestNode()
            .probe("nvml", "library.present=false\nlibrary.error=no driver\n")
            .examine(new GpuEccUncorrected());
    assertThat(result.outcome()).isEqualTo(Outcome.SKIP);
    assertThat(result.detail()).isEqualTo("no accelerator on the node");
  }
}
