package dev.holdfast.doctor.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.health.Outcome;
import dev.holdfast.doctor.Checks;
import dev.holdfast.doctor.Doctor;
import dev.holdfast.doctor.check.CheckResult;
import dev.holdfast.doctor.check.KernelLogChecks;
import dev.holdfast.doctor.check.Level;
import dev.holdfast.doctor.report.Report;
import dev.holdfast.doctor.site.Site;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KernelLogNodeTest {
  private static final Instant WRITTEN = Instant.parse("2026-03-01T00:00:00Z");

  private static Report examined(NodeView node, boolean alone) {
    Duration enough = Duration.ofSeconds(30);
    return new Doctor(
            alone ? KernelLogChecks.of(Checks.all(), KernelLogNode.ALONE) : Checks.all(),
            Site.none(LocalDate.of(2026, 3, 1)),
            enough,
            enough)
        .examine(node, Level.PASSIVE)
        .report();
  }

  @Test
  void anXidIsProofEnoughOfAGpu() {
    KernelLogNode node =
        KernelLogNode.alone(
            "2026-02-03T04:05:06,000000+00:00 n17.example.org kernel: NVRM: Xid (PCI:0000:3b:00):"
                + " 79, pid=7, name=x, GPU has fallen off the bus.\n",
            "unknown",
            WRITTEN);
    Report report = examined(node, true).skippedBecause(KernelLogNode.ALONE);
    assertThat(node.name()).isEqualTo("n17");
    assertThat(node.now()).isEqualTo(Instant.parse("2026-02-03T04:05:06Z"));
    assertThat(report.findings())
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.check()).isEqualTo("gpu.kernel.xid");
              assertThat(finding.subject()).hasToString("node/n17/pci/0000:3b:00.0");
            });
    assertThat(report.skips()).containsOnlyKeys(KernelLogNode.ALONE);
  }

  @Test
  void aSwitchAndALineOfTheDriverAreProofToo() {
    String log =
        "[   10.000000] nvidia-nvswitch1: SXid (PCI:0000:06:00.0): 20034, Fatal, Link 48 LTSSM\n"
            + "[   11.000000] NVRM: GPU 0000:0a:00.0: RmInitAdapter failed! (0x24:0x72:1568)\n";
    assertThat(examined(KernelLogNode.alone(log, "n1", WRITTEN), true).findings())
        .extracting(finding -> finding.check())
        .containsExactlyInAnyOrder("gpu.kernel.sxid", "gpu.kernel.driver");
  }

  @Test
  void aBootWithoutAFaultHasNoFinding() {
    String log = "[    0.000000] Linux version 6.8.0\n[    1.000000] pci 0000:00:01.0: fine\n";
    Report report = examined(KernelLogNode.alone(log, "n1", WRITTEN), true);
    assertThat(report.findings()).isEmpty();
    assertThat(report.count(Outcome.PASS)).isPositive();
  }

  @Test
  void besideANodeOnlyItsLogIsReplaced() {
    RecordedNode rest =
        new RecordedNode(
            Map.of(
                "about", "node=n9\ntime=2026-03-01T00:00:00Z",
                "probe/kernel-log", "",
                "root/proc/sys/kernel/tainted", "0\n"));
    KernelLogNode node =
        KernelLogNode.of(rest, "Out of memory: Killed process 48 (python3) total-vm:1kB\n");
    List<CheckResult> results = examined(node, false).results();
    assertThat(node.alone()).isFalse();
    assertThat(results)
        .filteredOn(result -> result.info().id().equals("kernel.oom"))
        .extracting(CheckResult::outcome)
        .containsExactly(Outcome.FAIL);
    assertThat(results)
        .filteredOn(result -> result.info().id().equals("kernel.taint"))
        .extracting(CheckResult::outcome)
        .containsExactly(Outcome.PASS);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[    1.000000] usb 1-1: new device\n",
        "<6>[    1.000000] usb 1-1: new device\n",
        "6,12,1000000,-;usb 1-1: new device\n",
        "kern  :info  : [    1.000000] usb 1-1: new device\n",
        "[Sun Jan  5 18:28:55 2026] usb 1-1: new device\n",
        "Sep 14 20:16:21 n17 kernel: usb 1-1: new device\n",
        "2026-01-05T18:28:55+01:00 n17 kernel: usb 1-1: new device\n",
        "x\ny\nNVRM: Xid (PCI:0000:3b:00): 79, GPU\n",
      })
  void knowsALogInEveryForm(String log) {
    assertThat(KernelLogNode.isLog(log)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n", "{\"a\": 1}\n", "step 1 loss 2.5\nstep 2 loss 2.4\n"})
  void anythingElseIsNone(String text) {
    assertThat(KernelLogNode.isLog(text)).isFalse();
  }
}
