package dev.holdfast.control.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.control.entry.Batch;
import dev.holdfast.control.entry.Entry;
import dev.holdfast.control.entry.Service;
import dev.holdfast.control.state.ActionView;
import dev.holdfast.control.state.Allowance;
import dev.holdfast.control.state.ClusterState;
import dev.holdfast.control.state.FindingKey;
import dev.holdfast.control.state.FindingView;
import dev.holdfast.control.testing.Rules;
import dev.holdfast.control.testing.Told;
import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.report.Request;
import dev.holdfast.core.report.Statement;
import dev.holdfast.core.report.Statement.External.Assertion;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OutsideTest {
  private static final String FILER = "public/filer";
  private static final Subject VOLUME = new Subject.Volume("scratch");

  private final ClusterState state = new ClusterState();
  private final Decider decider = new Decider(state, Rules.usual(), _ -> Rules.usual());
  private final Map<String, Told> sources = new HashMap<>();
  private final List<Batch> journal = new ArrayList<>();
  private Instant now = Instant.parse("2026-11-15T00:00:00Z");

  private void tell(String source, Statement... statements) {
    Told told = sources.computeIfAbsent(source, Told::new);
    keep(
        decider
            .decide(
                new Input.Reported(source, Arrays.stream(statements).map(told::say).toList()), now)
            .entries());
  }

  private void later(Duration time) {
    now = now.plus(time);
    keep(decider.decide(new Input.Tick(), now).entries());
  }

  private void keep(List<Entry> entries) {
    if (!entries.isEmpty()) {
      journal.add(Batch.of(new Batch(now, entries).line()));
    }
  }

  private static Statement fault(Assertion assertion, Subject subject, Optional<Instant> expires) {
    Finding finding =
        ((Statement.Raised)
                Told.raised(
                    "site.storage",
                    subject,
                    Finding.Kind.CONDITION,
                    Severity.FATAL,
                    FaultClass.HARDWARE))
            .finding();
    return new Statement.External("F-" + subject, assertion, finding, List.of(), expires);
  }

  private static Statement occurs(Subject subject) {
    return fault(Assertion.OCCUR, subject, Optional.empty());
  }

  private FindingView found(Subject subject) {
    return state.finding(new FindingKey("site.storage", subject)).orElseThrow();
  }

  private Request asked() {
    return state.openActions(FILER).stream().map(ActionView::request).findFirst().orElseThrow();
  }

  @Test
  void aFaultWhoseRecoveryGotLostIsOverByItself() {
    tell(FILER, occurs(VOLUME));
    assertThat(found(VOLUME).expires()).contains(now.plus(Outside.COUNTS));
    later(Outside.COUNTS.minusSeconds(1));
    assertThat(found(VOLUME).holds()).isTrue();
    later(Duration.ofSeconds(1));
    assertThat(found(VOLUME).holds()).isFalse();
    assertThat(state.openIncidents()).isEmpty();
    later(Duration.ofSeconds(1));
    assertThat(state.openActions()).as("the question is over with it").isEmpty();
  }

  @Test
  void theSourceIsAskedOnceBeforeTheEndAndItsYesMovesTheEnd() {
    tell(FILER, fault(Assertion.OCCUR, VOLUME, Optional.of(now.plus(Duration.ofHours(2)))));
    later(Duration.ofMinutes(89));
    assertThat(state.openActions()).isEmpty();
    later(Duration.ofMinutes(1));
    later(Duration.ofMinutes(1));
    assertThat(state.openActions(FILER)).hasSize(1);
    assertThat(asked().kind()).isEqualTo(Request.Kind.CONFIRM);
    assertThat(asked().subject()).isEqualTo(VOLUME);
    assertThat(asked().why()).contains("F-volume/scratch");

    tell(FILER, new Statement.Answered(asked().id(), Statement.Answer.DONE, "still slow"));
    assertThat(found(VOLUME).expires()).contains(now.plus(Duration.ofHours(2)));
    later(Duration.ofHours(1));
    assertThat(found(VOLUME).holds()).isTrue();
  }

  @Test
  void aNoEndsIt() {
    tell(FILER, fault(Assertion.OCCUR, VOLUME, Optional.of(now.plus(Duration.ofHours(2)))));
    later(Duration.ofMinutes(100));
    tell(FILER, new Statement.Answered(asked().id(), Statement.Answer.FAILED, "mended"));
    assertThat(found(VOLUME).holds()).isFalse();
  }

  @Test
  void theAnswerOfAnotherSourceIsWorthNothing() {
    tell(FILER, fault(Assertion.OCCUR, VOLUME, Optional.of(now.plus(Duration.ofHours(2)))));
    later(Duration.ofMinutes(100));
    tell("public/other", new Statement.Answered(asked().id(), Statement.Answer.FAILED, "mended"));
    assertThat(found(VOLUME).holds()).isTrue();
  }

  @Test
  void tellingItAgainMovesTheEndButNotWithEveryWord() {
    tell(FILER, occurs(VOLUME));
    int before = journal.size();
    for (int i = 0; i < 59; i++) {
      now = now.plusSeconds(1);
      tell(FILER, occurs(VOLUME));
    }
    assertThat(journal.subList(before, journal.size()))
        .allMatch(it -> it.entries().size() == 1, "only how far it was heard");
    now = now.plus(Duration.ofHours(5));
    tell(FILER, occurs(VOLUME));
    assertThat(found(VOLUME).expires()).contains(now.plus(Outside.COUNTS));
    assertThat(found(VOLUME).times()).isEqualTo(1);
  }

  @Test
  void noSourceEndsWhatAnotherFound() {
    tell("node/n1", Told.described("n1", "r", "l"), Told.lostGpu("n1", 1));
    Subject gpu = new Subject.Node("n1").gpu(1);
    Finding same = ((Statement.Raised) Told.lostGpu("n1", 1)).finding();
    FindingKey key = FindingKey.of(same);
    tell(
        FILER,
        new Statement.External("x", Assertion.OCCUR, same, List.of(), Optional.empty()),
        new Statement.External("x", Assertion.RECOVER, same, List.of(), Optional.empty()),
        new Statement.Cleared("gpu.reachable", gpu, "I say so"));
    assertThat(state.finding(key).orElseThrow().holds()).isTrue();
    assertThat(state.finding(key).orElseThrow().source()).isEqualTo("node/n1");
    assertThat(state.expiring()).isEmpty();

    tell(FILER, occurs(VOLUME));
    tell("public/other", new Statement.Cleared("site.storage", VOLUME, "I say so"));
    tell("public/other", fault(Assertion.RECOVER, VOLUME, Optional.empty()));
    assertThat(found(VOLUME).holds()).isTrue();
    tell(FILER, fault(Assertion.RECOVER, VOLUME, Optional.empty()));
    assertThat(found(VOLUME).holds()).isFalse();
  }

  @Test
  void anAgentCannotSpeakOfOthersAsIfItWereFromOutside() {
    tell("node/n1", Told.described("n1", "r", "l"));
    tell("node/n2", Told.described("n2", "r", "l"), occurs(new Subject.Node("n1")));
    assertThat(state.findings()).isEmpty();
    tell(FILER, Told.described("n3", "r", "l"));
    assertThat(state.node("n3")).isEmpty();
  }

  @Test
  void aStormIsOneFindingThatSaysHowManyWereLeftOut() {
    int all = 5_000;
    Statement[] storm =
        IntStream.range(0, all)
            .mapToObj(it -> occurs(new Subject.Volume("v" + it)))
            .toArray(Statement[]::new);
    tell(FILER, storm);
    FindingView said =
        state.finding(new FindingKey(Outside.STORM, new Subject.Source(FILER))).orElseThrow();
    assertThat(state.findings()).hasSize(Allowance.BURST + 1);
    assertThat(said.times()).isEqualTo(all - Allowance.BURST);
    assertThat(said.finding().summary()).contains("4,900 were left out");
    assertThat(journal.getLast().entries().stream().filter(it -> it.kind().startsWith("finding")))
        .hasSize(Allowance.BURST + 1);

    tell("public/other", occurs(new Subject.Volume("theirs")));
    assertThat(found(new Subject.Volume("theirs")).holds()).as("others are heard").isTrue();
    tell(FILER, fault(Assertion.RECOVER, new Subject.Volume("v3"), Optional.empty()));
    assertThat(found(new Subject.Volume("v3")).holds()).as("what ends is always heard").isFalse();

    later(Allowance.REFILL);
    assertThat(state.finding(said.key()).orElseThrow().holds()).isFalse();
    tell(FILER, occurs(new Subject.Volume("later")));
    assertThat(found(new Subject.Volume("later")).holds()).isTrue();
  }

  @Test
  void aNodeNobodyHasHeardOfIsKeptAndCountedAndJudgedOnceItTells() {
    tell(FILER, occurs(new Subject.Node("n7")));
    assertThat(found(new Subject.Node("n7")).holds()).isTrue();
    assertThat(state.node("n7")).as("nobody makes a node by speaking of it").isEmpty();
    assertThat(state.openIncidents()).isEmpty();
    assertThat(state.knows(new Subject.Node("n7"))).isFalse();

    tell("node/n7", Told.described("n7", "r", "l"));
    assertThat(state.openIncidents()).hasSize(1);
    assertThat(state.node("n7").orElseThrow().service()).isEqualTo(Service.DRAINED);
  }

  @Test
  void readingTheJournalAgainGivesTheSameAllowanceAndTheSameEnds() {
    theSourceIsAskedOnceBeforeTheEndAndItsYesMovesTheEnd();
    for (int i = 0; i < 2 * Allowance.BURST; i++) {
      tell(FILER, occurs(new Subject.Volume("v" + i)));
    }
    assertThat(state.allowance(FILER).spent(now)).isTrue();
    ClusterState copy = new ClusterState();
    journal.forEach(copy::apply);
    assertThat(copy.findings()).containsExactlyInAnyOrderElementsOf(state.findings());
    assertThat(copy.expiring()).containsExactlyInAnyOrderElementsOf(state.expiring());
    assertThat(copy.allowance(FILER)).isEqualTo(state.allowance(FILER));
    assertThat(copy.openActions()).containsExactlyInAnyOrderElementsOf(state.openActions());
  }
}
