package dev.holdfast.core.topology;

import static dev.holdfast.core.topology.MachineText.core;
import static dev.holdfast.core.topology.MachineText.join;
import static dev.holdfast.core.topology.MachineText.many;
import static dev.holdfast.core.topology.MachineText.numa;
import static dev.holdfast.core.topology.MachineText.nvidia;
import static dev.holdfast.core.topology.MachineText.part;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** A share of a machine: what goes, what stays, and in which order. */
class RestrictionTest {
  private static final String XML =
      MachineText.xml(
          part("Package", 0, join(many(0, 2, i -> core(i, 2, 4)), numa(0), nvidia(0))),
          part("Package", 1, join(many(2, 2, i -> core(i, 2, 4)), numa(1), nvidia(1))));

  private static String left(String restriction) {
    return TreeText.of(Restriction.parse(restriction).apply(HwlocXml.read(XML)))
        .replaceAll(" pci .*", "");
  }

  @Test
  void aPartWithoutCpusGoesWithItsMemoryAndDevices() {
    assertThat(left("1,5"))
        .isEqualTo(
            """
            Machine#0 cpus 1,5 nodes 0
              Package#0 cpus 1,5 nodes 0
                NUMANode#0 cpus 1,5 nodes 0
                Core#1 cpus 1,5 nodes 0
                  PU#1 cpus 1 nodes 0
                  PU#5 cpus 5 nodes 0
                Bridge
                  PCIDev
                    OSDev name nvml0
            """);
  }

  @Test
  void aCoreThatLostItsFirstThreadComesAfterItsNeighbour() {
    assertThat(left("cpuset:1,4-5"))
        .containsSubsequence("Core#1 cpus 1,5", "Core#0 cpus 4 nodes 0");
  }

  @Test
  void memoryKeepsItsCpus() {
    assertThat(left("nodeset:1"))
        .startsWith("Machine#0 cpus 2-3,6-7 nodes 1\n  Package#1 cpus 2-3,6-7")
        .contains("nvml1")
        .doesNotContain("nvml0", "NUMANode#0");
  }

  @Test
  void aShareOfNothingIsRefusedWithBothSets() {
    assertThatThrownBy(() -> left("100"))
        .hasMessage("no CPU is left: the machine has 0-7, the restriction allows 100");
    assertThatThrownBy(() -> left("mem:7"))
        .hasMessage("no CPU is left: the machine has NUMA nodes 0-1, the restriction allows 7");
    assertThatThrownBy(() -> left("cpuset:")).hasMessage("'cpuset:' names no CPU and no NUMA node");
    assertThatThrownBy(() -> left("core:1"))
        .hasMessage("'core:1' begins with neither cpuset: nor nodeset:");
  }

  @Test
  void whatTheOwnerDisallowsIsNotThere() {
    String text =
        XML.replaceFirst(
            "<object type=\"Machine\"", "$0 allowed_cpuset=\"0x22\" allowed_nodeset=\"0x3\"");
    Topology machine = HwlocXml.read(text);
    assertThat(machine.cpus()).hasToString("1,5");
    assertThat(machine.numaNodes())
        .as("memory and devices stay though their CPUs may not be used")
        .hasSize(2);
    assertThat(machine.gpus()).hasSize(2);
    Topology fewer =
        HwlocXml.read(text.replace("allowed_nodeset=\"0x3\"", "allowed_nodeset=\"0x1\""));
    assertThat(fewer.numaNodes()).extracting(Part::number).containsExactly(0);
  }
}
