package dev.holdfast.doctor.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Outcome;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.kernel.XidCatalogue;
import dev.holdfast.doctor.check.CheckResult;
import dev.holdfast.doctor.testing.TestNode;
import org.junit.jupiter.api.Test;

class GpuKernelTest {
  private static final String RESET_NEEDED =
      "<3>[ 1000.000001] NVRM: Xid (PCI:0000:3b:00): 119, pid=7, name=python3, Timeout after 6s of"
          + " waiting for RPC response from GPU0 GSP!\n";

  private static final String RECOVERY =
      "<3>[ 1001.000001] NVRM: Xid (PCI:0000:3b:00): 154, pid='<unknown>', name=<unknown>, GPU"
          + " recovery action changed from 0x0 (None) to 0x1 (GPU Reset Required)\n";

  /** Booted an hour and a half ago. */
  private static TestNode node(String log, String... facts) {
    String device = "gpu.0.name=NVIDIA H100 80GB HBM3\ngpu.0.pci.address=0000:3b:00.0\n";
    return new TestNode()
        .probe("kernel-log", log)
        .file("/proc/stat", "btime 1767263400\n")
        .nvml(device + String.join("\n", facts));
  }

  @Test
  void anXidIsToldWithItsGpuItsTimeAndItsLine() {
    Finding finding =
        node(RESET_NEEDED, "gpu.0.recovery.action=reset")
            .examine(new GpuXid())
            .findings()
            .getFirst();
    assertThat(finding.subject()).hasToString("node/n1/gpu/0");
    assertThat(finding.severity()).isEqualTo(Severity.FATAL);
    assertThat(finding.since()).isPresent();
    assertThat(finding.evidence().getFirst().value()).contains("119");
  }

  @Test
  void whenTheDriverAsksForNothingAnyMoreTheErrorIsHistory() {
    CheckResult result = node(RESET_NEEDED, "gpu.0.recovery.action=none").examine(new GpuXid());
    assertThat(result.findings().getFirst().severity()).isEqualTo(Severity.WARNING);
  }

  @Test
  void anErrorOfAProgramDoesNotMakeTheNodeUnfit() {
    String log =
        "<3>[ 1000.0] NVRM: Xid (PCI:0000:3b:00): 31, pid=7, name=python3, Ch 00000010, MMU Fault\n"
            .replace("1000.0", "1000.000000");
    CheckResult result = node(log).examine(new GpuXid());
    assertThat(result.findings()).isNotEmpty();
    assertThat(result.findings())
        .allMatch(finding -> finding.severity().compareTo(Severity.WARNING) <= 0);
  }

  @Test
  void theRecoveryActionIsToldOnceByItsOwnCheck() {
    TestNode node = node(RESET_NEEDED + RECOVERY, "gpu.0.recovery.action=reset");
    assertThat(node.examine(new GpuXid()).findings()).hasSize(1);
    Finding finding = node.examine(new GpuRecoveryAction()).findings().getFirst();
    assertThat(finding.severity()).isEqualTo(Severity.FATAL);
    assertThat(finding.since()).isPresent();
    assertThat(finding.remedy()).contains("--gpu-reset -i 0");
  }

  @Test
  void aGpuThatWorksBelowCapacityIsDegraded() {
    CheckResult result =
        node("", "gpu.0.recovery.action=drain-and-reset").examine(new GpuRecoveryAction());
    assertThat(result.findings().getFirst().severity()).isEqualTo(Severity.DEGRADED);
  }

  @Test
  void aQuietLogPassesAnUnreadableOneIsSkipped() {
    assertThat(node("<6>[ 1.000000] Linux\n").examine(new GpuXid()).outcome())
        .isEqualTo(Outcome.PASS);
    CheckResult result =
        new TestNode()
            .nvml("gpu.0.name=NVIDIA H100 80GB HBM3")
            .denied("probe/kernel-log", "the kernel log may be read by root only")
            .examine(new GpuXid());
    assertThat(result.outcome()).isEqualTo(Outcome.SKIP);
    assertThat(result.detail()).isEqualTo("the kernel log may be read by root only");
  }

  @Test
  void aSwitchErrorIsAboutTheSwitch() {
    String log =
        "<3>[ 1000.000000] nvidia-nvswitch3: SXid (PCI:0000:0a:00.0): 20034, Fatal, Link 30 LTSSM"
            + " Fault Up\n";
    Finding finding = node(log).examine(new GpuSxid()).findings().getFirst();
    assertThat(finding.subject()).hasToString("node/n1/pci/0000:0a:00.0");
    assertThat(finding.severity()).isEqualTo(Severity.FATAL);
  }

  @Test
  void anActionOfANewerDriverIsToldButDrainsNothing() {
    Finding finding =
        node("", "gpu.0.recovery.action=9").examine(new GpuRecoveryAction()).findings().getFirst();
    assertThat(finding.severity()).isEqualTo(Severity.DEGRADED);
    assertThat(finding.summary()).contains("does not know");
  }

  @Test
  void aCodeHasTheProofOfItsRowAndTheCheckItsOwn() {
    String xid = "<3>[ 1000.000001] NVRM: Xid (PCI:0000:3b:00): %d, pid=7, name=python3, x\n";
    for (int code : new int[] {46, 48, 74, 79, 95, 119, 173}) {
      Finding finding = node(xid.formatted(code)).examine(new GpuXid()).findings().getFirst();
      assertThat(finding.rowProof())
          .as("Xid " + code)
          .contains(XidCatalogue.find(code).orElseThrow().proof());
      assertThat(finding.proof())
          .as("as an older control plane sees it")
          .isEqualTo(Proof.DOCUMENTED);
    }
  }

  @Test
  void aCodeNobodyKnowsIsNotProven() {
    String line = "<3>[ 1000.000001] NVRM: Xid (PCI:0000:3b:00): 4711, pid=7, name=python3, x\n";
    assertThat(node(line).examine(new GpuXid()).findings().getFirst().proven())
        .isEqualTo(Proof.DOCUMENTED);
  }
}
