package dev.holdfast.doctor.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.health.Outcome;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckResult;
import dev.holdfast.doctor.testing.TestNode;
import org.junit.jupiter.api.Test;

class GpuSettingsTest {
  private static final String H100 = "gpu.0.name=NVIDIA H100 80GB HBM3";

  private static CheckResult ask(Check check, String... facts) {
    return new TestNode().nvml(facts).examine(check);
  }

  private static String four(String fact, String usual, String odd) {
    StringBuilder facts = new StringBuilder();
    for (int i = 0; i < 4; i++) {
      facts.append("gpu.%d.name=NVIDIA H100 80GB HBM3\n".formatted(i));
      facts.append("gpu.%d.%s=%s\n".formatted(i, fact, i == 2 ? odd : usual));
    }
    return facts.toString();
  }

  @Test
  void persistenceOffIsAWarningOnServersOnly() {
    assertThat(ask(new GpuPersistence(), H100, "gpu.0.persistence=disabled").outcome())
        .isEqualTo(Outcome.WARN);
    assertThat(
            ask(
                    new GpuPersistence(),
                    "gpu.0.name=NVIDIA GeForce RTX 4060",
                    "gpu.0.persistence=disabled")
                .outcome())
        .isEqualTo(Outcome.SKIP);
  }

  @Test
  void mixedPartitioningIsAWarning() {
    GpuMigMode check = new GpuMigMode();
    assertThat(ask(check, four("mig.mode", "disabled", "enabled")).findings()).hasSize(1);
    assertThat(ask(check, four("mig.mode", "enabled", "enabled")).outcome())
        .isEqualTo(Outcome.PASS);
    assertThat(
            ask(check, H100, "gpu.0.mig.mode=disabled", "gpu.0.mig.mode.pending=enabled").outcome())
        .isEqualTo(Outcome.WARN);
  }

  @Test
  void onlyProhibitedComputeModeIsAFault() {
    assertThat(ask(new GpuComputeMode(), H100, "gpu.0.compute.mode=prohibited").outcome())
        .isEqualTo(Outcome.FAIL);
    assertThat(ask(new GpuComputeMode(), H100, "gpu.0.compute.mode=exclusive-process").outcome())
        .isEqualTo(Outcome.PASS);
  }

  @Test
  void theOddOneOutIsNamedWithWhatDiffers() {
    CheckResult result = ask(new GpuUniform(), four("vbios", "96.00.89.00.01", "96.00.74.00.0D"));
    assertThat(result.findings()).hasSize(1);
    assertThat(result.findings().getFirst().subject()).hasToString("node/n1/gpu/2");
    assertThat(result.findings().getFirst().severity()).isEqualTo(Severity.WARNING);
    assertThat(result.findings().getFirst().summary()).isEqualTo("differs from its peers in vbios");
  }

  @Test
  void anotherBoardNumberIsOnlyWorthKnowing() {
    CheckResult result = ask(new GpuUniform(), four("part.number", "692-A", "692-B"));
    assertThat(result.findings().getFirst().severity()).isEqualTo(Severity.INFO);
  }

  @Test
  void twoDevicesHaveNoMajority() {
    CheckResult result =
        ask(new GpuUniform(), "gpu.0.name=NVIDIA A40", "gpu.1.name=NVIDIA RTX A6000");
    assertThat(result.outcome()).isEqualTo(Outcome.SKIP);
  }

  @Test
  void memoryThatNobodyHoldsIsLeftOver() {
    String[] facts = {H100, "gpu.0.memory.used.bytes=21474836480", "gpu.0.processes=0"};
    assertThat(ask(new GpuProcesses(), facts).outcome()).isEqualTo(Outcome.WARN);
    CheckResult inside =
        new TestNode().nvml(facts).probe("identity", "container=yes\n").examine(new GpuProcesses());
    assertThat(inside.outcome()).isEqualTo(Outcome.SKIP);
  }

  @Test
  void aRunningJobIsNormalADeadOneIsNot() {
    String[] facts = {
      H100, "gpu.0.memory.used.bytes=21474836480", "gpu.0.processes=1", "gpu.0.process.0.pid=77"
    };
    TestNode node = new TestNode().nvml(facts).file("/proc/77/stat", "77 (python3) R 1 77");
    assertThat(node.examine(new GpuProcesses()).outcome()).isEqualTo(Outcome.PASS);
    node.file("/proc/77/stat", "77 (python3) Z 1 77");
    assertThat(node.examine(new GpuProcesses()).outcome()).isEqualTo(Outcome.WARN);
  }
}
