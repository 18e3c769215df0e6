package dev.holdfast.core.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The table of nvidia-smi topo -m, as printed, as pasted, and cut off. */
class TopoMatrixTest {
  private static final String TABLE =
      """
      $ nvidia-smi topo -m
      \t\u001B[4mGPU0\tGPU1\tNIC0\tNIC1\tNIC2\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\u001B[0m
      GPU0\t X \tNV18\tPIX\tSYS\tSYS\t0-3,8-11\t0\t\tN/A
      GPU1\tNV18\t X \tSYS\tNODE\tSYS\t4-7,12-15\t1\t\t4
      NIC0\tPIX\tSYS\t X \tSYS\tSYS
      NIC1\tSYS\tNODE\tSYS\t X \tSYS
      NIC2\tSYS\tSYS\tSYS\tSYS\t X

      Legend:

        X    = Self
        NV#  = Connection traversing a bonded set of # NVLinks

      NIC Legend:

        NIC0: mlx5_3
        NIC1: mlx5_7
      """;

  @Test
  void readsPlacesAndPairs() {
    Topology machine = TopoMatrix.read(TABLE);
    assertThat(machine.gpus())
        .extracting(Device::name, Device::vendor, gpu -> gpu.anchor().cpus().toString())
        .containsExactly(tuple("GPU0", "10de", "0-3,8-11"), tuple("GPU1", "10de", "4-7,12-15"));
    assertThat(machine.numaNodes()).extracting(Part::number).containsExactly(0, 1);
    assertThat(machine.devices(Device.Kind.NIC))
        .extracting(Device::name, nic -> nic.anchor().nodes().toString())
        .containsExactlyInAnyOrder(
            tuple("mlx5_3", "0"), tuple("mlx5_7", "1"), tuple("NIC2", "0-1"));
    Device one = machine.gpus().getFirst();
    Device other = machine.gpus().getLast();
    assertThat(machine.link(one, other)).isEqualTo(Link.NV);
    assertThat(machine.details().links().nvlinks(one, other)).isEqualTo(18);
    assertThat(other.fact("gpuNumaNode")).contains("4");
    assertThat(machine.details().notes())
        .anyMatch(note -> note.contains("other NUMA nodes are unknown"))
        .anyMatch(note -> note.contains("does not name NIC2"));
  }

  @Test
  void blanksAreAsGoodAsTabs() {
    Topology machine = TopoMatrix.read(TABLE.replace("\t", "    "));
    assertThat(machine.gpus())
        .extracting(gpu -> gpu.anchor().nodes().toString())
        .containsExactly("0", "1");
    assertThat(machine.gpus().getLast().fact("gpuNumaNode")).contains("4");
  }

  @Test
  void aGpuWithoutAPlaceHangsFromTheMachine() {
    Topology machine =
        TopoMatrix.read(
            """
            GPU0 GPU1 CPU Affinity NUMA Affinity
            GPU0 X SYS 0-3 0
            GPU1 SYS X N/A N/A
            """);
    assertThat(machine.gpus().getLast().anchor()).isSameAs(machine.root());
  }

  @Test
  void overlappingPlacesBecomeOne() {
    Topology machine =
        TopoMatrix.read(
            """
            GPU0 GPU1 CPU Affinity NUMA Affinity
            GPU0 X SYS 0-3 0
            GPU1 SYS X 0-7 0-1
            """);
    assertThat(machine.cpus()).isEqualTo(IdSet.range(0, 7));
    assertThat(machine.numaNodes()).hasSize(2);
    assertThat(machine.gpus()).allMatch(gpu -> gpu.anchor().nodes().equals(IdSet.of(0, 1)));
  }

  @Test
  void cutOffAndBrokenTablesNameTheLine() {
    for (List<String> wrong :
        List.of(
            List.of("hello", "no line is the head"),
            List.of("GPU0 GPU1 CPU Affinity\nGPU0 X SYS 0-3\n", "without a row for GPU1"),
            List.of("GPU0 GPU1 CPU Affinity\nGPU0 X SYS 0-3\nGPU1 SY", "line 3: GPU1 has 1 cell"),
            List.of("GPU0 GPU1 CPU Affinity\nGPU0 X ABC 0-3", "line 2: 'ABC' between GPU0"),
            List.of("GPU0 GPU1 CPU Affinity\nGPU2 X X 0-3", "line 2: a row for GPU0"),
            List.of("GPU0 GPU0 CPU Affinity\n", "a device twice"),
            List.of("GPU0 CPU Affinity\nGPU0 X 3-0", "line 2: CPU Affinity"),
            List.of("GPU0 CPU Affinity\nGPU0 X N/A", "no GPU has a CPU Affinity"))) {
      assertThatThrownBy(() -> TopoMatrix.read(wrong.getFirst()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(wrong.getLast());
    }
  }

  @Test
  void everyPrefixAndEveryFlippedCharacterIsATableOrASentence() {
    Random random = new Random(41);
    int read = 0;
    for (int i = 0; i < 2 * TABLE.length(); i++) {
      StringBuilder text = new StringBuilder(TABLE);
      if (i < TABLE.length()) {
        text.setLength(i);
      } else {
        text.setCharAt(random.nextInt(text.length()), (char) random.nextInt(128));
      }
      try {
        assertThat(TopologyReader.read(text.toString()).gpus()).isNotEmpty();
        read++;
      } catch (IllegalArgumentException e) {
        assertThat(e).hasMessageMatching("(?s).{10,}");
      }
    }
    assertThat(read).isPositive();
  }
}
