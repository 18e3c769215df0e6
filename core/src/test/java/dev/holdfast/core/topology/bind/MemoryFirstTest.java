package dev.holdfast.core.topology.bind;

import static dev.holdfast.core.topology.MachineText.core;
import static dev.holdfast.core.topology.MachineText.gpuMemory;
import static dev.holdfast.core.topology.MachineText.join;
import static dev.holdfast.core.topology.MachineText.many;
import static dev.holdfast.core.topology.MachineText.named;
import static dev.holdfast.core.topology.MachineText.numa;
import static dev.holdfast.core.topology.MachineText.nvidia;
import static dev.holdfast.core.topology.MachineText.part;
import static dev.holdfast.core.topology.MachineText.pci;
import static dev.holdfast.core.topology.MachineText.xml;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.core.topology.Device;
import dev.holdfast.core.topology.HwlocXml;
import dev.holdfast.core.topology.MachineText;
import dev.holdfast.core.topology.Restriction;
import dev.holdfast.core.topology.Topology;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The rules of the mapping on machines whose answers were worked out by hand. */
class MemoryFirstTest {
  private static final int[] TRENTO_GPUS = {4, 5, 2, 3, 6, 7, 0, 1};

  /** 64 cores with two threads, 4 NUMA nodes, 8 caches, and a GPU at each cache out of order. */
  private static Topology trento() {
    return HwlocXml.read(
        xml(
            part(
                "Package",
                0,
                many(0, 4, i -> part("Group", -1, numa(i), l3(2 * i), l3(2 * i + 1))))));
  }

  private static MachineText l3(int index) {
    int gpu = TRENTO_GPUS[index];
    return part(
        "L3Cache",
        -1,
        join(
            many(8 * index, 8, i -> part("L2Cache", -1, core(i, 2, 64))),
            pci("0000:%02x:00.0".formatted(0xc0 + index), "1002", named("rsmi" + gpu, 1, "RSMI"))));
  }

  /** Two packages with a NUMA node each. */
  private static Topology twoPackages(int cores, int threads, int gpusOfFirst, int gpusOfSecond) {
    MachineText[] packages = new MachineText[2];
    int gpu = 0;
    for (int i = 0; i < 2; i++) {
      List<MachineText> inside =
          join(many(i * cores, cores, c -> core(c, threads, 2 * cores)), numa(i));
      for (int g = 0; g < (i == 0 ? gpusOfFirst : gpusOfSecond); g++) {
        inside.add(nvidia(gpu++));
      }
      packages[i] = part("Package", i, inside);
    }
    return HwlocXml.read(xml(packages));
  }

  private static String map(Topology machine, int tasks, int threads, int smt) {
    return map(machine, new TaskRequest(tasks, threads, smt, true, true));
  }

  /** A line a task: threads, CPUs, GPUs. */
  private static String map(Topology machine, TaskRequest request) {
    return MemoryFirst.map(machine, request).stream()
        .map(
            task ->
                "%d: %s gpus %s"
                    .formatted(
                        task.threads(),
                        task.cpus(),
                        task.gpus().stream().map(Device::id).collect(Collectors.joining(","))))
        .collect(Collectors.joining("\n"))
        .replace(" gpus \n", "\n")
        .replaceFirst(" gpus $", "");
  }

  @Test
  void aTaskGetsTheGpuOfItsCacheWhateverTheGpusNumber() {
    assertThat(map(trento(), 8, 0, 0))
        .isEqualTo(
            """
            8: 0-7 gpus 4
            8: 8-15 gpus 5
            8: 16-23 gpus 2
            8: 24-31 gpus 3
            8: 32-39 gpus 6
            8: 40-47 gpus 7
            8: 48-55 gpus 0
            8: 56-63 gpus 1""");
  }

  @Test
  void aSingleGreedyTaskGetsEveryThreadAndAllGpusInTheOrderOfTheTree() {
    assertThat(map(trento(), 1, 0, 0)).isEqualTo("128: 0-127 gpus 4,5,2,3,6,7,0,1");
    assertThat(map(trento(), 1, 3, 0)).isEqualTo("3: 0-127 gpus 4,5,2,3,6,7,0,1");
    assertThat(map(trento(), 3, 0, 1))
        .as("three tasks share four nodes, the first gets two; smt plays no part")
        .isEqualTo(
            """
            64: 0-31,64-95 gpus 4,5,2,3
            32: 32-47,96-111 gpus 6,7
            32: 48-63,112-127 gpus 0,1""");
  }

  @Test
  void withoutGreedOneTaskStaysOnOneNode() {
    assertThat(map(trento(), new TaskRequest(1, 0, 0, false, true))).isEqualTo("16: 0-15 gpus 4,5");
  }

  @Test
  void fewThreadsHaveACacheEach() {
    assertThat(map(trento(), 4, 2, 0))
        .isEqualTo(
            """
            2: 0,8 gpus 4,5
            2: 16,24 gpus 2,3
            2: 32,40 gpus 6,7
            2: 48,56 gpus 0,1""");
    assertThat(map(trento(), 4, 1, 0))
        .as("one thread has the node to itself, from its first CPU")
        .startsWith("1: 0 gpus 4,5\n1: 16 gpus 2,3");
  }

  @Test
  void hardwareThreadsAreUsedWhenAskedForOrNeeded() {
    assertThat(map(trento(), 8, 0, 2)).startsWith("16: 0-7,64-71 gpus 4\n16: 8-15,72-79 gpus 5\n");
    assertThat(map(trento(), 4, 17, 0))
        .as("one thread more than cores")
        .startsWith("17: 0-15,64-79 gpus 4,5\n");
    assertThat(map(trento(), 4, 2, 1))
        .as("smt given: always cores")
        .startsWith("2: 0-15 gpus 4,5\n");
    assertThat(map(trento(), 16, 0, 0))
        .startsWith("4: 0-3 gpus 4\n4: 4-7 gpus 4\n4: 8-11 gpus 5\n4: 12-15 gpus 5\n");
  }

  @Test
  void aCoreKeepsTheGpuOfItsCacheAlone() {
    Topology core = Restriction.parse("0,64").apply(trento());
    assertThat(map(core, 2, 0, 0)).isEqualTo("1: 0 gpus 4\n1: 64 gpus 4");
    Topology node = Restriction.parse("nodeset:2").apply(trento());
    assertThat(map(node, 2, 0, 0)).isEqualTo("8: 32-39 gpus 6\n8: 40-47 gpus 7");
  }

  @Test
  void eightGpusOnTwoNodes() {
    assertThat(map(twoPackages(24, 2, 4, 4), 8, 0, 0))
        .isEqualTo(
            """
            6: 0-5 gpus 0
            6: 6-11 gpus 1
            6: 12-17 gpus 2
            6: 18-23 gpus 3
            6: 24-29 gpus 4
            6: 30-35 gpus 5
            6: 36-41 gpus 6
            6: 42-47 gpus 7""");
    assertThat(map(twoPackages(24, 2, 4, 4), 3, 0, 0))
        .as("equal remainders: the first node gets the third task")
        .isEqualTo(
            """
            12: 0-11 gpus 0,1
            12: 12-23 gpus 2,3
            24: 24-47 gpus 4,5,6,7""");
  }

  @Test
  void tasksGoWhereTheGpusAreUnlessToldOtherwise() {
    Topology lopsided = twoPackages(4, 2, 2, 0);
    assertThat(map(lopsided, 2, 0, 0)).isEqualTo("2: 0-1 gpus 0\n2: 2-3 gpus 1");
    assertThat(map(lopsided, new TaskRequest(2, 0, 0, true, false)))
        .isEqualTo("4: 0-3 gpus 0,1\n4: 4-7");
  }

  @Test
  void moreTasksThanCoresShareThem() {
    Topology machine = twoPackages(18, 2, 0, 0);
    List<String> all = map(machine, 72, 0, 0).lines().toList();
    assertThat(all).hasSize(72).startsWith("1: 0", "1: 36", "1: 1", "1: 37").endsWith("1: 71");
    assertThat(map(machine, 72, 0, 1).lines()).startsWith("1: 0", "1: 0", "1: 1", "1: 1");
    assertThat(map(machine, 36, 0, 0).lines()).startsWith("1: 0", "1: 1").endsWith("1: 35");
    assertThat(map(machine, 200, 0, 0).lines())
        .as("100 tasks on 18 cores: the first ten get six tasks, three on a thread")
        .startsWith("1: 0", "1: 0", "1: 0", "1: 36", "1: 36", "1: 36", "1: 1");
  }

  @Test
  void nodesAreTakenInTheOrderOfTheTreeAlsoWhereTwoHaveTheSameCpus() {
    Topology knl =
        HwlocXml.read(
            xml(
                part(
                    "Package",
                    0,
                    many(
                        0,
                        4,
                        i ->
                            part(
                                "Group",
                                -1,
                                numa(i),
                                numa(4 + i),
                                core(2 * i, 4, 8),
                                core(2 * i + 1, 4, 8))))));
    assertThat(map(knl, 8, 0, 0))
        .isEqualTo("2: 0-1\n2: 0-1\n2: 2-3\n2: 2-3\n2: 4-5\n2: 4-5\n2: 6-7\n2: 6-7");
    assertThat(map(knl, 4, 0, 0).lines())
        .as("eight nodes for four tasks: a cluster each")
        .startsWith("8: 0-1,8-9,16-17,24-25", "8: 2-3,10-11,18-19,26-27");
  }

  @Test
  void theMemoryOfAGpuIsNoPlaceForTasks() {
    Topology graceHopper =
        HwlocXml.read(
            xml(
                part(
                    "Package",
                    0,
                    join(many(0, 72, i -> core(i, 1, 72)), numa(0), gpuMemory(1), nvidia(0)))));
    assertThat(graceHopper.numaNodes()).hasSize(2);
    assertThat(map(graceHopper, 1, 0, 0)).isEqualTo("72: 0-71 gpus 0");
    assertThat(map(graceHopper, 2, 0, 0)).isEqualTo("36: 0-35 gpus 0\n36: 36-71 gpus 0");
  }

  @Test
  void levelZeroGpusCountOnceEach() {
    Topology machine =
        HwlocXml.read(
            xml(
                part(
                    "Package",
                    0,
                    join(
                        many(0, 4, i -> core(i, 1, 4)),
                        numa(0),
                        pci(
                            "0000:4d:00.0",
                            "8086",
                            named("card1", 1, ""),
                            named("ze0", 5, "LevelZero"),
                            named("opencl0d0", 5, "OpenCL")),
                        pci("0000:57:00.0", "8086", named("ze1", 5, "LevelZero"))))));
    assertThat(map(machine, 2, 0, 0)).isEqualTo("2: 0-1 gpus 0\n2: 2-3 gpus 1");
  }

  @Test
  void onlyGpusAManagementLibraryNumbersAreHandedOut() {
    Topology machine =
        HwlocXml.read(
            xml(
                part(
                    "Package",
                    0,
                    join(
                        many(0, 2, i -> core(i, 1, 2)),
                        numa(0),
                        named("nvml7", 1, "NVML"), // no PCI function around it
                        pci("0000:03:00.0", "102b", named("card0", 1, "")),
                        pci("0000:04:00.0", "10de", named("cuda0", 5, "CUDA")),
                        pci("0000:05:00.0", "1002", named("opencl0d1", 5, "OpenCL")),
                        pci(
                            "0000:0A:00.0",
                            "10de",
                            named("card1", 1, ""),
                            named("cuda1", 5, "CUDA"),
                            named("nvml12", 1, "NVML"))))));
    assertThat(map(machine, 1, 0, 0)).isEqualTo("2: 0-1 gpus 12");
    assertThat(machine.gpus().getFirst().pci()).isEqualTo("0000:0a:00.0");
    assertThat(machine.gpus().getFirst().vendor()).isEqualTo("10de");
  }

  @Test
  void gpusOfHwlocOneAreKnownByTheirNames() {
    String one =
        xml(
                "1.0",
                List.of(
                    part(
                        "NUMANode",
                        0,
                        part("Socket", 0, core(0, 1, 2), core(1, 1, 2)),
                        pci("0000:04:00.0", "10de", named("nvml0", 1, ""), named("card0", 1, "")))))
            .replace("cpuset=\"0x0\" nodeset=\"0x1\"", "cpuset=\"0x3\" nodeset=\"0x1\"");
    assertThat(map(HwlocXml.read(one), 2, 0, 0)).isEqualTo("1: 0 gpus 0\n1: 1 gpus 0");
  }

  @Test
  void moreHardwareThreadsThanACoreHasAreRefused() {
    assertThatThrownBy(() -> map(trento(), 8, 0, 3))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("smt: 3, but a core of this machine has 2 hardware threads");
    assertThatThrownBy(() -> map(twoPackages(4, 1, 0, 0), 8, 0, 2))
        .hasMessage("smt: 2, but a core of this machine has 1 hardware thread");
  }

  @Test
  void everyTaskUsesTheMemoryOfItsCpus() {
    assertThat(MemoryFirst.map(trento(), TaskRequest.of(8)).stream().map(TaskBinding::memory))
        .map(Object::toString)
        .containsExactly("0", "0", "1", "1", "2", "2", "3", "3");
  }
}
