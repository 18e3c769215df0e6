package dev.holdfast.control.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.control.entry.Entry;
import dev.holdfast.control.entry.Service;
import dev.holdfast.control.entry.Stand;
import dev.holdfast.control.state.ActionView;
import dev.holdfast.control.state.ClusterState;
import dev.holdfast.control.state.DecisionView;
import dev.holdfast.control.state.IncidentView;
import dev.holdfast.control.testing.Rules;
import dev.holdfast.control.testing.Told;
import dev.holdfast.core.cluster.JobDescription;
import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.policy.Policy;
import dev.holdfast.core.policy.Rung;
import dev.holdfast.core.policy.When;
import dev.holdfast.core.report.Report;
import dev.holdfast.core.report.Request;
import dev.holdfast.core.report.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DeciderTest {
  private final ClusterState state = new ClusterState();
  private final Map<String, Told> sources = new HashMap<>();
  private Instant now = Instant.parse("2026-11-15T00:00:00Z");
  private Decider decider = decider(Rules.usual());

  private Decider decider(Policy policy) {
    return new Decider(state, policy, _ -> policy);
  }

  private List<Entry> tell(String source, Statement... statements) {
    Told told = sources.computeIfAbsent(source, Told::new);
    List<Report> reports = java.util.Arrays.stream(statements).map(told::say).toList();
    return decider.decide(new Input.Reported(source, reports), now).entries();
  }

  private Optional<String> wish(Wish wish) {
    return decider.decide(new Input.Wished("ann", wish), now).refused();
  }

  private void later(Duration time) {
    now = now.plus(time);
    decider.decide(new Input.Tick(), now);
  }

  private void cluster(int nodes, int perLeaf) {
    for (int i = 0; i < nodes; i++) {
      String name = "n" + i;
      tell("node/" + name, Told.described(name, "rack" + i / 4, "leaf" + i / perLeaf));
    }
  }

  private DecisionView decision(String incident) {
    return state
        .decision(state.incident(incident).orElseThrow().decisions().getLast())
        .orElseThrow();
  }

  private ActionView asked(String source, Request.Kind kind) {
    return state.openActions(source).stream()
        .filter(it -> it.request().kind() == kind)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aLostGpuOfAnIdleNodeDrainsItAndItComesBackOnlyThroughTheCheckThatFailed() {
    cluster(8, 4);
    tell("node/n3", Told.lostGpu("n3", 5));

    assertThat(state.openIncidents()).hasSize(1);
    assertThat(state.node("n3").orElseThrow().service()).isEqualTo(Service.DRAINED);
    assertThat(decision("i-1").stand()).isEqualTo(Stand.DONE);

    tell(
        "node/n3",
        new Statement.Cleared("gpu.reachable", new Subject.Node("n3").gpu(5), "answers again"));
    assertThat(state.node("n3").orElseThrow().service()).isEqualTo(Service.VERIFYING);
    ActionView verify = asked("node/n3", Request.Kind.VERIFY);
    assertThat(verify.request().checks()).containsExactly("gpu.reachable");

    tell(
        "node/n3",
        new Statement.Answered(verify.request().id(), Statement.Answer.DONE, "all passed"));
    assertThat(state.node("n3").orElseThrow().service()).isEqualTo(Service.IN);
    assertThat(state.openIncidents()).isEmpty();
    assertThat(asked("node/n3", Request.Kind.UNCORDON).request().subject())
        .isEqualTo(new Subject.Node("n3"));
  }

  @Test
  void aNodeThatFailsItsVerificationStaysOutAndIsTriedAgainLater() {
    cluster(8, 4);
    tell("node/n3", Told.lostGpu("n3", 5));
    tell(
        "node/n3",
        new Statement.Cleared("gpu.reachable", new Subject.Node("n3").gpu(5), "answers again"));
    ActionView first = asked("node/n3", Request.Kind.VERIFY);
    tell(
        "node/n3",
        new Statement.Answered(first.request().id(), Statement.Answer.FAILED, "gpu 5 is gone"));
    assertThat(state.node("n3").orElseThrow().service()).isEqualTo(Service.DRAINED);

    later(Duration.ofMinutes(1));
    assertThat(state.node("n3").orElseThrow().service()).isEqualTo(Service.DRAINED);
    later(Lifecycle.AGAIN);
    assertThat(state.node("n3").orElseThrow().service()).isEqualTo(Service.VERIFYING);
  }

  @Test
  void aPartThatOnlyWorksLessWellIsLeftAtTheNextCheckpoint() {
    cluster(8, 4);
    tell("run/j1", Told.job("j1", now.minusSeconds(1790), "n2", "n3"));
    tell("node/n3", Told.worse("n3", 5));

    assertThat(decision("i-1").made().rung()).isEqualTo(Rung.DRAIN_AT_CHECKPOINT);
    assertThat(decision("i-1").made().alternatives()).hasSize(2);
    assertThat(asked("run/j1", Request.Kind.STOP_AT_CHECKPOINT).request().subject())
        .isEqualTo(new Subject.Node("n3"));
    assertThat(state.node("n3").orElseThrow().service()).isEqualTo(Service.DRAINING);

    tell("run/j1", Told.job("j1", now, "n2", "n4"));
    assertThat(state.node("n3").orElseThrow().service()).isEqualTo(Service.DRAINED);
    assertThat(decision("i-1").stand()).isEqualTo(Stand.DONE);
  }

  @Test
  void withoutASpareNodeTheJobKeepsANodeThatOnlyWorksLessWell() {
    cluster(3, 3);
    tell("run/j1", Told.job("j1", now.minusSeconds(900), "n0", "n1", "n2"));
    tell("node/n1", Told.worse("n1", 5));
    DecisionView decision = decision("i-1");
    assertThat(decision.made().rung()).isEqualTo(Rung.DRAIN_AFTER_JOB);
    assertThat(decision.made().reason()).contains("no spare node", "5 % an hour", "after the job");
    assertThat(decision.made().alternatives()).hasSize(3);
    assertThat(asked("run/j1", Request.Kind.AVOID_NODE)).isNotNull();
  }

  @Test
  void aNodeThatFailedLatelyIsExpectedToFailSooner() {
    cluster(8, 4);
    for (int i = 0; i < 3; i++) {
      tell("node/n3", Told.lostGpu("n3", 1));
      tell(
          "node/n3",
          new Statement.Cleared("gpu.reachable", new Subject.Node("n3").gpu(1), "reset"));
      tell(
          "node/n3",
          new Statement.Answered(
              asked("node/n3", Request.Kind.VERIFY).request().id(),
              Statement.Answer.DONE,
              "passed"));
      now = now.plusSeconds(3600);
    }
    tell("run/j1", Told.job("j1", now.minusSeconds(60), "n2", "n3"));
    tell("node/n3", Told.worse("n3", 5));
    assertThat(List.copyOf(state.decisions()).getLast().made().reason())
        .contains("18 % an hour", "6 spare nodes");
  }

  private static Policy resetThen(Rung next) {
    return Rules.policy(
        new dev.holdfast.core.policy.Rule(
            "reset",
            Rules.fatal(FaultClass.HARDWARE),
            Rung.RESET_DEVICE,
            true,
            false,
            Duration.ofHours(24),
            Duration.ZERO,
            "a reset mends most of it"),
        Rules.rule("rest", Rules.fatal(FaultClass.HARDWARE), next));
  }

  private void resetAndMend(int gpu) {
    tell("node/n3", Told.lostGpu("n3", gpu));
    tell(
        "node/n3",
        new Statement.Answered(
            asked("node/n3", Request.Kind.RESET_DEVICE).request().id(),
            Statement.Answer.DONE,
            "reset"));
    tell(
        "node/n3", new Statement.Cleared("gpu.reachable", new Subject.Node("n3").gpu(gpu), "back"));
    now = now.plusSeconds(3600);
  }

  @Test
  void whatDidNotMendAFatalFaultGivesWayToTheNextRuleThatDoesMore() {
    decider = decider(resetThen(Rung.DRAIN_NOW));
    cluster(8, 4);
    resetAndMend(5);
    tell("node/n3", Told.lostGpu("n3", 5));
    DecisionView second = List.copyOf(state.decisions()).getLast();
    assertThat(second.made().rule()).isEqualTo("rest");
    assertThat(second.made().reason()).contains("reset was carried out there lately");
    assertThat(state.node("n3").orElseThrow().service()).isEqualTo(Service.DRAINED);
  }

  @Test
  void whereNoRuleDoesMoreItIsHeldUntilTheRestIsOverAndSaysWhy() {
    decider = decider(resetThen(Rung.WATCH));
    cluster(8, 4);
    resetAndMend(5);
    tell("node/n3", Told.lostGpu("n3", 5));
    DecisionView second = List.copyOf(state.decisions()).getLast();
    assertThat(second.made().rule()).isEqualTo("reset");
    assertThat(second.stand()).isEqualTo(Stand.HELD);
    assertThat(second.made().held()).contains("the same was done to it within the last 1440 min");
    later(Duration.ofHours(24));
    assertThat(asked("node/n3", Request.Kind.RESET_DEVICE)).isNotNull();
  }

  @Test
  void aStormOfOneFaultDoesNotPassOverTheRuleThatIsBeingCarriedOut() {
    decider = decider(resetThen(Rung.DRAIN_NOW));
    cluster(8, 4);
    for (int i = 0; i < 5; i++) {
      tell("node/n3", event(1));
      now = now.plusSeconds(1);
    }
    assertThat(state.decisions()).hasSize(1);
    assertThat(state.node("n3").orElseThrow().service()).isEqualTo(Service.IN);
  }

  @Test
  void aJobThatLostAPartIsTakenFromTheNodeAtOnceWhereverItsCheckpointsAre() {
    cluster(8, 4);
    tell("run/j1", Told.job("j1", now.minusSeconds(1790), "n2", "n3"));
    tell("node/n3", Told.lostGpu("n3", 5));
    assertThat(decision("i-1").made().rung()).isEqualTo(Rung.DRAIN_NOW);
    assertThat(asked("run/j1", Request.Kind.RESTART_JOB)).isNotNull();
  }

  @Test
  void aRuleThatIsNotEnforcedOnlyRecommendsAndAPersonMayFollowIt() {
    Policy policy = Rules.usual();
    decider =
        decider(
            Rules.policy(
                policy.rules().stream()
                    .map(it -> it.enforced(false))
                    .toArray(dev.holdfast.core.policy.Rule[]::new)));
    cluster(8, 4);
    tell("node/n3", Told.lostGpu("n3", 5));
    assertThat(decision("i-1").stand()).isEqualTo(Stand.RECOMMENDED);
    assertThat(state.node("n3").orElseThrow().service()).isEqualTo(Service.IN);

    assertThat(wish(new Wish.Approve(decision("i-1").id(), "yes"))).isEmpty();
    assertThat(state.node("n3").orElseThrow().service()).isEqualTo(Service.DRAINED);
    assertThat(wish(new Wish.Approve(decision("i-1").id(), "again")))
        .hasValueSatisfying(it -> assertThat(it).contains("already"));
  }

  @Test
  void aPauseHoldsEveryActionAndTheyGoOnWhenItEnds() {
    cluster(8, 4);
    wish(new Wish.Pause("maintenance of the switch"));
    tell("node/n3", Told.lostGpu("n3", 5));
    assertThat(decision("i-1").stand()).isEqualTo(Stand.HELD);
    assertThat(decision("i-1").made().held()).contains("person/ann", "maintenance of the switch");
    assertThat(state.node("n3").orElseThrow().service()).isEqualTo(Service.IN);

    wish(new Wish.Resume("done"));
    assertThat(state.node("n3").orElseThrow().service()).isEqualTo(Service.DRAINED);
  }

  @Test
  void whenHalfOfALeafLosesItsLinksItIsOneIncidentAndNoNodeIsTakenOut() {
    cluster(64, 16);
    for (int i = 16; i < 28; i++) {
      tell("node/n" + i, Told.linkDown("n" + i));
    }
    later(Duration.ofSeconds(6));
    assertThat(state.openIncidents()).hasSize(1);
    IncidentView incident = state.openIncidents().iterator().next();
    assertThat(incident.cause().toString()).isEqualTo("leaf leaf1");
    assertThat(incident.findings()).hasSize(12);
    assertThat(state.nodes()).allMatch(it -> it.service() == Service.IN);
  }

  @Test
  void oneLinkOfALeafIsThatNodesOwn() {
    cluster(64, 16);
    tell("node/n17", Told.linkDown("n17"));
    later(Duration.ofSeconds(6));
    assertThat(state.openIncidents().iterator().next().cause().kind()).isEqualTo("nic");
    assertThat(state.node("n17").orElseThrow().service()).isEqualTo(Service.DRAINED);
  }

  @Test
  void whenHundredsFailAtOnceTheGuardTripsAndSaysWhy() {
    cluster(200, 10);
    for (int i = 0; i < 200; i += 3) {
      tell("node/n" + i, Told.lostGpu("n" + i, 0));
    }
    assertThat(state.tripped())
        .hasValueSatisfying(it -> assertThat(it.why()).contains("10 nodes were taken out"));
    long out = state.nodes().stream().filter(it -> !it.service().takesJobs()).count();
    assertThat(out).isEqualTo(10);
    assertThat(state.openDecisions()).allMatch(it -> it.stand() == Stand.HELD);

    wish(new Wish.ResetGuard("looked at it"));
    long more = state.nodes().stream().filter(it -> !it.service().takesJobs()).count();
    assertThat(more).as("the burst is counted within its window").isEqualTo(10);
  }

  @Test
  void whatWasSaidTwiceIsAppliedOnceAndAGapIsWaitedFor() {
    cluster(2, 2);
    Told told = new Told("node/n9");
    Report first = told.say(Told.described("n9", "r", "l"));
    Report second = told.say(Told.lostGpu("n9", 1));
    Report third = told.say(Told.lostGpu("n9", 2));
    decider.decide(new Input.Reported("node/n9", List.of(first, third)), now);
    assertThat(state.cursor("node/n9").sequence()).isEqualTo(1);
    decider.decide(new Input.Reported("node/n9", List.of(first, second, third)), now);
    decider.decide(new Input.Reported("node/n9", List.of(second, third)), now);
    assertThat(state.cursor("node/n9").sequence()).isEqualTo(3);
    assertThat(state.findingsOf("n9")).hasSize(2).allMatch(it -> it.times() == 1);
  }

  @Test
  void whatAnAgentSaysOfAnotherNodeIsLeftAside() {
    cluster(2, 2);
    tell("node/n0", Told.lostGpu("n1", 1), Told.lostGpu("n0", 1));
    assertThat(state.findingsOf("n1")).isEmpty();
    assertThat(state.findingsOf("n0")).hasSize(1);
    assertThat(state.cursor("node/n0").sequence()).isEqualTo(3);
  }

  @Test
  void twoGpusBehindOneSwitchAreOneIncident() {
    cluster(8, 4);
    tell("node/n3", Told.lostGpu("n3", 4), Told.lostGpu("n3", 5));
    assertThat(state.openIncidents()).hasSize(1);
    assertThat(state.openIncidents().iterator().next().cause().toString())
        .isEqualTo("pci-switch n3/switch2");
  }

  @Test
  void anOperatorsDrainIsNotUndoneByUs() {
    cluster(8, 4);
    wish(new Wish.Drain("n1", false, "new disk"));
    assertThat(state.node("n1").orElseThrow().service()).isEqualTo(Service.DRAINED);
    later(Duration.ofHours(5));
    assertThat(state.node("n1").orElseThrow().service()).isEqualTo(Service.DRAINED);
    wish(new Wish.Undrain("n1", "disk is in"));
    assertThat(state.node("n1").orElseThrow().service())
        .as("no check had failed, so there is none to pass")
        .isEqualTo(Service.IN);
    assertThat(asked("node/n1", Request.Kind.UNCORDON).request().why()).contains("disk is in");
  }

  @Test
  void whatAPersonTookOutAndFailsIsVerifiedAllTheSame() {
    cluster(8, 4);
    wish(new Wish.Drain("n1", false, "new disk"));
    tell("node/n1", Told.worse("n1", 2));
    wish(new Wish.Undrain("n1", "disk is in"));
    assertThat(state.node("n1").orElseThrow().service()).isEqualTo(Service.VERIFYING);
    assertThat(asked("node/n1", Request.Kind.VERIFY).request().checks())
        .containsExactly("gpu.ecc.corrected");
  }

  @Test
  void aJobThatRefusesOrChangesItsLauncherIsAskedAgain() {
    cluster(8, 4);
    tell("node/n3", Told.job("j1", now.minusSeconds(10), "n2", "n3"));
    wish(new Wish.Drain("n3", true, "smoke"));
    ActionView first = asked("node/n3", Request.Kind.RESTART_JOB);
    assertThat(first.request().job()).isEqualTo("j1");
    tell(
        "node/n3",
        new Statement.Answered(first.request().id(), Statement.Answer.REFUSED, "too few nodes"));
    later(Duration.ofMinutes(9));
    assertThat(state.openActions("node/n3"))
        .noneMatch(it -> it.request().kind() == Request.Kind.RESTART_JOB);
    later(Duration.ofMinutes(2));
    ActionView second = asked("node/n3", Request.Kind.RESTART_JOB);
    assertThat(second.request().id()).isNotEqualTo(first.request().id());

    tell("node/n3", new Statement.Answered(second.request().id(), Statement.Answer.DONE, "now"));
    decider.decide(new Input.Silence("n3", true, now), now);
    tell("node/n2", Told.job("j1", now, "n2", "n3"));
    later(Duration.ofSeconds(1));
    assertThat(state.openActions("node/n2")).as("another launcher leads it").hasSize(1);
    tell("node/n2", Told.job("j1", now, "n2", "n4"));
    assertThat(state.node("n3").orElseThrow().service()).isEqualTo(Service.DRAINED);
  }

  @Test
  void aJobThatEndsFreesItsNodes() {
    cluster(8, 4);
    tell("run/j1", Told.job("j1", now.minusSeconds(10), "n2", "n3"));
    wish(new Wish.Drain("n3", false, "new disk"));
    assertThat(state.node("n3").orElseThrow().service()).isEqualTo(Service.DRAINING);
    tell("run/j1", Told.job("j1", JobDescription.State.FINISHED, now, "n2", "n3"));
    assertThat(state.node("n3").orElseThrow().service()).isEqualTo(Service.DRAINED);
  }

  @Test
  void anIncidentNamesTheJobsThatItHurtAlsoWhenOthersRunThereLater() {
    cluster(8, 4);
    tell("run/j1", Told.job("j1", now.minusSeconds(10), "n2", "n3"));
    tell("node/n3", Told.lostGpu("n3", 5));
    assertThat(state.incident("i-1").orElseThrow().jobs()).containsExactly("j1");

    tell("run/j1", Told.job("j1", JobDescription.State.FAILED, now, "n2", "n3"));
    tell("run/j2", Told.job("j2", now, "n3", "n4"));
    assertThat(state.incident("i-1").orElseThrow().jobs())
        .as("it began on a node that was broken")
        .containsExactly("j1", "j2");

    tell("run/j2", Told.job("j2", JobDescription.State.FINISHED, now, "n3", "n4"));
    tell("node/n3", new Statement.Cleared("gpu.reachable", new Subject.Node("n3").gpu(5), "back"));
    tell("run/j3", Told.job("j3", now, "n3"));
    assertThat(state.incident("i-1").orElseThrow().jobs()).containsExactly("j1", "j2");
  }

  @Test
  void theJobOnANodeIsFoundAfterAnyMove() {
    cluster(4, 4);
    tell("run/j2", Told.job("j2", now, "n0", "n1"));
    tell("run/j10", Told.job("j10", now, "n1"));
    assertThat(state.jobOn("n1").orElseThrow().id()).isEqualTo("j2");
    assertThat(state.jobsOn("n1")).extracting(it -> it.id()).containsExactly("j2", "j10");
    tell("run/j2", Told.job("j2", now.plusSeconds(1), "n0", "n2"));
    assertThat(state.jobOn("n1").orElseThrow().id()).isEqualTo("j10");
    assertThat(state.jobOn("n2").orElseThrow().id()).isEqualTo("j2");
    tell("run/j2", Told.job("j2", JobDescription.State.FAILED, now, "n0", "n2"));
    assertThat(state.jobOn("n0")).isEmpty();
    assertThat(state.jobOn("n2")).isEmpty();
  }

  private static Policy thriceWithinAnHour(boolean wholeNode) {
    return Rules.policy(
        Rules.rule(
            "again",
            new When(
                List.of(),
                Set.of(),
                Severity.FATAL,
                Optional.of(new When.Repeated(3, Duration.ofHours(1), wholeNode)),
                Set.of(),
                When.JobState.ANY),
            Rung.REPLACE));
  }

  private static Statement event(int gpu) {
    return Told.raised(
        "gpu.kernel.xid",
        new Subject.Node("n3").gpu(gpu),
        Finding.Kind.EVENT,
        Severity.FATAL,
        FaultClass.HARDWARE);
  }

  @Test
  void aStormOfEventsIsOneTimeAndComingBackIsAnother() {
    decider = decider(thriceWithinAnHour(false));
    cluster(8, 4);
    for (int i = 0; i < 20; i++) {
      tell("node/n3", event(1));
      now = now.plusSeconds(1);
    }
    assertThat(decision("i-1").made().rung()).isEqualTo(Rung.NOTE);
    now = now.plusSeconds(600);
    tell("node/n3", event(1));
    assertThat(decision("i-1").made().rung()).isEqualTo(Rung.NOTE);
    now = now.plusSeconds(600);
    tell("node/n3", event(1));
    assertThat(decision("i-1").made().rung()).isEqualTo(Rung.REPLACE);
  }

  @Test
  void partsThatFailTogetherHaveFailedOnce() {
    decider = decider(thriceWithinAnHour(true));
    cluster(8, 4);
    for (int round = 0; round < 3; round++) {
      assertThat(state.node("n3").orElseThrow().service().takesJobs()).isTrue();
      tell("node/n3", event(1), event(3), event(5), event(7));
      now = now.plusSeconds(600);
    }
    assertThat(state.node("n3").orElseThrow().service()).isEqualTo(Service.OUT);
  }

  @Test
  void aConditionThatChangesHasNotComeBack() {
    decider = decider(thriceWithinAnHour(false));
    cluster(8, 4);
    for (int errors = 1; errors <= 5; errors++) {
      tell(
          "node/n3",
          Told.raised(
              "gpu.ecc",
              new Subject.Node("n3").gpu(1),
              Finding.Kind.CONDITION,
              errors % 2 == 0 ? Severity.FATAL : Severity.DEGRADED,
              FaultClass.HARDWARE));
      now = now.plusSeconds(300);
    }
    assertThat(state.node("n3").orElseThrow().service()).isEqualTo(Service.IN);
  }

  @Test
  void aResetWaitsForTheJobAndSaysSoOnce() {
    decider =
        decider(
            Rules.policy(Rules.rule("reset", Rules.fatal(FaultClass.HARDWARE), Rung.RESET_DEVICE)));
    cluster(8, 4);
    tell("run/j1", Told.job("j1", now, "n3"));
    tell("node/n3", Told.lostGpu("n3", 5));
    assertThat(decision("i-1").stand()).isEqualTo(Stand.HELD);
    now = now.plusSeconds(1);
    assertThat(decider.decide(new Input.Tick(), now).entries()).isEmpty();

    tell("run/j1", Told.job("j1", JobDescription.State.FINISHED, now, "n3"));
    later(Duration.ofSeconds(1));
    assertThat(asked("node/n3", Request.Kind.RESET_DEVICE).request().subject())
        .isEqualTo(new Subject.Node("n3").gpu(5));
  }

  @Test
  void readingTheJournalAgainGivesTheSameState() {
    ClusterState copy = new ClusterState();
    java.util.function.BiConsumer<List<Entry>, Instant> keep =
        (entries, at) ->
            entries.forEach(
                it ->
                    copy.apply(
                        Entry.of(
                            dev.holdfast.core.text.Fields.of(
                                "entry", dev.holdfast.core.text.Json.object(Entry.line(it)))),
                        at));
    for (int i = 0; i < 8; i++) {
      keep.accept(tell("node/n" + i, Told.described("n" + i, "r", "l" + i)), now);
    }
    keep.accept(tell("run/j1", Told.job("j1", now.minusSeconds(1790), "n2", "n3")), now);
    keep.accept(tell("node/n3", Told.lostGpu("n3", 5), Told.lostGpu("n3", 4)), now);
    keep.accept(tell("run/j1", Told.job("j1", now, "n2", "n4")), now);
    assertThat(copy.nodes()).containsExactlyElementsOf(state.nodes());
    assertThat(copy.incidents()).containsExactlyElementsOf(state.incidents());
    assertThat(copy.decisions()).containsExactlyElementsOf(state.decisions());
    assertThat(copy.findings()).containsExactlyInAnyOrderElementsOf(state.findings());
  }
}
