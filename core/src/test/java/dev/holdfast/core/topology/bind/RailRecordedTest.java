package dev.holdfast.core.topology.bind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.core.topology.Device;
import dev.holdfast.core.topology.IdSet;
import dev.holdfast.core.topology.Link;
import dev.holdfast.core.topology.Topology;
import dev.holdfast.core.topology.TopologyReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Rails on real machines whose right answer is known. */
class RailRecordedTest {
  private static final Path DATA =
      Path.of(System.getProperty("holdfast.root", "..")).resolve("../shared/data");

  @Test
  void dgxA100NeverUsesStorageAdaptersAndFollowsItsOddNodes() throws IOException {
    RailPlan plan = plan(machine("topologies/dgx-a100-topo-m.txt"), 8);
    assertThat(RailFixture.nics(plan))
        .containsExactly(
            "mlx5_0", "mlx5_1", "mlx5_2", "mlx5_3", "mlx5_6", "mlx5_7", "mlx5_8", "mlx5_9");
    assertThat(plan.tasks())
        .extracting(task -> task.memory().toString())
        .containsExactly("3", "3", "1", "1", "7", "7", "5", "5");
    assertThat(plan.tasks().get(0).cpus()).isEqualTo(IdSet.parse("48-55,176-183"));
    assertThat(plan.tasks().get(1).cpus()).isEqualTo(IdSet.parse("56-63,184-191"));
    assertThat(plan.nics().stream().filter(nic -> !nic.usable()))
        .extracting(RailNic::name)
        .containsExactly("mlx5_4", "mlx5_5", "mlx5_10", "mlx5_11");
    assertThat(plan.nics().get(4).why()).startsWith("storage or management: SYS to every GPU");
    assertThat(plan.ncclIbHca())
        .contains("=mlx5_0,mlx5_1,mlx5_2,mlx5_3,mlx5_6,mlx5_7,mlx5_8,mlx5_9");
    assertThat(plan.ucxNetDevices(plan.tasks().get(4))).contains("mlx5_6:1");
    assertThat(plan.after().points()).isEqualTo(100);
  }

  @Test
  void azureGpusGetTheAdapterOnTheirSwitch() throws IOException {
    for (String name : List.of("ndv4", "ndv5")) {
      Topology machine = machine("topologies/" + name + "-topo.xml");
      RailPlan plan = plan(machine, 8);
      assertThat(RailFixture.nics(plan)).doesNotHaveDuplicates().hasSize(8);
      for (TaskBinding task : plan.tasks()) {
        Device gpu = task.gpus().getFirst();
        assertThat(machine.link(gpu, task.nics().getFirst())).isEqualTo(Link.PIX);
        assertThat(task.memory()).isEqualTo(gpu.anchor().nodes());
        assertThat(gpu.anchor().cpus().containsAll(task.cpus())).isTrue();
      }
      assertThat(plan.ncclIbHca()).isEmpty();
      assertThat(plan.notes()).anyMatch(note -> note.contains("NCCL_IB_HCA"));
      assertThat(plan.after().points()).isEqualTo(100);
    }
    assertThat(plan(machine("topologies/ndv4-topo.xml"), 8).tasks())
        .extracting(task -> task.memory().toString() + " " + task.nics().getFirst())
        .containsExactly(
            "1 0101:00:00.0",
            "1 0102:00:00.0",
            "0 0103:00:00.0",
            "0 0104:00:00.0",
            "3 0105:00:00.0",
            "3 0106:00:00.0",
            "2 0107:00:00.0",
            "2 0108:00:00.0");
  }

  @Test
  void eightGpusShareTheOneAdapterOfNdv2() throws IOException {
    RailPlan plan = plan(machine("topologies/ndv2-topo.xml"), 8);
    assertThat(RailFixture.nics(plan)).containsOnly("0101:00:00.0");
    assertThat(plan.tasks().get(3).cpus()).isEqualTo(IdSet.range(15, 19));
    assertThat(plan.tasks().get(4).cpus()).isEqualTo(IdSet.range(20, 24));
  }

  @Test
  void ncv4HasNoRdmaAdapterAndANodeForEachGpu() throws IOException {
    RailPlan plan = plan(machine("topologies/ncv4-topo.xml"), 4);
    assertThat(RailFixture.nics(plan)).containsOnly("");
    assertThat(plan.tasks())
        .extracting(task -> task.cpus().toString())
        .containsExactly("0-23", "24-47", "48-71", "72-95");
    assertThat(plan.notes()).anyMatch(note -> note.contains("no RDMA adapter"));
  }

  @Test
  void oneGpuGetsTheWholeNode() throws IOException {
    RailPlan plan = plan(machine("h200/topo.txt"), 1);
    assertThat(plan.tasks().getFirst().cpus()).isEqualTo(IdSet.range(0, 15));
    assertThat(plan.ncclHcas()).isEmpty();
    assertThat(plan.after().points()).isEqualTo(100);
  }

  private static RailPlan plan(Topology machine, int tasks) {
    return RailMatch.plan(machine, RailRequest.of(tasks), Optional.empty());
  }

  private static Topology machine(String name) throws IOException {
    Path file = DATA.resolve(name);
    assumeTrue(Files.exists(file), "the recorded machine is not here: " + file.normalize());
    return TopologyReader.read(Files.readString(file));
  }
}
