package dev.holdfast.doctor.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.health.Fact;
import dev.holdfast.doctor.accelerator.Accelerators;
import dev.holdfast.doctor.node.RecordedNode;
import dev.holdfast.doctor.testing.TestNode;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class InventoryTest {
  private static Map<String, String> facts(TestNode test) {
    RecordedNode node = test.node();
    Map<String, String> values = new LinkedHashMap<>();
    for (Fact fact : Inventory.of(node, new Accelerators(node))) {
      assertThat(values.put(fact.name(), fact.value())).as(fact.name() + " twice").isNull();
      assertThat(fact.source()).as(fact.name() + " source").isNotBlank();
    }
    return values;
  }

  @Test
  void partsAreCountedAndNamed() {
    Map<String, String> facts =
        facts(
            new TestNode()
                .nvml(
                    "driver.version=580.95.05",
                    "gpu.0.name=NVIDIA H100 80GB HBM3",
                    "gpu.0.vbios=96.00.89.00.01",
                    "gpu.1.name=NVIDIA H100 80GB HBM3",
                    "gpu.1.vbios=96.00.74.00.01")
                .file("/sys/class/infiniband/mlx5_0/ports/1/rate", "400 Gb/sec (4X NDR)\n")
                .file("/sys/class/infiniband/mlx5_0/ports/1/state", "4: ACTIVE\n")
                .file("/sys/class/infiniband/mlx5_0/fw_ver", "28.39.1002\n")
                .file("/sys/class/infiniband/mlx5_1/ports/1/rate", "10 Gb/sec (4X SDR)\n")
                .file("/sys/class/infiniband/mlx5_1/ports/1/state", "1: DOWN\n")
                .file("/sys/class/infiniband/mlx5_0/device/net/ibs1/mtu", "2044\n")
                .link("/sys/class/net/ibs1/device", "../../../0000:1a:00.0")
                .link("/sys/class/net/eno1/device", "../../../0000:03:00.0")
                .file("/sys/class/net/eno1/speed", "25000\n")
                .file("/sys/class/net/docker0/speed", "10000\n"));
    assertThat(facts)
        .containsEntry("gpu.count", "2")
        .containsEntry("gpu.model", "NVIDIA H100 80GB HBM3")
        .containsEntry("gpu.vbios", "1 × 96.00.74.00.01, 1 × 96.00.89.00.01")
        .containsEntry("gpu.driver.version", "580.95.05")
        .containsEntry("nic.count", "3")
        .containsEntry("nic.rdma.count", "2")
        .containsEntry("nic.mlx5_0.rate", "400 Gb/s")
        .containsEntry("nic.eno1.rate", "25 Gb/s")
        .containsEntry("nic.firmware", "28.39.1002")
        .doesNotContainKeys("nic.mlx5_1.rate", "nic.docker0.rate");
  }

  @Test
  void theHostIsDescribedWithoutWhatNamesThisVeryNode() {
    Map<String, String> facts =
        facts(
            new TestNode()
                .file("/proc/meminfo", "MemTotal:       2113368012 kB\nMemFree: 1 kB\n")
                .file(
                    "/proc/cpuinfo",
                    "processor\t: 0\nmodel name\t: Xeon 8480C\nphysical id\t: 0\n\n"
                        + "processor\t: 1\nmodel name\t: Xeon 8480C\nphysical id\t: 1\n")
                .file("/sys/devices/system/node/node0/meminfo", "")
                .file("/sys/devices/system/node/node1/meminfo", "")
                .file("/sys/devices/system/node/possible", "0-1")
                .file("/etc/os-release", "NAME=x\nPRETTY_NAME=\"Ubuntu 22.04.5 LTS\"\n")
                .file(
                    "/proc/cmdline",
                    "BOOT_IMAGE=/vmlinuz root=UUID=1234 ro intel_iommu=on iommu=pt\n")
                .file("/proc/sys/vm/swappiness", "60\n")
                .file("/proc/sys/net/ipv4/tcp_rmem", "4096\t87380\t6291456\n")
                .file("/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n")
                .file(
                    "/proc/self/mountinfo",
                    "1 0 8:1 / / rw - ext4 /dev/sda1 rw\n"
                        + "2 1 0:9 / /home rw - nfs4 10.0.0.1:/home rw\n"
                        + "3 1 9:0 / /raid rw - xfs /dev/md0 rw\n"
                        + "4 1 0:8 / /var/lib/docker/overlay2/x rw - overlay overlay rw\n"
                        + "5 1 0:7 / /dev/shm rw - tmpfs tmpfs rw\n"));
    assertThat(facts)
        .containsEntry("memory.bytes", "2164088844288")
        .containsEntry("processor.model", "Xeon 8480C")
        .containsEntry("processor.count", "2")
        .containsEntry("processor.sockets", "2")
        .containsEntry("numa.nodes", "2")
        .containsEntry("os.name", "Ubuntu 22.04.5 LTS")
        .containsEntry("kernel.commandline", "ro intel_iommu=on iommu=pt")
        .containsEntry("sysctl.vm.swappiness", "60")
        .containsEntry("sysctl.net.ipv4.tcp_rmem", "4096 87380 6291456")
        .containsEntry("memory.hugepages.transparent", "madvise")
        .containsEntry("mount./home", "nfs4")
        .containsEntry("mount./raid", "xfs")
        .doesNotContainKeys("mount./", "mount./dev/shm", "gpu.count");
  }

  @Test
  void softwareIsKnownByItsFiles() {
    Map<String, String> facts =
        facts(
            new TestNode()
                .probe("environment", "VIRTUAL_ENV=/scratch/venv\nLD_LIBRARY_PATH=/opt/nccl/lib\n")
                .probe("packages", "nvidia-fabricmanager-580\t580.95.05-1\n")
                .file(
                    "/scratch/venv/lib/python3.12/site-packages/torch-2.9.0.dist-info/METADATA", "")
                .file(
                    "/scratch/venv/lib/python3.12/site-packages/torch/version.py",
                    "__version__ = '2.9.0+cu128'\ncuda: Optional[str] = '12.8'\nhip = None\n")
                .file("/usr/local/cuda/version.json", "{\"cuda\":{\"version\":\"12.8.1\"}}")
                .file("/opt/nccl/lib/libnccl.so.2", "")
                .file("/opt/nccl/lib/libnccl.so.2.27.5", "")
                .file("/usr/lib/x86_64-linux-gnu/libnvidia-container.so.1.17.8", ""));
    assertThat(facts)
        .containsEntry("cuda.version", "12.8.1")
        .containsEntry("torch.version", "2.9.0+cu128")
        .containsEntry("nccl.version", "2.27.5")
        .containsEntry("container.toolkit.version", "1.17.8")
        .containsEntry("package.nvidia-fabricmanager-580.version", "580.95.05-1");
  }

  @Test
  void aNodeOfWhichNothingCanBeReadHasNoFacts() {
    assertThat(facts(new TestNode())).isEmpty();
  }

  @Test
  void garbageGivesNoFactsAndNoFailure() {
    Map<String, String> facts =
        facts(
            new TestNode()
                .file("/proc/meminfo", "MemTotal: lots\n")
                .file("/proc/cpuinfo", "::::\n\0\n")
                .file("/proc/self/mountinfo", "x\n - \n")
                .file("/usr/local/cuda/version.json", "{")
                .file("/sys/class/net/eth0/speed", "-1")
                .link("/sys/class/net/eth0/device", "x")
                .probe("packages", "only-one-field\n\t\t\n")
                .probe("environment", "=\nX"));
    assertThat(facts).doesNotContainKeys("memory.bytes", "processor.count", "nic.eth0.rate");
  }
}
