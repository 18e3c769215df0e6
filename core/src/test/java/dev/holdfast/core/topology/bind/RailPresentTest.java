package dev.holdfast.core.topology.bind;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.topology.Device;
import dev.holdfast.core.topology.IdSet;
import dev.holdfast.core.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is said of a binding that is there already, and what it scores. */
class RailPresentTest {
  private static final Topology HGX = RailFixture.hgx().build();

  @Test
  void thePlanItselfHasNoProblemsAndTheSameScore() {
    List<PresentTask> present = asPlanned();
    RailPlan plan = plan(HGX, present);
    assertThat(plan.problems()).isEmpty();
    assertThat(plan.before()).isEqualTo(plan.after());
    assertThat(plan.before().marks()).hasSize(5).allMatch(mark -> mark.points() == 100);
  }

  @Test
  void eachFaultIsASentenceWithItsRemedy() {
    List<PresentTask> present = asPlanned();
    present.set(1, with(present.get(1), IdSet.parse("56-60"), IdSet.of(0), "mlx5_1"));
    present.set(2, with(present.get(2), present.get(2).cpus(), IdSet.of(1), "mlx5_2"));
    present.set(3, with(present.get(3), present.get(3).cpus(), IdSet.of(0), "mlx5_7"));
    RailPlan plan = plan(HGX, present);
    assertThat(plan.problems())
        .containsExactly(
            "rank 1: all of its 5 CPUs are away from NUMA node 0, where GPU1 is;"
                + " bind it to CPUs 14-27,126-139",
            "rank 2: its memory may come from NUMA node 1, but GPU2 is local to node 0;"
                + " bind it there",
            "rank 3: mlx5_7 is SYS to GPU3 while mlx5_3 is PIX; use mlx5_3",
            "ranks 1,4 share 5 cores (CPUs 56-60,168-172); give each rank cores of its own",
            "ranks 3,7 all use mlx5_7 while mlx5_3 is idle; give each rank the adapter of the plan");
    assertThat(plan.before().points()).isLessThan(plan.after().points());
  }

  @Test
  void unboundRanksAreOneSentenceEachAndOneForAll() {
    List<PresentTask> present = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      present.add(new PresentTask(HGX.cpus(), List.of("" + i), List.of(), IdSet.of(0, 1)));
    }
    RailPlan plan = plan(HGX, present);
    assertThat(plan.problems())
        .hasSize(9)
        .contains("ranks 0-7 share 112 cores (CPUs 0-223); give each rank cores of its own");
    RailPlan nothing = RailMatch.plan(HGX, RailRequest.of(8), Optional.empty());
    assertThat(plan.before()).isEqualTo(nothing.before());
    // Half of the CPUs and of the memory are local, no core is its own, adapters are well chosen.
    assertThat(plan.before().points()).isEqualTo(60);
  }

  @Test
  void devicesThatAreNotThereAndSharedGpusAreNamed() {
    List<PresentTask> present = asPlanned();
    present.set(
        0, new PresentTask(present.get(0).cpus(), List.of("9"), List.of("mlx5_70"), IdSet.EMPTY));
    present.set(
        1, new PresentTask(present.get(1).cpus(), List.of("GPU2"), List.of("mlx5_2"), IdSet.EMPTY));
    assertThat(plan(HGX, present).problems())
        .contains(
            "rank 0 has GPU 9, which this machine does not have",
            "rank 0 has adapter mlx5_70, which this machine does not have",
            "ranks 1-2 share GPU2; there is a GPU for each rank");
  }

  @Test
  void anAdapterNotForGpusIsNamedWithTheReason() {
    Topology machine = RailFixture.hgx().nic(0, "", "mlx5_8", Map.of()).build();
    List<PresentTask> present = asPlanned();
    present.set(0, with(present.get(0), present.get(0).cpus(), IdSet.of(0), "mlx5_8"));
    RailPlan plan = plan(machine, present);
    assertThat(plan.problems()).hasSize(1);
    assertThat(plan.problems().getFirst())
        .startsWith("rank 0: it uses mlx5_8 (storage or management: PHB")
        .endsWith("; use mlx5_0");
    assertThat(plan.before().marks()).contains(new Score.Mark("adapter near the GPU", 88));
  }

  @Test
  void manyProblemsAreCutShort() {
    Topology machine = new RailFixture(2, 256, 1).gpu(0, "", 0).gpu(1, "", 1).build();
    List<PresentTask> present = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      present.add(new PresentTask(IdSet.of(256 + i), List.of("0"), List.of(), IdSet.EMPTY));
    }
    RailPlan plan = RailMatch.plan(machine, RailRequest.of(200), Optional.of(present));
    assertThat(plan.problems()).hasSize(65);
    assertThat(plan.problems().getLast()).startsWith("and 13");
  }

  @Test
  void ranksMayBeFewerThanPlanned() {
    RailPlan plan = plan(HGX, asPlanned().subList(0, 3));
    assertThat(plan.problems()).containsExactly("3 ranks are bound, but the plan is for 8");
  }

  private static List<PresentTask> asPlanned() {
    List<PresentTask> present = new ArrayList<>();
    for (TaskBinding task : RailMatch.plan(HGX, RailRequest.of(8), Optional.empty()).tasks()) {
      present.add(
          new PresentTask(
              task.cpus(),
              task.gpus().stream().map(Device::id).toList(),
              task.nics().stream().map(Device::name).toList(),
              task.memory()));
    }
    return present;
  }

  private static PresentTask with(PresentTask task, IdSet cpus, IdSet memory, String nic) {
    return new PresentTask(cpus, task.gpuIds(), List.of(nic), memory);
  }

  private static RailPlan plan(Topology machine, List<PresentTask> present) {
    return RailMatch.plan(machine, RailRequest.of(8), Optional.of(present));
  }
}
