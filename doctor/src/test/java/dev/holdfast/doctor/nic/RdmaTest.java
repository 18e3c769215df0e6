package dev.holdfast.doctor.nic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.health.Outcome;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckResult;
import dev.holdfast.doctor.testing.TestNode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RdmaTest {
  private static final String ROOT = "CapEff:\t000001ffffffffff\n";
  private static final String HOST = "         0          0 4294967295\n";
  private static final String OPEN =
      "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.95.05  Release Build\n";
  private static final String CLOSED =
      "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.95.05  Tue Sep 23\n";

  static List<Check> checks() {
    return List.of(new RdmaMemlock(), new RdmaPeermem(), new RdmaDeviceFiles(), new RdmaModules());
  }

  @ParameterizedTest
  @MethodSource("checks")
  void aNodeWithoutRdmaIsSkippedWithOneReason(Check check) {
    CheckResult result = new TestNode().file("/proc/self/limits", limits("16384")).examine(check);
    assertThat(result.detail()).isEqualTo(RdmaDevices.NONE);
  }

  @Test
  void oneWriteTestPinsTwoMessagesInWholePages() {
    assertThat(RdmaMemlock.needed(65536, 1, 1)).isEqualTo(128 << 10);
    assertThat(RdmaMemlock.needed(1, 1, 1)).isEqualTo(4096);
    assertThat(RdmaMemlock.needed(65, 100, 2)).isEqualTo(53248);
  }

  @Test
  void lockedMemoryIsJudgedByWhatRdmaPins() {
    assertThat(memlock("unlimited").outcome()).isEqualTo(Outcome.PASS);
    assertThat(memlock("16384").findings().getFirst().severity()).isEqualTo(Severity.FATAL);
    assertThat(memlock("16384").findings().getFirst().summary()).contains("16 KiB", "128 KiB");
    assertThat(memlock("8388608").findings().getFirst().severity()).isEqualTo(Severity.WARNING);
    assertThat(memlock("137438953472").outcome()).isEqualTo(Outcome.PASS);
    assertThat(memlock("plenty").outcome()).isEqualTo(Outcome.SKIP);
  }

  private static CheckResult memlock(String soft) {
    return Rail.infiniBand(1).file("/proc/self/limits", limits(soft)).examine(new RdmaMemlock());
  }

  @Test
  void rootIsExemptButNotTheRootOfAUserNamespace() {
    TestNode node =
        Rail.infiniBand(1)
            .file("/proc/self/limits", limits("16384"))
            .file("/proc/self/status", ROOT)
            .file("/proc/self/uid_map", HOST);
    assertThat(node.examine(new RdmaMemlock()).outcome()).isEqualTo(Outcome.PASS);
    node.file("/proc/self/uid_map", "         0       1000          1\n");
    assertThat(node.examine(new RdmaMemlock()).outcome()).isEqualTo(Outcome.FAIL);
  }

  private static String limits(String soft) {
    return "Limit                     Soft Limit           Hard Limit           Units\n"
        + "Max locked memory         "
        + soft
        + "                16384                bytes\n";
  }

  @Test
  void gpuMemoryIsReachedByTheModuleOrByDmaBuf() {
    TestNode node =
        Rail.infiniBand(1)
            .nvml("gpu.0.name=NVIDIA H100")
            .file("/proc/driver/nvidia/version", CLOSED)
            .file("/proc/sys/kernel/osrelease", "6.8.0-60-generic\n");
    assertThat(node.examine(new RdmaPeermem()).outcome()).isEqualTo(Outcome.FAIL);
    node.file("/proc/driver/nvidia/version", OPEN);
    assertThat(node.examine(new RdmaPeermem()).outcome()).isEqualTo(Outcome.PASS);
    node.file("/proc/sys/kernel/osrelease", "5.4.0-1\n");
    assertThat(node.examine(new RdmaPeermem()).outcome()).isEqualTo(Outcome.FAIL);
    node.file("/sys/module/nvidia_peermem/initstate", "live\n");
    assertThat(node.examine(new RdmaPeermem()).outcome()).isEqualTo(Outcome.PASS);
  }

  @Test
  void withoutADriverNobodyNeedsPeerMemory() {
    assertThat(Rail.infiniBand(1).examine(new RdmaPeermem()).outcome()).isEqualTo(Outcome.SKIP);
  }

  @Test
  void aContainerWithoutTheDeviceFilesIsDegraded() {
    TestNode node =
        Rail.infiniBand(1).file("/sys/class/infiniband_verbs/uverbs0/ibdev", "mlx5_0\n");
    assertThat(node.examine(new RdmaDeviceFiles()).findings().getFirst().remedy())
        .contains("--device=/dev/infiniband");
    node.file("/dev/infiniband/uverbs0", "");
    assertThat(node.examine(new RdmaDeviceFiles()).outcome()).isEqualTo(Outcome.PASS);
  }

  @Test
  void anInfiniBandAdapterWithoutADeviceIsDegraded() {
    TestNode node = new TestNode().file("/sys/bus/pci/devices/0000:10:00.0/class", "0x020700\n");
    assertThat(node.examine(new RdmaModules()).outcome()).isEqualTo(Outcome.FAIL);
    node.file("/sys/module/mlx5_ib/initstate", "live\n");
    assertThat(node.examine(new RdmaModules()).outcome()).isEqualTo(Outcome.SKIP);
    assertThat(
            Rail.infiniBand(1)
                .file("/sys/bus/pci/devices/0000:10:00.0/class", "0x020700\n")
                .examine(new RdmaModules())
                .outcome())
        .isEqualTo(Outcome.PASS);
  }

  @Test
  void aContainerWithSomeOfTheDeviceFilesHasWhatItAskedFor() {
    TestNode node =
        Rail.infiniBand(2)
            .probe("identity", "user=0\ncontainer=yes\n")
            .file("/sys/class/infiniband_verbs/uverbs0/ibdev", "mlx5_0\n")
            .file("/sys/class/infiniband_verbs/uverbs1/ibdev", "mlx5_1\n");
    assertThat(node.examine(new RdmaDeviceFiles()).outcome()).isEqualTo(Outcome.WARN);
    node.file("/dev/infiniband/uverbs1", "");
    assertThat(node.examine(new RdmaDeviceFiles()).detail()).contains("1 of 2");
    node.probe("identity", "user=0\ncontainer=no\n");
    assertThat(node.examine(new RdmaDeviceFiles()).outcome()).isEqualTo(Outcome.FAIL);
  }

  @Test
  void anAdapterOfACloudNeedsNoPeerMemoryModule() {
    TestNode amazon =
        Rail.ethernet(1)
            .nvml("gpu.0.name=NVIDIA H100")
            .file("/proc/driver/nvidia/version", CLOSED)
            .file("/proc/sys/kernel/osrelease", "6.8.0-60-generic\n");
    assertThat(amazon.examine(new RdmaPeermem()).findings().getFirst().severity())
        .isEqualTo(Severity.INFO);
    amazon.file("/sys/class/infiniband/mlx5_0/device/vendor", "0x1d0f\n");
    assertThat(amazon.examine(new RdmaPeermem()).outcome()).isEqualTo(Outcome.SKIP);
  }
}
