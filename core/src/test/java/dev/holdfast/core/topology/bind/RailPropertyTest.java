package dev.holdfast.core.topology.bind;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.topology.Device;
import dev.holdfast.core.topology.IdSet;
import dev.holdfast.core.topology.Topology;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What holds on every node, on made-up ones of every shape. */
class RailPropertyTest {
  private final Random random = new Random(7_041_776);

  @Test
  void whatHoldsOnEveryNode() {
    int withAdapters = 0;
    for (int round = 0; round < 400; round++) {
      int gpus = 1 + random.nextInt(10);
      Topology machine = node(gpus);
      int tasks = 1 + random.nextInt(12);
      RailRequest request = new RailRequest(tasks, 0, random.nextInt(3), Set.of(), Set.of());
      RailPlan plan = RailMatch.plan(machine, request, Optional.empty());
      assertThat(plan.tasks()).hasSize(tasks);
      assertThat(plan.tasks()).allMatch(task -> !task.cpus().isEmpty() && !task.gpus().isEmpty());
      wholeCores(machine, plan);
      ownCores(machine, plan);
      List<Device> usable =
          plan.nics().stream().filter(RailNic::usable).map(RailNic::device).toList();
      if (!usable.isEmpty()) {
        withAdapters++;
        everyGpuHasAnAdapter(plan, usable, gpus);
      }
      assertThat(plan.after().points()).isGreaterThanOrEqualTo(plan.before().points());
      assertThat(plan.toString())
          .isEqualTo(RailMatch.plan(machine, request, Optional.empty()).toString());
    }
    assertThat(withAdapters).isGreaterThan(200);
  }

  private Topology node(int gpus) {
    int nodes = 1 + random.nextInt(4);
    RailFixture node = new RailFixture(nodes, 1 + random.nextInt(16), 1 + random.nextInt(2));
    for (int i = 0; i < gpus; i++) {
      node.gpu(place(nodes), pciSwitch(), i);
    }
    int nics = random.nextInt(12);
    for (int i = 0; i < nics; i++) {
      Map<String, String> facts = new HashMap<>();
      if (random.nextInt(4) == 0) {
        facts.put("state", "DOWN");
      }
      if (random.nextInt(6) == 0) {
        facts.put("rateGbps", random.nextBoolean() ? "25" : "400");
      }
      node.nic(place(nodes), pciSwitch(), "mlx5_" + i, facts);
    }
    return node.build();
  }

  private int place(int nodes) {
    return random.nextInt(12) == 0 ? -1 : random.nextInt(nodes);
  }

  private String pciSwitch() {
    int number = random.nextInt(4);
    return number == 0 ? "" : "s" + number;
  }

  private static void wholeCores(Topology machine, RailPlan plan) {
    for (IdSet core : new RailPlaces(machine).cores()) {
      for (TaskBinding task : plan.tasks()) {
        assertThat(task.cpus().containsAll(core) || !task.cpus().intersects(core)).isTrue();
      }
    }
  }

  /** A rank shares a core only where it is said that there are too few. */
  private static void ownCores(Topology machine, RailPlan plan) {
    if (plan.notes().stream().anyMatch(note -> note.contains("neighbours share"))) {
      assertThat(fewerCoresThanRanksSomewhere(machine, plan)).isTrue();
      return;
    }
    IdSet seen = IdSet.EMPTY;
    for (TaskBinding task : plan.tasks()) {
      assertThat(task.cpus().intersects(seen)).isFalse();
      seen = seen.or(task.cpus());
    }
  }

  private static boolean fewerCoresThanRanksSomewhere(Topology machine, RailPlan plan) {
    RailPlaces places = new RailPlaces(machine);
    Map<IdSet, Integer> ranks = new HashMap<>();
    int lost = 0;
    for (TaskBinding task : plan.tasks()) {
      IdSet home = places.cpus(task.gpus());
      lost += home.isEmpty() ? 1 : 0;
      ranks.merge(home, 1, Integer::sum);
    }
    int everywhere = lost;
    return ranks.entrySet().stream()
        .anyMatch(
            entry ->
                places.cores().stream().filter(core -> core.intersects(entry.getKey())).count()
                    < plan.tasks().size() + everywhere);
  }

  private static void everyGpuHasAnAdapter(RailPlan plan, List<Device> usable, int gpus) {
    Map<Device, Set<Device>> gpusOfNic = new HashMap<>();
    for (TaskBinding task : plan.tasks()) {
      assertThat(task.nics()).isNotEmpty().isSubsetOf(usable);
      if (task.gpus().size() == 1) {
        gpusOfNic
            .computeIfAbsent(task.nics().getFirst(), _ -> new HashSet<>())
            .add(task.gpus().getFirst());
      }
    }
    assertThat(gpusOfNic.values())
        .allMatch(users -> users.size() <= RailPairs.share(gpus, usable.size()));
    assertThat(plan.ncclHcas())
        .containsExactlyInAnyOrderElementsOf(usable.stream().map(Device::name).toList());
  }
}
