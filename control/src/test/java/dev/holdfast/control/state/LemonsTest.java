package dev.holdfast.control.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.control.entry.Cause;
import dev.holdfast.control.entry.IncidentEntry;
import dev.holdfast.control.entry.NodeEntry;
import dev.holdfast.control.entry.Service;
import dev.holdfast.control.testing.Rules;
import dev.holdfast.control.testing.Told;
import dev.holdfast.core.report.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LemonsTest {
  private static final Instant BEGIN = Instant.parse("2026-10-01T00:00:00Z");
  private static final Instant END = BEGIN.plus(Duration.ofDays(30));

  private final ClusterState state = new ClusterState();
  private int incidents;

  private record Fault(String node, Instant at) {}

  private static void nodes(ClusterState state, int count) {
    for (int i = 0; i < count; i++) {
      state.apply(
          new NodeEntry.Described(((Statement.Described) Told.described("n" + i, "r", "l")).node()),
          BEGIN);
    }
  }

  private String fault(String node, Cause cause, Instant at) {
    String id = "i-" + ++incidents;
    fault(state, id, node, cause, at);
    return id;
  }

  private static void fault(ClusterState state, String id, String node, Cause cause, Instant at) {
    state.apply(new IncidentEntry.Opened(id, cause, "it failed", ""), at);
    state.apply(new NodeEntry.Moved(node, Service.DRAINED, id, "holdfast", "why"), at);
    state.apply(new NodeEntry.Moved(node, Service.IN, "", "holdfast", "verified"), at);
  }

  private Lemons lemons() {
    return new Lemons(state, Rules.usual(), END);
  }

  /** A month of a fleet whose nodes fail by chance, {@code times} as often on the first. */
  private static ClusterState month(Random random, int nodes, double perMonth, double times) {
    ClusterState state = new ClusterState();
    nodes(state, nodes);
    List<Fault> faults = new ArrayList<>();
    for (int i = 0; i < nodes; i++) {
      double days = 0;
      double rate = perMonth / 30 * (i == 0 ? times : 1);
      while ((days -= Math.log(1 - random.nextDouble()) / rate) < 30) {
        faults.add(new Fault("n" + i, BEGIN.plusSeconds((long) (days * 86_400))));
      }
    }
    faults.sort(Comparator.comparing(Fault::at));
    for (int i = 0; i < faults.size(); i++) {
      Fault each = faults.get(i);
      fault(state, "i-" + (i + 1), each.node(), new Cause("node", each.node()), each.at());
    }
    return state;
  }

  private static long named(ClusterState state) {
    return new Lemons(state, Rules.usual(), END)
        .nodes().rows().stream().filter(Lemons.Row::lemon).count();
  }

  @Test
  void inAFleetWhereAllAreAlikeFewerThanOneLookInTwentyNamesAnybody() {
    int seeds = 300;
    for (double perMonth : new double[] {0.05, 0.3, 1, 4}) {
      int fleets = 0;
      for (int seed = 1; seed <= seeds; seed++) {
        fleets += named(month(new Random(seed), 200, perMonth, 1)) > 0 ? 1 : 0;
      }
      // 5 % of 300 are 15; more than 26 would happen by chance once in 200 tries.
      assertThat(fleets).as(perMonth + " faults a month").isLessThanOrEqualTo(26);
    }
  }

  @Test
  void aNodeThatFailsTwentyTimesAsOftenIsNearlyAlwaysNamed() {
    int found = 0;
    int seeds = 100;
    for (int seed = 1; seed <= seeds; seed++) {
      ClusterState fleet = month(new Random(seed), 200, 0.5, 20);
      found += new Lemons(fleet, Rules.usual(), END).offends("n0") ? 1 : 0;
    }
    assertThat(found).isGreaterThan(85);
  }

  @Test
  void theRowSaysHowManyWereToBeExpectedAndHowLikelySoManyAre() {
    nodes(state, 100);
    for (int i = 0; i < 20; i++) {
      fault("n" + i, new Cause("node", "n" + i), BEGIN.plus(Duration.ofDays(1)));
    }
    for (int i = 0; i < 5; i++) {
      fault("n50", new Cause("gpu", "node/n50/gpu/3"), BEGIN.plus(Duration.ofDays(2 + i)));
    }
    Lemons.Row row = lemons().nodes().rows().getFirst();
    assertThat(row.subject()).isEqualTo("node/n50");
    assertThat(row.faults()).isEqualTo(5);
    assertThat(row.expected()).isBetween(0.2, 0.21);
    assertThat(row.probability()).isLessThan(1e-4);
    assertThat(row.lemon()).isTrue();
    assertThat(lemons().nodes().rows().get(1).lemon()).isFalse();
    assertThat(lemons().devices().rows())
        .singleElement()
        .satisfies(it -> assertThat(it.subject()).isEqualTo("node/n50/gpu/3"));
    assertThat(lemons().offends("n50")).isTrue();
    assertThat(lemons().offends("n1")).isFalse();
  }

  @Test
  void whatManySharedIsNoFaultOfOne() {
    nodes(state, 50);
    for (int i = 0; i < 8; i++) {
      Instant at = BEGIN.plus(Duration.ofDays(i));
      String one = fault("n7", new Cause("nic", "node/n7/nic/mlx5_0/1"), at);
      String wide = "i-" + ++incidents;
      state.apply(new IncidentEntry.Opened(wide, new Cause("leaf", "l"), "the leaf", ""), at);
      state.apply(
          new IncidentEntry.Widened(wide, new Cause("leaf", "l"), List.of(one), "the leaf"), at);
    }
    assertThat(lemons().nodes().rows()).isEmpty();
  }

  @Test
  void aLoneNodeIsNotHeldAgainstNobody() {
    nodes(state, 1);
    for (int i = 0; i < 9; i++) {
      fault("n0", new Cause("node", "n0"), BEGIN.plus(Duration.ofDays(i)));
    }
    assertThat(lemons().nodes().rows()).singleElement().matches(it -> !it.lemon());
  }

  @Test
  void whatIsOlderThanTheWindowIsForgiven() {
    nodes(state, 50);
    for (int i = 0; i < 9; i++) {
      fault("n3", new Cause("node", "n3"), BEGIN.plus(Duration.ofDays(i)));
    }
    assertThat(lemons().offends("n3")).isTrue();
    assertThat(new Lemons(state, Rules.usual(), END.plus(Duration.ofDays(20))).offends("n3"))
        .isFalse();
  }
}
