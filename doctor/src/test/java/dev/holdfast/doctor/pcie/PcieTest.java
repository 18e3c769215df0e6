package dev.holdfast.doctor.pcie;

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

class PcieTest {
  private static final String ROOT = "0000:15:01.0";
  private static final String UP = "0000:18:00.0";
  private static final String DOWN = "0000:19:00.0";
  private static final String GPU = "0000:1b:00.0";
  private static final String METAL = "processor\t: 0\nflags\t\t: fpu sse\n\n";
  private static final String GUEST = "processor\t: 0\nflags\t\t: fpu hypervisor sse\n\n";

  static List<Check> checks() {
    return List.of(
        new PcieLinkSpeed(),
        new PcieLinkWidth(),
        new PcieErrors(),
        new PcieAccessControl(),
        new PcieIommu(),
        new PcieTopology());
  }

  @ParameterizedTest
  @MethodSource("checks")
  void aMachineWithoutTheHardwareIsSkipped(Check check) {
    assertThat(new TestNode().examine(check).outcome()).isEqualTo(Outcome.SKIP);
  }

  @ParameterizedTest
  @MethodSource("checks")
  void aVirtualMachineWithADeviceThatHasNoParentIsNoFinding(Check check) {
    TestNode node = new TestNode().file("/proc/cpuinfo", GUEST);
    device(node, "0000:00:05.0", "pci0000:00", 0x10de, "0x030200", "Unknown", "32.0 GT/s PCIe", 0);
    assertThat(node.examine(check).findings()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("checks")
  void garbageIsNoFinding(Check check) {
    TestNode node = tree("x", "y").file("/sys/bus/pci/devices/" + GPU + "/aer_dev_fatal", "zzz\n");
    node.file("/sys/bus/pci/devices/" + GPU + "/class", "0x030200 trailing\n");
    node.file("/sys/bus/pci/devices/" + GPU + "/max_link_width", "-1\n");
    assertThat(node.examine(check).findings()).isEmpty();
  }

  @Test
  void aBridgeTrainedDownNamesWhatHangsBelowIt() {
    TestNode node = tree("32.0 GT/s PCIe", "32.0 GT/s PCIe");
    node.file("/sys/bus/pci/devices/" + UP + "/current_link_speed", "8.0 GT/s PCIe\n");
    CheckResult result = node.examine(new PcieLinkSpeed());
    assertThat(result.findings()).hasSize(1);
    assertThat(result.findings().getFirst().severity()).isEqualTo(Severity.DEGRADED);
    assertThat(result.findings().getFirst().summary())
        .isEqualTo(
            "the link of the bridge above GPU 0000:1b:00.0 runs at 8 GT/s (Gen3) instead of 32 GT/s"
                + " (Gen5)");
  }

  @Test
  void aSlowDeviceInAFastSlotIsAsItShouldBe() {
    TestNode node = new TestNode();
    device(node, ROOT, "pci0000:15", 0x8086, "0x060400", "16.0 GT/s PCIe", "32.0 GT/s PCIe", 4);
    device(
        node,
        "0000:16:00.0",
        "pci0000:15/" + ROOT,
        0x144d,
        "0x010802",
        "16.0 GT/s PCIe",
        "16.0 GT/s PCIe",
        4);
    assertThat(node.examine(new PcieLinkSpeed()).outcome()).isEqualTo(Outcome.PASS);
    assertThat(node.examine(new PcieLinkWidth()).outcome()).isEqualTo(Outcome.PASS);
  }

  @Test
  void aGpuThatMayBeRestingIsNotJudgedBySpeed() {
    CheckResult result = tree("2.5 GT/s PCIe", "32.0 GT/s PCIe").examine(new PcieLinkSpeed());
    assertThat(result.findings()).isEmpty();
  }

  @Test
  void theLinkOfAGpuWhoseLibraryTellsOfItIsLeftToTheGpuCheck() {
    TestNode node = tree("32.0 GT/s PCIe", "32.0 GT/s PCIe");
    node.file("/sys/bus/pci/devices/" + GPU + "/current_link_width", "8\n");
    node.nvml("gpu.0.pci.address=" + GPU, "gpu.0.pci.width.current=8");
    assertThat(node.examine(new PcieLinkWidth()).findings()).isEmpty();
  }

  @Test
  void lostLanesAreDegraded() {
    TestNode node = tree("32.0 GT/s PCIe", "32.0 GT/s PCIe");
    node.file("/sys/bus/pci/devices/" + GPU + "/current_link_width", "8\n");
    CheckResult result = node.examine(new PcieLinkWidth());
    assertThat(result.findings().getFirst().summary()).contains("8 lanes of 16");
  }

  @Test
  void aFatalErrorIsFatalAndCorrectedOnesCountOnlyWhenTheyGrow() {
    TestNode node = tree("32.0 GT/s PCIe", "32.0 GT/s PCIe");
    String folder = "/sys/bus/pci/devices/" + GPU;
    node.file(folder + "/aer_dev_fatal", "DLP 0\nTOTAL_ERR_FATAL 0\n")
        .file(folder + "/aer_dev_correctable", "BadTLP 90000\nRxErr 0\nTOTAL_ERR_COR 90000\n");
    assertThat(node.examine(new PcieErrors()).outcome()).isEqualTo(Outcome.PASS);
    node.earlier(Duration.ofMinutes(10), Map.of("pcie/" + GPU + "/correctable", 80000L));
    assertThat(node.examine(new PcieErrors()).findings().getFirst().severity())
        .isEqualTo(Severity.DEGRADED);
    node.earlier(Duration.ofMinutes(10), Map.of("pcie/" + GPU + "/correctable", 90000L))
        .file(folder + "/aer_dev_fatal", "DLP 1\nTOTAL_ERR_FATAL 1\n");
    assertThat(node.examine(new PcieErrors()).findings().getFirst().severity())
        .isEqualTo(Severity.FATAL);
  }

  @Test
  void redirectionOnBareMetalIsDegradedAndInAGuestIsNobodysFault() {
    TestNode node = tree("32.0 GT/s PCIe", "32.0 GT/s PCIe").file("/proc/cpuinfo", METAL);
    node.probe("pci-config/" + DOWN, configuration(0x1d));
    CheckResult result = node.examine(new PcieAccessControl());
    assertThat(result.findings().getFirst().remedy()).contains("setpci", DOWN);
    node.probe("pci-config/" + DOWN, configuration(0));
    assertThat(node.examine(new PcieAccessControl()).outcome()).isEqualTo(Outcome.PASS);
    node.probe("pci-config/" + DOWN, configuration(0x1d)).file("/proc/cpuinfo", GUEST);
    assertThat(node.examine(new PcieAccessControl()).outcome()).isEqualTo(Outcome.SKIP);
  }

  @Test
  void withoutTheRightToReadTheRegistersNothingIsClaimed() {
    TestNode node = tree("32.0 GT/s PCIe", "32.0 GT/s PCIe").file("/proc/cpuinfo", METAL);
    node.probe("pci-config/" + DOWN, "00".repeat(64));
    assertThat(node.examine(new PcieAccessControl()).outcome()).isEqualTo(Outcome.SKIP);
    node.probe("pci-config/" + DOWN, "not hexadecimal");
    assertThat(node.examine(new PcieAccessControl()).outcome()).isEqualTo(Outcome.SKIP);
  }

  @Test
  void capabilitiesThatPointAtThemselvesEnd() {
    byte[] looped = new byte[0x140];
    looped[0x100] = 1;
    looped[0x103] = 0x10;
    assertThat(ConfigurationSpace.parse(java.util.HexFormat.of().formatHex(looped)).accessControl())
        .isEmpty();
  }

  @Test
  void translationByTheIommuIsAWarningAndPassThroughIsNot() {
    TestNode node = tree("32.0 GT/s PCIe", "32.0 GT/s PCIe").file("/proc/cpuinfo", METAL);
    assertThat(node.examine(new PcieIommu()).outcome()).isEqualTo(Outcome.PASS);
    node.file("/sys/class/iommu/dmar0/x", "");
    node.file("/sys/bus/pci/devices/" + GPU + "/iommu_group/type", "DMA-FQ\n");
    assertThat(node.examine(new PcieIommu()).outcome()).isEqualTo(Outcome.WARN);
    node.file("/sys/bus/pci/devices/" + GPU + "/iommu_group/type", "identity\n");
    assertThat(node.examine(new PcieIommu()).outcome()).isEqualTo(Outcome.PASS);
  }

  @Test
  void onGraceTheIommuIsPartOfTheDesign() {
    TestNode node =
        tree("32.0 GT/s PCIe", "32.0 GT/s PCIe")
            .file("/proc/cpuinfo", "processor\t: 0\nCPU implementer\t: 0x41\n")
            .file("/sys/class/iommu/smmu3.0x0000000011000000/x", "")
            .file("/sys/bus/pci/devices/" + GPU + "/iommu_group/type", "DMA-FQ\n");
    assertThat(node.examine(new PcieIommu()).outcome()).isEqualTo(Outcome.SKIP);
  }

  @Test
  void aGpuWithoutAPlaceOnATwoSocketMachineIsTold() {
    TestNode node = tree("32.0 GT/s PCIe", "32.0 GT/s PCIe").file("/proc/cpuinfo", METAL);
    node.file("/sys/devices/system/node/node0/cpulist", "0-1\n")
        .file("/sys/devices/system/node/node1/cpulist", "2-3\n");
    assertThat(node.examine(new PcieTopology()).outcome()).isEqualTo(Outcome.PASS);
    node.file("/sys/bus/pci/devices/" + GPU + "/numa_node", "-1\n");
    assertThat(node.examine(new PcieTopology()).outcome()).isEqualTo(Outcome.WARN);
    node.file("/proc/cpuinfo", GUEST);
    assertThat(node.examine(new PcieTopology()).outcome()).isEqualTo(Outcome.SKIP);
  }

  @Test
  void speedsHaveTheNamesOfTheirGenerations() {
    assertThat(PcieLinkSpeed.words(2.5)).isEqualTo("2.5 GT/s (Gen1)");
    assertThat(PcieLinkSpeed.words(5)).isEqualTo("5 GT/s (Gen2)");
    assertThat(PcieLinkSpeed.words(8)).isEqualTo("8 GT/s (Gen3)");
    assertThat(PcieLinkSpeed.words(16)).isEqualTo("16 GT/s (Gen4)");
    assertThat(PcieLinkSpeed.words(64)).isEqualTo("64 GT/s (Gen6)");
  }

  /** A GPU below a switch below a root port, with the speed of the GPU's own link. */
  private static TestNode tree(String speed, String most) {
    TestNode node = new TestNode();
    String full = "32.0 GT/s PCIe";
    device(node, ROOT, "pci0000:15", 0x8086, "0x060400", full, full, 16);
    device(node, UP, "pci0000:15/" + ROOT, 0x1000, "0x060400", full, full, 16);
    device(node, DOWN, "pci0000:15/" + ROOT + "/" + UP, 0x1000, "0x060400", full, full, 16);
    String above = "pci0000:15/" + ROOT + "/" + UP + "/" + DOWN;
    device(node, GPU, above, 0x10de, "0x030200", speed, most, 16);
    return node;
  }

  private static void device(
      TestNode node,
      String address,
      String above,
      int vendor,
      String code,
      String speed,
      String most,
      int lanes) {
    String folder = "/sys/bus/pci/devices/" + address;
    node.link(folder, "../../../devices/" + above + "/" + address)
        .file(folder + "/vendor", "0x%04x\n".formatted(vendor))
        .file(folder + "/class", code + "\n")
        .file(folder + "/numa_node", "0\n")
        .file(folder + "/current_link_speed", speed + "\n")
        .file(folder + "/max_link_speed", most + "\n")
        .file(folder + "/current_link_width", lanes + "\n")
        .file(folder + "/max_link_width", lanes + "\n");
  }

  /** Error reporting at 0x100, access control at 0x148 with this control register. */
  private static String configuration(int control) {
    byte[] bytes = new byte[0x160];
    bytes[0x100] = 1;
    bytes[0x102] = (byte) 0x82;
    bytes[0x103] = 0x14;
    bytes[0x148] = 0x0d;
    bytes[0x14a] = 1;
    bytes[0x14e] = (byte) control;
    return java.util.HexFormat.of().formatHex(bytes);
  }
}
