package dev.holdfast.core.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.core.topology.bind.MemoryFirst;
import dev.holdfast.core.topology.bind.TaskRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Whatever tool wrote it, the reader knows which. */
class TopologyReaderTest {
  private static final Path DATA =
      Path.of(System.getProperty("holdfast.root", "..")).resolve("../shared/data");

  @Test
  void knowsEachForm() {
    assertThat(
            TopologyReader.read("\uFEFF\n<system><cpu numaid='0' affinity='3'/></system>")
                .details()
                .source())
        .isEqualTo("NCCL topology XML");
    assertThat(
            TopologyReader.read("GPU0 CPU Affinity NUMA Affinity\nGPU0 X 0-3 0").details().source())
        .isEqualTo("nvidia-smi topo -m");
    assertThat(
            TopologyReader.read(
                    "<topology version='2.0'><object type='Machine' cpuset='0x1'>"
                        + "<object type='PU' os_index='0' cpuset='0x1'/></object></topology>")
                .details()
                .source())
        .startsWith("hwloc");
  }

  @Test
  void listsWhatIsAccepted() {
    for (String text : List.of("", " \n", "hello", "<nvidia_smi_log/>", "{\"a\":1}", "\0\0")) {
      assertThatThrownBy(() -> TopologyReader.read(text))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("lstopo --of xml")
          .hasMessageContaining("NCCL_TOPO_DUMP_FILE")
          .hasMessageContaining("nvidia-smi topo -m");
    }
  }

  @TestFactory
  Stream<DynamicTest> readsTheRecordedMachines() {
    assumeTrue(Files.isDirectory(DATA), "the recorded machines are not here: " + DATA.normalize());
    return Stream.of(
            "topologies/ncv4-topo.xml 4 0",
            "topologies/ndv2-topo.xml 8 1",
            "topologies/ndv4-topo.xml 8 8",
            "topologies/ndv5-topo.xml 8 8",
            "topologies/dgx-a100-topo-m.txt 8 12",
            "topologies/96em64t-4n4d3ca2co-pci.xml 0 0",
            "h200/topo.txt 1 0")
        .map(line -> line.split(" "))
        .map(words -> DynamicTest.dynamicTest(words[0], () -> compare(words)));
  }

  private static void compare(String[] words) throws IOException {
    Topology machine = TopologyReader.read(Files.readString(DATA.resolve(words[0])));
    assertThat(machine.gpus()).hasSize(Integer.parseInt(words[1]));
    assertThat(machine.devices(Device.Kind.NIC)).hasSize(Integer.parseInt(words[2]));
    assertThat(MemoryFirst.map(machine, TaskRequest.of(4)))
        .hasSize(4)
        .allMatch(task -> !task.cpus().isEmpty());
  }

  @Test
  void aGraphFileIsToldApart() throws IOException {
    Path graph = DATA.resolve("topologies/ncv4-graph.xml");
    assumeTrue(Files.exists(graph), "the recorded machines are not here: " + DATA.normalize());
    String text = Files.readString(graph);
    assertThatThrownBy(() -> TopologyReader.read(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("NCCL_TOPO_DUMP_FILE");
  }
}
