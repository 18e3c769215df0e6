package dev.holdfast.doctor.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.core.topology.Device;
import dev.holdfast.core.topology.Link;
import dev.holdfast.core.topology.Topology;
import dev.holdfast.doctor.node.NodeView;
import dev.holdfast.doctor.node.RecordedFolder;
import dev.holdfast.doctor.node.Unavailable;
import dev.holdfast.doctor.testing.TestNode;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class NodeTopologyTest {
  private static NodeView fixture(String name) {
    return RecordedFolder.open(
        Path.of(System.getProperty("holdfast.root", "..")).resolve("fixtures/nodes/" + name));
  }

  @Test
  void aTrainingNodeHasItsGpusBesideTheirAdapters() {
    Topology machine = NodeTopology.of(fixture("clean"));

    assertThat(machine.numaNodes()).hasSize(2);
    assertThat(machine.gpus()).extracting(Device::name).hasSize(8).contains("GPU0", "GPU7");
    assertThat(machine.link(device(machine, "GPU0"), device(machine, "mlx5_0")))
        .isEqualTo(Link.PIX);
    assertThat(machine.link(device(machine, "GPU0"), device(machine, "mlx5_1")))
        .isEqualTo(Link.NODE);
    assertThat(machine.link(device(machine, "GPU0"), device(machine, "mlx5_4")))
        .isEqualTo(Link.SYS);
    assertThat(device(machine, "mlx5_0").fact("state")).contains("ACTIVE");
    assertThat(device(machine, "mlx5_0").fact("netDevices")).contains("ibp26s0");
  }

  @Test
  void linksThatEndAtSwitchesConnectEveryPair() {
    Topology machine = NodeTopology.of(fixture("clean"));
    Device first = device(machine, "GPU0");
    Device last = device(machine, "GPU7");
    assertThat(machine.link(first, last)).isEqualTo(Link.NV);
    assertThat(machine.details().links().nvlinks(first, last)).isEqualTo(18);
  }

  @Test
  void gpusHaveTheNumbersOfTheLibraryEvenWhereItsOrderIsNotThatOfTheBus() {
    Topology machine =
        NodeTopology.of(
            gpu(gpu(cpus(), "0000:01:00.0"), "0000:02:00.0")
                .nvml("gpu.0.pci.address=0000:02:00.0", "gpu.1.pci.address=0000:01:00.0")
                .node());
    assertThat(device(machine, "GPU0").pci()).isEqualTo("0000:02:00.0");
    assertThat(device(machine, "GPU1").pci()).isEqualTo("0000:01:00.0");
  }

  @Test
  void onlyWorkingLinksBetweenTheTwoGpusCount() {
    Topology machine =
        NodeTopology.of(
            gpu(gpu(cpus(), "0000:01:00.0"), "0000:02:00.0")
                .nvml(
                    "gpu.0.pci.address=0000:01:00.0",
                    "gpu.1.pci.address=0000:02:00.0",
                    "gpu.0.nvlink.0.state=active",
                    "gpu.0.nvlink.0.remote.type=gpu",
                    "gpu.0.nvlink.0.remote.address=0000:02:00.0",
                    "gpu.0.nvlink.1.state=inactive",
                    "gpu.0.nvlink.1.remote.type=gpu",
                    "gpu.0.nvlink.1.remote.address=0000:02:00.0")
                .node());
    Device one = device(machine, "GPU0");
    Device other = device(machine, "GPU1");
    assertThat(machine.details().links().nvlinks(one, other)).isEqualTo(1);
  }

  private static TestNode cpus() {
    return new TestNode().file("/sys/devices/system/cpu/online", "0-1");
  }

  private static TestNode gpu(TestNode node, String address) {
    String folder = "/sys/bus/pci/devices/" + address;
    return node.file(folder + "/class", "0x030200")
        .file(folder + "/vendor", "0x10de")
        .file(folder + "/device", "0x2330")
        .link(folder, "../../../devices/pci0000:00/" + address)
        .link(folder + "/driver", "../../bus/pci/drivers/nvidia");
  }

  private static Device device(Topology machine, String name) {
    return machine.devices().stream()
        .filter(device -> device.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aNodeThatTellsNothingIsUnavailable() {
    assertThatThrownBy(() -> NodeTopology.of(new TestNode().node()))
        .isInstanceOf(Unavailable.class)
        .hasMessageContaining("/sys/devices/system/cpu/online");
  }
}
