package dev.holdfast.doctor.gpu;

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

class GpuPresenceTest {
  /** Two H100 on the bus, bound to NVIDIA's driver. */
  private static TestNode twoOnTheBus() {
    TestNode node = new TestNode().file("/sys/module/nvidia/version", "580.95.05\n");
    for (String address : List.of("0000:1b:00.0", "0000:43:00.0")) {
      slot(node, address, "0x10de", "0x2330", "0x030200");
      node.link("/sys/bus/pci/devices/" + address + "/driver", "../../bus/pci/drivers/nvidia");
    }
    return node;
  }

  private static TestNode slot(
      TestNode node, String address, String vendor, String device, String kind) {
    String folder = "/sys/bus/pci/devices/" + address;
    return node.file(folder + "/vendor", vendor + "\n")
        .file(folder + "/device", device + "\n")
        .file(folder + "/class", kind + "\n");
  }

  private static final String[] BOTH = {
    "gpu.0.name=NVIDIA H100 80GB HBM3", "gpu.0.pci.address=0000:1b:00.0",
    "gpu.1.name=NVIDIA H100 80GB HBM3", "gpu.1.pci.address=0000:43:00.0"
  };

  private static final String[] FIRST = {
    "gpu.0.name=NVIDIA H100 80GB HBM3", "gpu.0.pci.address=0000:1b:00.0"
  };

  @Test
  void allOnTheBusAnswer() {
    CheckResult result = twoOnTheBus().nvml(BOTH).examine(new GpuCount());
    assertThat(result.outcome()).isEqualTo(Outcome.PASS);
  }

  @Test
  void oneOnTheBusThatDoesNotAnswerIsFatalAndNamedByItsAddress() {
    CheckResult result = twoOnTheBus().nvml(FIRST).examine(new GpuCount());
    Finding finding = result.findings().getFirst();
    assertThat(finding.severity()).isEqualTo(Severity.FATAL);
    assertThat(finding.remedy()).contains("0000:43:00.0");
  }

  @Test
  void inAContainerTheOthersAreNotLost() {
    CheckResult result =
        twoOnTheBus()
            .nvml(FIRST)
            .probe("identity", "user=0\ncontainer=yes\n")
            .examine(new GpuCount());
    assertThat(result.findings()).isEmpty();
  }

  @Test
  void inASlurmJobTheOthersAreNotLost() {
    CheckResult result =
        twoOnTheBus().nvml(FIRST).probe("environment", "SLURM_JOB_ID=42\n").examine(new GpuCount());
    assertThat(result.findings()).isEmpty();
  }

  @Test
  void aGpuGivenToAVirtualMachineIsNotMissed() {
    TestNode node = twoOnTheBus().nvml(BOTH);
    slot(node, "0000:52:00.0", "0x10de", "0x2330", "0x030200")
        .link("/sys/bus/pci/devices/0000:52:00.0/driver", "../../bus/pci/drivers/vfio-pci");
    assertThat(node.examine(new GpuCount()).findings()).isEmpty();
    assertThat(node.examine(new GpuDriver()).findings()).isEmpty();
  }

  @Test
  void theSiteKnowsOfOneThatIsNotEvenOnTheBus() {
    Site site = new Site(Map.of("gpu.count", "8"), List.of(), LocalDate.of(2026, 1, 1));
    CheckResult result = twoOnTheBus().nvml(BOTH).site(site).examine(new GpuCount());
    assertThat(result.findings().getFirst().summary())
        .isEqualTo("2 accelerators answer, the site expects 8");
  }

  @Test
  void oneThatDoesNotAnswerIsToldOnceWhereTheSiteExpectsIt() {
    Site site = new Site(Map.of("gpu.count", "2"), List.of(), LocalDate.of(2026, 1, 1));
    CheckResult result = twoOnTheBus().nvml(FIRST).site(site).examine(new GpuCount());
    assertThat(result.findings()).hasSize(1);
    Finding finding = result.findings().getFirst();
    assertThat(finding.summary()).isEqualTo("1 accelerators answer, the site expects 2");
    assertThat(finding.severity()).isEqualTo(Severity.FATAL);
    assertThat(finding.remedy()).contains("0000:43:00.0");
  }

  @Test
  void aSiteMayExpectARange() {
    Requirement range = new Requirement.Range(Optional.of("8"), Optional.empty());
    Site site =
        new Site(new Expectation(Map.of("gpu.count", range)), List.of(), LocalDate.of(2026, 1, 1));
    CheckResult result = twoOnTheBus().nvml(BOTH).site(site).examine(new GpuCount());
    assertThat(result.findings()).hasSize(1);
    assertThat(result.findings().getFirst().summary())
        .isEqualTo("2 accelerators answer, the site expects at least 8");
  }

  @Test
  void moreThanExpectedIsAWarningOnly() {
    Site site = new Site(Map.of("gpu.count", "1"), List.of(), LocalDate.of(2026, 1, 1));
    CheckResult result = twoOnTheBus().nvml(BOTH).site(site).examine(new GpuCount());
    assertThat(result.outcome()).isEqualTo(Outcome.WARN);
  }

  @Test
  void aNodeWithoutAcceleratorsSaysNothing() {
    TestNode node = new TestNode();
    slot(node, "0000:03:00.0", "0x1a03", "0x2000", "0x030000");
    assertThat(node.examine(new GpuCount()).outcome()).isEqualTo(Outcome.SKIP);
    assertThat(node.examine(new GpuDriver()).outcome()).isEqualTo(Outcome.SKIP);
  }

  @Test
  void aLostGpuIsFatalAndGetsTheAddressNobodyElseHas() {
    CheckResult result =
        twoOnTheBus()
            .nvml(
                "gpu.0.name=NVIDIA H100 80GB HBM3",
                "gpu.0.pci.address=0000:1b:00.0",
                "gpu.1.call.failed=nvmlDeviceGetHandleByIndex_v2:GPU_IS_LOST")
            .examine(new GpuReachable());
    Finding finding = result.findings().getFirst();
    assertThat(finding.subject()).hasToString("node/n1/gpu/1");
    assertThat(finding.severity()).isEqualTo(Severity.FATAL);
    assertThat(finding.evidence())
        .anySatisfy(evidence -> assertThat(evidence.value()).isEqualTo("0000:43:00.0"));
  }

  @Test
  void aHangingLibraryAndAStuckChildAreFatal() {
    CheckResult result =
        new TestNode()
            .nvml(
                "library.error=NVML hung in nvmlInit_v2",
                "probe.hung=nvmlInit_v2",
                "probe.stuck=pid 4711 in state D")
            .examine(new GpuReachable());
    assertThat(result.findings()).hasSize(2);
    assertThat(result.findings()).allMatch(finding -> finding.severity() == Severity.FATAL);
  }

  @Test
  void aDeviceOneMayNotOpenIsSkipped() {
    CheckResult result =
        new TestNode()
            .nvml("gpu.0.call.failed=nvmlDeviceGetHandleByIndex_v2:NO_PERMISSION")
            .examine(new GpuReachable());
    assertThat(result.outcome()).isEqualTo(Outcome.SKIP);
  }

  @Test
  void aLibraryThatDoesNotFitTheModuleIsFatal() {
    CheckResult result =
        twoOnTheBus()
            .nvml("nvml.version=13.580.105.08", "nvml.start!=LIB_RM_VERSION_MISMATCH")
            .examine(new GpuDriver());
    assertThat(result.findings()).hasSize(1);
    assertThat(result.findings().getFirst().summary()).contains("580.95.05");
  }

  @Test
  void aServerGpuWithoutItsDriverIsFatalADesktopOneIsNot() {
    TestNode node = slot(new TestNode(), "0000:1b:00.0", "0x10de", "0x2330", "0x030200");
    assertThat(node.examine(new GpuDriver()).outcome()).isEqualTo(Outcome.FAIL);
    TestNode desktop =
        slot(new TestNode(), "0000:01:00.0", "0x10de", "0x2684", "0x030000")
            .link("/sys/bus/pci/devices/0000:01:00.0/driver", "../../bus/pci/drivers/nouveau");
    assertThat(desktop.examine(new GpuDriver()).outcome()).isNotEqualTo(Outcome.FAIL);
  }

  @Test
  void aMissingDeviceFileIsAWarning() {
    TestNode node =
        new TestNode()
            .nvml("gpu.0.name=NVIDIA H200")
            .file("/sys/module/nvidia/version", "580.95.05")
            .file("/dev/nvidia0", "")
            .file("/dev/nvidiactl", "");
    assertThat(node.examine(new GpuDeviceFiles()).outcome()).isEqualTo(Outcome.WARN);
    assertThat(node.file("/dev/nvidia-uvm", "").examine(new GpuDeviceFiles()).outcome())
        .isEqualTo(Outcome.PASS);
  }

  @Test
  void aJobWithSomeOfTheGpusIsNotMeasuredByTheSitesCountButAPrologIs() {
    Site site = new Site(Map.of("gpu.count", "8"), List.of(), LocalDate.of(2026, 1, 1));
    TestNode node = twoOnTheBus().nvml(FIRST).site(site);
    CheckResult job = node.probe("environment", "SLURM_JOB_ID=42\n").examine(new GpuCount());
    assertThat(job.outcome()).isEqualTo(Outcome.SKIP);
    CheckResult prolog =
        node.probe("environment", "SLURM_JOB_ID=42\nSLURM_SCRIPT_CONTEXT=prolog_slurmd\n")
            .examine(new GpuCount());
    assertThat(prolog.outcome()).isEqualTo(Outcome.FAIL);
  }

  @Test
  void aLibraryThatDoesNotStartForWantOfADeviceIsNoFaultOfTheNode() {
    TestNode node = twoOnTheBus().nvml("nvml.start!=DRIVER_NOT_LOADED");
    assertThat(node.examine(new GpuDriver()).outcome()).isEqualTo(Outcome.FAIL);
    node.probe("identity", "user=0\ncontainer=yes\n");
    assertThat(node.examine(new GpuDriver()).findings()).isEmpty();
    node.nvml("nvml.start!=LIB_RM_VERSION_MISMATCH");
    assertThat(node.examine(new GpuDriver()).outcome()).isEqualTo(Outcome.FAIL);
  }

  @Test
  void virtualFunctionsAndOldDisplayCardsAreNotMissed() {
    TestNode node = twoOnTheBus().nvml(BOTH);
    slot(node, "0000:1b:00.4", "0x10de", "0x2330", "0x030200")
        .link("/sys/bus/pci/devices/0000:1b:00.4/driver", "../../bus/pci/drivers/nvidia")
        .link("/sys/bus/pci/devices/0000:1b:00.4/physfn", "../0000:1b:00.0");
    slot(node, "0000:60:00.0", "0x10de", "0x128b", "0x030000");
    assertThat(node.examine(new GpuCount()).findings()).isEmpty();
  }
}
