package dev.holdfast.control.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.control.entry.Batch;
import dev.holdfast.control.entry.TrustEntry;
import dev.holdfast.control.state.ClusterState;
import dev.holdfast.control.state.DecisionView;
import dev.holdfast.control.state.Trust;
import dev.holdfast.control.testing.Rules;
import dev.holdfast.control.testing.Told;
import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.policy.Policy;
import dev.holdfast.core.policy.Rung;
import dev.holdfast.core.policy.When;
import dev.holdfast.core.report.Request;
import dev.holdfast.core.report.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The trust ledger and repeat offenders, through the deciding code. */
class JudgingItselfTest {
  private final ClusterState state = new ClusterState();
  private final Map<String, Told> sources = new HashMap<>();
  private final List<Batch> journal = new ArrayList<>();
  private Instant now = Instant.parse("2026-11-01T00:00:00Z");
  private Decider decider = new Decider(state, Rules.usual(), _ -> Rules.usual());

  private void decide(Input input) {
    journal.add(Batch.of(new Batch(now, decider.decide(input, now).entries()).line()));
  }

  private void tell(String source, Statement... statements) {
    Told told = sources.computeIfAbsent(source, Told::new);
    decide(new Input.Reported(source, Arrays.stream(statements).map(told::say).toList()));
  }

  private void wish(Wish wish) {
    decide(new Input.Wished("ann", wish));
  }

  private void cluster(int nodes) {
    for (int i = 0; i < nodes; i++) {
      tell("node/n" + i, Told.described("n" + i, "rack" + i, "leaf" + i / 4));
    }
  }

  private DecisionView last() {
    return List.copyOf(state.decisions()).getLast();
  }

  /** Out by a lost GPU, mended, verified, back. */
  private void failAndComeBack(String node) {
    tell("node/" + node, Told.lostGpu(node, 1));
    tell(
        "node/" + node,
        new Statement.Cleared("gpu.reachable", new Subject.Node(node).gpu(1), "reset"));
    String verify =
        state.openActions("node/" + node).stream()
            .map(it -> it.request())
            .filter(it -> it.kind() == Request.Kind.VERIFY)
            .map(Request::id)
            .findFirst()
            .orElseThrow();
    tell("node/" + node, new Statement.Answered(verify, Statement.Answer.DONE, "passed"));
    assertThat(state.node(node).orElseThrow().service().takesJobs()).isTrue();
  }

  @Test
  void whatWasDoneIsCountedAndWhatPeopleCallWrongOnce() {
    cluster(10);
    tell("run/j1", Told.job("j1", now, "n1", "n2"));
    tell("node/n1", Told.lostGpu("n1", 1));
    String killed = last().id();
    tell("node/n5", Told.lostGpu("n5", 1));
    String idle = last().id();
    assertThat(state.trust()).isEqualTo(new Trust(2, 0, 1, 0, 0));

    wish(new Wish.Wrong(idle, "the cable was pulled on purpose"));
    wish(new Wish.Wrong(idle, "once more"));
    assertThat(state.trust()).isEqualTo(new Trust(2, 1, 1, 0, 0));
    wish(new Wish.Wrong(killed, "the GPU was fine"));
    assertThat(state.trust()).isEqualTo(new Trust(2, 2, 1, 1, 0));

    wish(new Wish.Drain("n7", true, "new disk"));
    wish(new Wish.Wrong(last().id(), "I meant another"));
    assertThat(state.trust()).as("a person's own is not ours").isEqualTo(new Trust(2, 2, 1, 1, 0));
  }

  @Test
  void adviceThatWasWrongHurtNobodyButIsCounted() {
    Policy careful =
        Rules.policy(
            Rules.rule("look", Rules.fatal(FaultClass.HARDWARE), Rung.DRAIN_NOW).enforced(false));
    decider = new Decider(state, careful, _ -> careful);
    cluster(3);
    tell("node/n1", Told.lostGpu("n1", 1));
    wish(new Wish.Wrong(last().id(), "no"));
    assertThat(state.trust()).isEqualTo(new Trust(0, 0, 0, 0, 1));
  }

  @Test
  void withoutAnEventTheBoundIsThreeByTheTimeLookedAfter() {
    cluster(100);
    Instant later = now.plus(Duration.ofDays(30));
    double days = state.nodeDays(later);
    assertThat(days).isCloseTo(3000, within(1e-6));
    Trust.Rate rate = state.trust().rate(0, days);
    assertThat(rate.perThousand()).isZero();
    assertThat(rate.upper()).isCloseTo(1000 * 2.9957 / 3000, within(1e-3));
  }

  @Test
  void theCountersSurviveWhatTheyCountedBeingForgotten() {
    whatWasDoneIsCountedAndWhatPeopleCallWrongOnce();
    ClusterState copy = new ClusterState();
    journal.forEach(copy::apply);
    assertThat(copy.trust()).isEqualTo(state.trust());
    assertThat(copy.nodeDays(now.plusSeconds(60))).isEqualTo(state.nodeDays(now.plusSeconds(60)));

    ClusterState shortened = new ClusterState();
    shortened.apply(
        Batch.of(new Batch(now, List.of(new TrustEntry.Counted(2, 2, 1, 1, 0))).line()));
    assertThat(shortened.trust()).isEqualTo(state.trust());
  }

  @Test
  void aRuleForRepeatOffendersMeetsOnlyThem() {
    When offender =
        new When(
            List.of(),
            Set.of(),
            Severity.FATAL,
            Optional.empty(),
            Set.of(),
            When.JobState.ANY,
            true);
    Policy policy =
        Rules.policy(
            Rules.rule("lemon", offender, Rung.REPLACE),
            Rules.rule("broken", Rules.fatal(FaultClass.HARDWARE), Rung.DRAIN_NOW));
    decider = new Decider(state, policy, _ -> policy);
    cluster(100);
    for (int i = 0; i < 5; i++) {
      now = now.plus(Duration.ofDays(1));
      failAndComeBack("n" + (50 + i));
    }
    for (int i = 0; i < 3; i++) {
      now = now.plus(Duration.ofDays(1));
      failAndComeBack("n3");
      assertThat(last().made().rule()).as("fault " + i).isEqualTo("broken");
    }
    now = now.plus(Duration.ofDays(1));
    tell("node/n3", Told.lostGpu("n3", 1));
    assertThat(last().made().rule()).isEqualTo("lemon");
    now = now.plus(Duration.ofDays(1));
    tell("node/n50", Told.lostGpu("n50", 1));
    assertThat(last().made().rule()).isEqualTo("broken");
  }
}
