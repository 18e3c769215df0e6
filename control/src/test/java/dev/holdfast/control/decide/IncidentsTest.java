package dev.holdfast.control.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.control.state.ClusterState;
import dev.holdfast.control.state.IncidentView;
import dev.holdfast.control.testing.Told;
import dev.holdfast.core.cluster.NodeDescription;
import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.policy.DefaultPolicy;
import dev.holdfast.core.policy.Policy;
import dev.holdfast.core.report.Statement;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What opens an incident, and what becomes one, under the policy that is shipped. */
class IncidentsTest {
  private static final Instant NOW = Instant.parse("2026-11-15T00:00:00Z");

  private final ClusterState state = new ClusterState();
  private final Map<String, Told> sources = new HashMap<>();
  private final Policy policy = DefaultPolicy.policy();
  private final Decider decider = new Decider(state, policy, _ -> policy);

  private void tell(String node, Statement statement) {
    Told told = sources.computeIfAbsent("node/" + node, Told::new);
    decider.decide(new Input.Reported("node/" + node, List.of(told.say(statement))), NOW);
  }

  private void describe(int node) {
    TreeMap<String, String> place = new TreeMap<>();
    place.put("rack", "rack" + node / 8);
    place.put("power", "row" + node / 32);
    TreeMap<String, String> versions = new TreeMap<>();
    versions.put("driver", node % 16 == 0 ? "new" : "old");
    String name = "n" + node;
    tell(
        name,
        new Statement.Described(new NodeDescription(name, "test", place, versions, List.of())));
  }

  private static Statement degraded(String node, int gpu) {
    return Told.raised(
        "gpu.clock.deficit",
        new Subject.Node(node).gpu(gpu),
        Finding.Kind.CONDITION,
        Severity.DEGRADED,
        FaultClass.HARDWARE);
  }

  @Test
  void aWarningThatNoRuleIsAboutOpensNoIncident() {
    describe(1);
    tell(
        "n1",
        Told.raised(
            "gpu.kernel.xid",
            new Subject.Node("n1").gpu(0),
            Finding.Kind.EVENT,
            Severity.WARNING,
            FaultClass.SOFTWARE));
    assertThat(state.findingsOf("n1")).hasSize(1);
    assertThat(state.incidents()).isEmpty();
  }

  @Test
  void aWarningThatARuleCountsOpensOne() {
    describe(1);
    tell(
        "n1",
        Told.raised(
            "nic.link.flap",
            new Subject.Node("n1").nic("mlx5_0", 1),
            Finding.Kind.EVENT,
            Severity.WARNING,
            FaultClass.NETWORK));
    assertThat(state.openIncidents()).hasSize(1);
  }

  @Test
  void racksThatFailTogetherAreTheRowTheyHangOn() {
    for (int i = 0; i < 128; i++) {
      describe(i);
    }
    for (int i = 0; i < 32; i++) {
      tell("n" + i, degraded("n" + i, 0));
    }
    assertThat(state.openIncidents())
        .singleElement()
        .satisfies(it -> assertThat(it.cause().toString()).isEqualTo("power row0"))
        .satisfies(it -> assertThat(it.findings()).hasSize(32));
  }

  @Test
  void whatARowExplainsIsNotTakenByADriverThatFewOfItsNodesHave() {
    for (int i = 0; i < 128; i++) {
      describe(i);
    }
    for (int i = 0; i < 32; i++) {
      tell("n" + i, degraded("n" + i, 0));
    }
    // Half of those with the new driver are hit by now, two of them in that row.
    for (int i = 48; i < 112; i += 16) {
      tell("n" + i, degraded("n" + i, 0));
    }
    assertThat(state.openIncidents())
        .extracting(IncidentView::cause)
        .extracting(Object::toString)
        .contains("power row0");
    assertThat(state.openIncidents())
        .filteredOn(it -> it.cause().toString().equals("power row0"))
        .singleElement()
        .satisfies(it -> assertThat(it.findings()).hasSize(32));
  }
}
