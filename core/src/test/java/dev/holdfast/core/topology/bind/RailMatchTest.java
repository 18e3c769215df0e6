package dev.holdfast.core.topology.bind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.core.topology.Device;
import dev.holdfast.core.topology.IdSet;
import dev.holdfast.core.topology.Topology;
import dev.holdfast.core.topology.TopologyReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which rank gets which GPU, adapter, cores and memory. */
class RailMatchTest {
  @Test
  void eachGpuHasTheAdapterOfItsSwitchAndCoresOfItsNode() {
    RailPlan plan = plan(RailFixture.hgx().build(), 8);
    assertThat(RailFixture.nics(plan)).containsExactly(rails(0, 1, 2, 3, 4, 5, 6, 7));
    assertThat(plan.tasks().get(0).cpus()).isEqualTo(IdSet.parse("0-13,112-125"));
    assertThat(plan.tasks().get(7).cpus()).isEqualTo(IdSet.parse("98-111,210-223"));
    assertThat(plan.tasks().get(7).memory()).isEqualTo(IdSet.of(1));
    assertThat(plan.tasks().get(7).threads()).isEqualTo(14);
    assertThat(plan.after().points()).isEqualTo(100);
    assertThat(plan.before().points()).isBetween(50, 70);
    assertThat(plan.problems()).isEmpty();
  }

  @Test
  void oneAdapterDownMovesOnlyItsOwnGpu() {
    for (int down = 0; down < 8; down++) {
      RailFixture node = new RailFixture(2, 56, 2);
      for (int i = 0; i < 8; i++) {
        String state = i == down ? "DOWN" : "ACTIVE";
        node.gpu(i / 4, "s" + i, i)
            .nic(i / 4, "s" + i, "mlx5_" + i, Map.of("state", state))
            .nic(i / 4, "", "mlx5_" + (20 + i), Map.of("state", "ACTIVE"));
      }
      RailPlan plan = plan(node.build(), 8);
      List<String> nics = new ArrayList<>(RailFixture.nics(plan));
      String moved = nics.remove(down);
      List<String> others = new ArrayList<>(List.of(rails(0, 1, 2, 3, 4, 5, 6, 7)));
      others.remove(down);
      assertThat(nics).isEqualTo(others);
      assertThat(moved).isEqualTo("mlx5_" + (down / 4 * 4 + (down % 4 == 0 ? 1 : 0)));
      assertThat(plan.nics().get(down).why()).isEqualTo("port is DOWN");
      assertThat(plan.ncclHcas()).hasSize(7).doesNotContain("mlx5_" + down);
    }
  }

  @Test
  void fewerAdaptersThanGpusAreSharedByNeighbours() {
    RailFixture node = new RailFixture(2, 48, 2);
    for (int i = 0; i < 8; i++) {
      node.gpu(i / 4, "s" + i / 2, i);
    }
    for (int i = 0; i < 4; i++) {
      node.nic(i / 2, "s" + i, "mlx5_" + i, Map.of());
    }
    assertThat(RailFixture.nics(plan(node.build(), 8)))
        .containsExactly(rails(0, 0, 1, 1, 2, 2, 3, 3));
  }

  @Test
  void sixteenAdaptersAreTwoForEachGpu() {
    RailFixture node = new RailFixture(2, 48, 2);
    for (int i = 0; i < 8; i++) {
      node.gpu(i / 4, "s" + i, i)
          .nic(i / 4, "s" + i, "mlx5_" + 2 * i, Map.of())
          .nic(i / 4, "s" + i, "mlx5_" + (2 * i + 1), Map.of());
    }
    RailPlan plan = plan(node.build(), 8);
    assertThat(RailFixture.nics(plan)).startsWith("mlx5_0+mlx5_1").endsWith("mlx5_14+mlx5_15");
    assertThat(plan.ncclHcas()).hasSize(16);
    assertThat(plan.ucxNetDevices(plan.tasks().get(1))).contains("mlx5_2:1,mlx5_3:1");
    assertThat(plan.after().points()).isEqualTo(100);
  }

  @Test
  void withoutAdaptersThereIsStillABinding() {
    RailFixture node = new RailFixture(2, 8, 1).gpu(0, "", 0).gpu(1, "", 1);
    RailPlan plan = plan(node.build(), 2);
    assertThat(plan.tasks().get(1).cpus()).isEqualTo(IdSet.range(8, 15));
    assertThat(plan.ncclIbHca()).isEmpty();
    assertThat(plan.notes()).contains("there is no RDMA adapter: no adapter is chosen");
    assertThat(plan.after().points()).isEqualTo(100);
  }

  @Test
  void unplacedGpusGetCoresThatNobodyElseNeeds() {
    RailFixture node = new RailFixture(4, 8, 1);
    for (int i = 0; i < 6; i++) {
      node.gpu(i / 2, "", i);
    }
    RailPlan plan = plan(node.gpu(-1, "", 6).gpu(-1, "", 7).build(), 8);
    assertThat(plan.tasks().get(6).cpus()).isEqualTo(IdSet.range(24, 27));
    assertThat(plan.tasks().get(7).cpus()).isEqualTo(IdSet.range(28, 31));
    assertThat(plan.notes()).anyMatch(note -> note.contains("GPUs of 2 ranks are"));
  }

  @Test
  void unplacedGpusGetTheirShareWhereNothingIsLeft() {
    RailFixture node = new RailFixture(2, 24, 1);
    for (int i = 0; i < 6; i++) {
      node.gpu(i / 3, "", i);
    }
    RailPlan plan = plan(node.gpu(-1, "", 6).gpu(-1, "", 7).build(), 8);
    requireOwnCores(plan);
    assertThat(plan.tasks()).allMatch(task -> task.cpus().count() >= 4);
    assertThat(plan.tasks().get(0).memory()).isEqualTo(IdSet.of(0));
  }

  @Test
  void amdGpusAreTreatedAlike() {
    RailFixture node = new RailFixture(2, 96, 2);
    for (int i = 0; i < 8; i++) {
      node.amdGpu(i / 4, "s" + i, i).nic(i / 4, "s" + i, "bnxt_re" + i, Map.of());
    }
    RailPlan plan = plan(node.build(), 8);
    assertThat(plan.ncclHcas()).startsWith("bnxt_re0").endsWith("bnxt_re7").hasSize(8);
    assertThat(plan.tasks().get(5).gpus().getFirst().vendor()).isEqualTo("1002");
    assertThat(plan.tasks().get(5).threads()).isEqualTo(24);
  }

  @Test
  void fewerRanksHaveBlocksOfGpusAndCoresForEach() {
    RailPlan plan = plan(RailFixture.hgx().build(), 3);
    assertThat(plan.tasks())
        .extracting(task -> String.join(",", task.gpus().stream().map(Device::id).toList()))
        .containsExactly("0,1,2", "3,4,5", "6,7");
    assertThat(plan.tasks())
        .extracting(task -> task.cpus().toString())
        .containsExactly("0-41,112-153", "42-83,154-195", "84-111,196-223");
    assertThat(plan.tasks().get(1).memory()).isEqualTo(IdSet.of(0, 1));
    assertThat(plan.tasks().get(1).nics()).hasSize(3);
    requireOwnCores(plan);
  }

  @Test
  void moreRanksThanGpusShareInOrder() {
    RailPlan plan = plan(RailFixture.hgx().build(), 16);
    assertThat(plan.tasks().get(1).gpus()).extracting(Device::id).containsExactly("0");
    assertThat(plan.tasks().get(2).gpus()).extracting(Device::id).containsExactly("1");
    requireOwnCores(plan);
    assertThat(plan.notes()).contains("16 ranks share 8 GPUs");
  }

  @Test
  void moreRanksThanCoresShareCoresAndSaySo() {
    RailFixture node = new RailFixture(1, 2, 2).gpu(0, "", 0);
    RailPlan plan = plan(node.build(), 4);
    assertThat(plan.tasks())
        .extracting(task -> task.cpus().toString())
        .containsExactly("0,2", "0,2", "1,3", "1,3");
    assertThat(plan.notes()).anyMatch(note -> note.contains("neighbours share"));
  }

  @Test
  void reservedCoresStayFreeUnlessARankWouldHaveNone() {
    RailRequest two = new RailRequest(8, 0, 2, Set.of(), Set.of());
    RailPlan plan = RailMatch.plan(RailFixture.hgx().build(), two, Optional.empty());
    IdSet used = IdSet.union(plan.tasks().stream().map(TaskBinding::cpus).toList());
    assertThat(used.intersects(IdSet.parse("0-1,56-57,112-113,168-169"))).isFalse();
    assertThat(used.count()).isEqualTo(2 * 108);
    Topology tiny = new RailFixture(1, 2, 1).gpu(0, "", 0).gpu(0, "", 1).build();
    RailPlan tight =
        RailMatch.plan(tiny, new RailRequest(2, 0, 1, Set.of(), Set.of()), Optional.empty());
    assertThat(tight.tasks().get(0).cpus()).isEqualTo(IdSet.of(0));
    assertThat(tight.notes()).anyMatch(note -> note.startsWith("no core is reserved"));
  }

  @Test
  void nodesWithoutGpusStayFree() {
    RailPlan plan = plan(new RailFixture(4, 8, 2).gpu(1, "", 0).build(), 1);
    assertThat(plan.tasks().getFirst().memory()).isEqualTo(IdSet.of(1));
    assertThat(plan.notes())
        .anyMatch(note -> note.contains("NUMA nodes 0,2-3") && note.contains("24 cores"));
  }

  @Test
  void gpusAreInTheOrderOfTheirNumbersWhereverTheyHang() {
    RailFixture node = new RailFixture(4, 16, 1);
    int[] order = {4, 5, 2, 3, 6, 7, 0, 1};
    for (int i = 0; i < 8; i++) {
      node.gpu(i / 2, "", order[i]);
    }
    assertThat(plan(node.build(), 8).tasks())
        .extracting(task -> task.gpus().getFirst().id() + ":" + task.memory())
        .containsExactly("0:3", "1:3", "2:1", "3:1", "4:0", "5:0", "6:2", "7:2");
  }

  @Test
  void withoutGpusTheDefaultPolicyIsProposed() {
    Topology machine = new RailFixture(1, 4, 1).build();
    assertThatThrownBy(() -> plan(machine, 2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("default policy");
  }

  @Test
  void threadsAreAsAskedAndTooManyAreSaid() {
    RailRequest request = new RailRequest(8, 64, 0, Set.of(), Set.of());
    RailPlan plan = RailMatch.plan(RailFixture.hgx().build(), request, Optional.empty());
    assertThat(plan.tasks()).allMatch(task -> task.threads() == 64);
    assertThat(plan.notes()).anyMatch(note -> note.startsWith("64 threads a rank"));
  }

  @Test
  void hardwareThreadsArePairedWhereTheSourceTellsOfNoCores() {
    Topology machine =
        TopologyReader.read(
            """
            GPU0 GPU1 CPU Affinity NUMA Affinity
            GPU0 X NV4 0-3,8-11 0
            GPU1 NV4 X 0-3,8-11 0
            """);
    RailPlan plan = plan(machine, 2);
    assertThat(plan.tasks())
        .extracting(task -> task.cpus().toString())
        .containsExactly("0-1,8-9", "2-3,10-11");
    assertThat(plan.notes()).anyMatch(note -> note.contains("paired by their numbers"));
  }

  private static void requireOwnCores(RailPlan plan) {
    Map<Integer, Integer> owner = new HashMap<>();
    for (TaskBinding task : plan.tasks()) {
      task.cpus().stream()
          .forEach(cpu -> assertThat(owner.put(cpu, task.number())).as("CPU %d", cpu).isNull());
    }
  }

  private static String[] rails(int... numbers) {
    return java.util.Arrays.stream(numbers).mapToObj(n -> "mlx5_" + n).toArray(String[]::new);
  }

  private static RailPlan plan(Topology machine, int tasks) {
    return RailMatch.plan(machine, RailRequest.of(tasks), Optional.empty());
  }
}
