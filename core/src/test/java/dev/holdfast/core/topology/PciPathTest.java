package dev.holdfast.core.topology;

import static dev.holdfast.core.topology.MachineText.bridge;
import static dev.holdfast.core.topology.MachineText.core;
import static dev.holdfast.core.topology.MachineText.function;
import static dev.holdfast.core.topology.MachineText.hostBridge;
import static dev.holdfast.core.topology.MachineText.named;
import static dev.holdfast.core.topology.MachineText.numa;
import static dev.holdfast.core.topology.MachineText.part;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What lies between two devices, by their places in the tree, in the words of nvidia-smi. */
class PciPathTest {
  private static final Topology MACHINE =
      HwlocXml.read(
          MachineText.xml(
              part(
                  "Package",
                  0,
                  core(0, 1, 1),
                  numa(0),
                  hostBridge(
                      bridge(
                          bridge(gpu(0)),
                          bridge(nic(0, "0000:21:00.0"), nic(1, "0000:21:00.1")),
                          bridge(bridge(gpu(1)))),
                      bridge(nic(2, "0000:31:00.0"))),
                  hostBridge(bridge(gpu(2)))),
              part("Package", 1, core(1, 1, 1), numa(1), hostBridge(bridge(gpu(3))))));

  private static MachineText gpu(int number) {
    return function("0000:4%d:00.0".formatted(number), "10de", named("nvml" + number, 1, "NVML"));
  }

  private static MachineText nic(int number, String address) {
    return function(address, "15b3", named("mlx5_" + number, 3, ""));
  }

  private static Device device(String name) {
    return MACHINE.devices().stream()
        .filter(device -> device.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          GPU0,   GPU0,   SELF
          GPU0,   mlx5_0, PIX
          mlx5_0, mlx5_1, PIX
          GPU0,   GPU1,   PXB
          GPU1,   mlx5_1, PXB
          GPU0,   mlx5_2, PHB
          GPU0,   GPU2,   NODE
          GPU0,   GPU3,   SYS
          GPU2,   GPU3,   SYS
          """)
  void whatLiesBetween(String one, String other, Link expected) {
    assertThat(MACHINE.link(device(one), device(other))).isEqualTo(expected);
    assertThat(MACHINE.link(device(other), device(one))).isEqualTo(expected);
  }
}
