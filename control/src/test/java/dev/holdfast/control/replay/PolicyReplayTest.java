package dev.holdfast.control.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.control.decide.Decider;
import dev.holdfast.control.decide.Input;
import dev.holdfast.control.decide.Wish;
import dev.holdfast.control.entry.Batch;
import dev.holdfast.control.entry.Entry;
import dev.holdfast.control.entry.Stand;
import dev.holdfast.control.state.ClusterState;
import dev.holdfast.control.testing.Rules;
import dev.holdfast.control.testing.Told;
import dev.holdfast.core.health.Accept;
import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.policy.Policy;
import dev.holdfast.core.policy.PolicyText;
import dev.holdfast.core.policy.PolicyYaml;
import dev.holdfast.core.policy.Rule;
import dev.holdfast.core.policy.Rung;
import dev.holdfast.core.policy.When;
import dev.holdfast.core.report.Report;
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
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class PolicyReplayTest {
  private static final Function<String, Policy> READER = it -> PolicyYaml.read("recorded", it);
  private static final Policy ACTING = Rules.usual();
  private static final Policy WATCHING =
      Rules.policy(ACTING.rules().stream().map(it -> it.enforced(false)).toArray(Rule[]::new));

  private final ClusterState state = new ClusterState();
  private final Map<String, Told> sources = new HashMap<>();
  private final List<Batch> journal = new ArrayList<>();
  private Decider decider = new Decider(state, WATCHING, READER);
  private Instant now = Instant.parse("2026-11-15T00:00:00Z");

  private void record(Policy policy) {
    decider = new Decider(state, policy, READER);
  }

  private void decide(Input input) {
    List<Entry> entries = decider.decide(input, now).entries();
    if (!entries.isEmpty()) {
      journal.add(Batch.of(new Batch(now, entries).line()));
    }
  }

  private void tell(String source, Statement... statements) {
    Told told = sources.computeIfAbsent(source, Told::new);
    List<Report> reports = Arrays.stream(statements).map(told::say).toList();
    decide(new Input.Reported(source, reports));
  }

  private void wish(Wish wish) {
    decide(new Input.Wished("ann", wish));
  }

  /** Time goes on as in the real engine, second by second. */
  private void pass(Duration time) {
    for (long i = 0; i < time.toSeconds(); i++) {
      now = now.plusSeconds(1);
      decide(new Input.Tick());
    }
  }

  private void cluster(int nodes) {
    for (int i = 0; i < nodes; i++) {
      tell("node/n" + i, Told.described("n" + i, "rack" + i / 4, "leaf" + i));
    }
  }

  private void mended(String node, int gpu) {
    tell(
        "node/" + node,
        new Statement.Cleared("gpu.reachable", new Subject.Node(node).gpu(gpu), "is back"));
  }

  /** The record goes on as far as its last entry. */
  private void somethingElse() {
    tell("node/n9", Told.described("n9", "rack" + journal.size(), "leaf9"));
  }

  private Comparison replay(Policy first, Policy other) {
    PolicyReplay replay = new PolicyReplay(first, READER, other);
    journal.forEach(replay::add);
    return replay.compare();
  }

  @Test
  void theSamePolicyDecidesTheSameAndReproducesTheRecord() {
    record(ACTING);
    cluster(12);
    tell("run/j1", Told.job("j1", now.minusSeconds(10), "n2", "n3"));
    tell("node/n3", Told.lostGpu("n3", 5));
    pass(Duration.ofSeconds(20));
    Request asked = state.openActions("run/j1").getFirst().request();
    tell("run/j1", new Statement.Answered(asked.id(), Statement.Answer.DONE, "on its way"));
    tell("run/j1", Told.job("j1", now, "n2", "n4"));
    tell("node/n7", Told.linkDown("n7"));
    pass(Duration.ofMinutes(2));
    mended("n3", 5);
    Request verify =
        state.openActions("node/n3").stream()
            .map(it -> it.request())
            .filter(it -> it.kind() == Request.Kind.VERIFY)
            .findFirst()
            .orElseThrow();
    tell("node/n3", new Statement.Answered(verify.id(), Statement.Answer.FAILED, "not quite"));
    pass(Duration.ofMinutes(30));

    Comparison same = replay(ACTING, ACTING);
    assertThat(same.differences()).isEmpty();
    assertThat(same.recorded()).isEqualTo(2);
    assertThat(same.reproduced()).isEqualTo(2);
    assertThat(same.before()).isEqualTo(same.after());
    assertThat(same.before().takenOut()).isEqualTo(2);
    assertThat(same.before().restarts()).isOne();
  }

  @Test
  void enforcingARuleShowsWhatItWouldHaveDoneAndCost() {
    cluster(12);
    tell("node/n3", Told.lostGpu("n3", 5));
    pass(Duration.ofHours(2));
    mended("n3", 5);
    pass(Duration.ofMinutes(20));
    somethingElse();

    Comparison comparison = replay(WATCHING, ACTING);
    assertThat(comparison.differences()).hasSize(1);
    Difference difference = comparison.differences().getFirst();
    assertThat(difference.incident()).isEqualTo("i-1");
    assertThat(difference.subject()).isEqualTo("node/n3");
    assertThat(difference.before().orElseThrow().stand()).isEqualTo(Stand.RECOMMENDED);
    assertThat(difference.after().orElseThrow().stand()).isEqualTo(Stand.DONE);
    assertThat(difference.costBefore()).isEqualTo(Cost.NOTHING);
    // Eight devices for two hours, and the minute in which the check is taken to pass.
    assertThat(difference.hours()).isCloseTo(8 * (2 + 1 / 60.0), within(0.02));
    assertThat(comparison.after().takenOut()).isOne();
    assertThat(comparison.before().takenOut()).isZero();
  }

  @Test
  void anInterruptedJobIsChargedForWhatItRepeatsAndLeavesTheNode() {
    cluster(12);
    tell("run/j1", Told.job("j1", now.minusSeconds(10), "n2", "n3"));
    tell("node/n3", Told.lostGpu("n3", 5));
    pass(Duration.ofHours(1));
    tell("run/j1", Told.job("j1", now, "n2", "n3"));
    pass(Duration.ofMinutes(1));
    mended("n3", 5);
    somethingElse();

    Difference difference = replay(WATCHING, ACTING).differences().getFirst();
    assertThat(difference.after().orElseThrow().rung()).isEqualTo(Rung.DRAIN_NOW);
    assertThat(difference.after().orElseThrow().stand()).isEqualTo(Stand.DONE);
    assertThat(difference.costAfter().restarts()).isCloseTo(16 * 190 / 3600.0, within(0.001));
    assertThat(difference.costAfter().out()).isCloseTo(8 * 1.0, within(0.05));
  }

  @Test
  void aDrainAfterTheJobCostsNothingWhileTheJobGoesOn() {
    cluster(12);
    tell("run/j1", Told.job("j1", now.minusSeconds(10), "n7", "n8"));
    tell("node/n7", Told.linkDown("n7"));
    pass(Duration.ofMinutes(30));
    somethingElse();

    Difference difference = replay(WATCHING, ACTING).differences().getFirst();
    assertThat(difference.after().orElseThrow().rung()).isEqualTo(Rung.DRAIN_AFTER_JOB);
    assertThat(difference.after().orElseThrow().stand()).isEqualTo(Stand.ACTING);
    assertThat(difference.hours()).isZero();
  }

  @Test
  void aPolicySetInTheRecordHeldFromThenOn() {
    cluster(12);
    wish(new Wish.SetPolicy(PolicyText.of(ACTING)));
    tell("node/n3", Told.lostGpu("n3", 5));
    pass(Duration.ofMinutes(1));
    somethingElse();

    assertThat(replay(WATCHING, ACTING).differences()).isEmpty();
    Comparison back = replay(WATCHING, WATCHING);
    assertThat(back.reproduced()).isOne();
    assertThat(back.differences())
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.before().orElseThrow().stand()).isEqualTo(Stand.DONE);
              assertThat(it.after().orElseThrow().stand()).isEqualTo(Stand.RECOMMENDED);
              assertThat(it.hours()).isNegative();
            });
  }

  @Test
  void whatAPersonApprovedIsApprovedThoughItHasAnotherNumber() {
    cluster(12);
    tell(
        "node/n1",
        Told.raised(
            "gpu.warm",
            new Subject.Node("n1").gpu(0),
            Finding.Kind.CONDITION,
            Severity.WARNING,
            FaultClass.HARDWARE));
    pass(Duration.ofMinutes(1));
    tell("node/n3", Told.lostGpu("n3", 5));
    assertThat(state.decisions()).hasSize(1);
    wish(new Wish.Approve("d-1", "yes"));
    pass(Duration.ofMinutes(1));

    When warm =
        new When(
            List.of("gpu.warm"),
            Set.of(),
            Severity.WARNING,
            Optional.empty(),
            Set.of(),
            When.JobState.ANY);
    List<Rule> rules = new ArrayList<>(WATCHING.rules());
    rules.add(Rules.rule("warm", warm, Rung.WATCH));
    Comparison comparison = replay(WATCHING, Rules.policy(rules.toArray(Rule[]::new)));
    assertThat(comparison.unmatchedWishes()).isZero();
    assertThat(comparison.differences())
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.subject()).isEqualTo("node/n1");
              assertThat(it.before()).isEmpty();
              assertThat(it.after().orElseThrow().rung()).isEqualTo(Rung.WATCH);
            });
  }

  @Test
  void aRecordedPauseHoldsTheNewPolicyToo() {
    cluster(12);
    wish(new Wish.Pause("work on the switches"));
    tell("node/n3", Told.lostGpu("n3", 5));
    pass(Duration.ofMinutes(1));

    Difference difference = replay(WATCHING, ACTING).differences().getFirst();
    assertThat(difference.after().orElseThrow().stand()).isEqualTo(Stand.HELD);
    assertThat(difference.after().orElseThrow().held()).contains("work on the switches");
    assertThat(difference.hours()).isZero();
  }

  @Test
  void anOperatorsOwnDrainIsNoDifference() {
    cluster(12);
    wish(new Wish.Drain("n4", false, "new disk"));
    pass(Duration.ofMinutes(5));
    wish(new Wish.Undrain("n4", "done"));
    pass(Duration.ofMinutes(5));
    Comparison comparison = replay(WATCHING, ACTING);
    assertThat(comparison.differences()).isEmpty();
    assertThat(comparison.after().takenOut()).isOne();
  }

  @Test
  void acceptIsWhatMakesTheDifference() {
    record(ACTING);
    cluster(12);
    tell("node/n3", Told.xid("n3", 5, 79, Optional.of(Proof.RECORDED)));
    tell("node/n4", Told.xid("n4", 5, 79, Optional.empty()));
    pass(Duration.ofSeconds(20));

    Comparison same = replay(ACTING, ACTING);
    assertThat(same.differences()).isEmpty();
    assertThat(same.reproduced()).isEqualTo(same.recorded());

    Comparison comparison = replay(ACTING, accepting(ACTING));
    assertThat(comparison.differences())
        .as("what an older agent told is decided as before")
        .filteredOn(it -> it.after().orElseThrow().stand() != Stand.RECOMMENDED)
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.subject()).isEqualTo("node/n3");
              assertThat(it.before().orElseThrow().stand()).isEqualTo(Stand.RECOMMENDED);
              assertThat(it.after().orElseThrow().stand()).isEqualTo(Stand.DONE);
            });
  }

  private static Policy accepting(Policy policy) {
    return new Policy(
        policy.name(),
        Accept.of(Proof.RECORDED),
        policy.rules(),
        policy.guard(),
        policy.windows(),
        policy.silence(),
        policy.offender(),
        policy.offenderWindow());
  }
}
