package dev.holdfast.doctor.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Outcome;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.check.CheckResult;
import dev.holdfast.doctor.site.Expectation;
import dev.holdfast.doctor.site.Requirement;
import dev.holdfast.doctor.site.Site;
import dev.holdfast.doctor.testing.TestNode;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SiteInventoryTest {
  private static CheckResult examine(TestNode node, Map<String, String> expected) {
    Site site = new Site(expected, List.of(), LocalDate.of(2026, 1, 1));
    return node.site(site).examine(new SiteInventory());
  }

  private static Finding only(CheckResult result) {
    assertThat(result.findings()).hasSize(1);
    return result.findings().getFirst();
  }

  private static TestNode node() {
    return new TestNode()
        .nvml("gpu.0.name=NVIDIA H100", "gpu.1.name=NVIDIA H100")
        .file("/proc/meminfo", "MemTotal: 2113368012 kB\n")
        .file("/proc/self/mountinfo", "2 1 0:9 / /home rw - nfs4 10.0.0.1:/home rw\n")
        .file("/proc/sys/vm/swappiness", "60\n");
  }

  @Test
  void aNodeAsExpectedPasses() {
    CheckResult result =
        examine(
            node(),
            Map.of(
                "gpu.model", "NVIDIA H100",
                "memory.bytes", "2 TiB",
                "mount./home", "nfs4",
                "sysctl.vm.swappiness", "60"));
    assertThat(result.outcome()).isEqualTo(Outcome.PASS);
    assertThat(result.detail()).contains("4 facts");
  }

  @Test
  void aMissingMountIsDegraded() {
    Finding finding = only(examine(node(), Map.of("mount./scratch", "xfs")));
    assertThat(finding.severity()).isEqualTo(Severity.DEGRADED);
    assertThat(finding.summary()).isEqualTo("/scratch is not mounted");
  }

  @Test
  void lessMemoryIsWorseThanMore() {
    assertThat(only(examine(node(), Map.of("memory.bytes", "4 TiB"))).severity())
        .isEqualTo(Severity.DEGRADED);
    assertThat(only(examine(node(), Map.of("memory.bytes", "1 TiB"))).severity())
        .isEqualTo(Severity.WARNING);
  }

  @Test
  void anotherSettingIsAWarningWithBothValues() {
    Finding finding = only(examine(node(), Map.of("sysctl.vm.swappiness", "10")));
    assertThat(finding.severity()).isEqualTo(Severity.WARNING);
    assertThat(finding.summary()).contains("is 60", "expects 10");
    assertThat(finding.evidence().getFirst().source()).isEqualTo("/proc/sys/vm/swappiness");
  }

  @Test
  void whatOtherChecksTellIsNotToldTwice() {
    TestNode node = node().file("/sys/class/infiniband/mlx5_0/ports/1/state", "1: DOWN\n");
    CheckResult result =
        examine(
            node, Map.of("gpu.count", "8", "nic.rdma.count", "8", "nic.mlx5_0.rate", "400 Gb/s"));
    assertThat(result.findings()).isEmpty();
    Requirement range = new Requirement.Range(Optional.of("8"), Optional.empty());
    Site site =
        new Site(new Expectation(Map.of("gpu.count", range)), List.of(), LocalDate.of(2026, 1, 1));
    assertThat(node.site(site).examine(new SiteInventory()).findings()).isEmpty();
  }

  @Test
  void anAdapterThatIsGoneIsNamed() {
    Finding finding = only(examine(node(), Map.of("nic.eno1.rate", "25 Gb/s")));
    assertThat(finding.summary()).contains("eno1", "25 Gb/s");
  }

  @Test
  void whatCannotBeReadIsSkippedAndNeverADeviation() {
    CheckResult result = examine(node(), Map.of("bios.version", "1.2"));
    assertThat(result.outcome()).isEqualTo(Outcome.SKIP);
    assertThat(new TestNode().examine(new SiteInventory()).outcome()).isEqualTo(Outcome.SKIP);
  }
}
