package dev.holdfast.control.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.control.decide.Decider;
import dev.holdfast.control.decide.Input;
import dev.holdfast.control.decide.Wish;
import dev.holdfast.control.engine.Engine;
import dev.holdfast.control.entry.Ground;
import dev.holdfast.control.entry.Speaker;
import dev.holdfast.control.journal.Journal;
import dev.holdfast.control.state.ClusterState;
import dev.holdfast.control.state.FindingKey;
import dev.holdfast.control.state.FindingView;
import dev.holdfast.control.testing.Rules;
import dev.holdfast.core.health.Subject;
import dev.holdfast.os.process.Heartbeats;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two that claim to be one node are noticed; restarts, reboots and replaced machines are not. */
class IntroductionsTest {
  private static final String N1 = "node/n1";
  private static final Speaker OLD = new Speaker("a1", "aa", "10.0.0.1");
  private static final Speaker OLD_AGAIN = new Speaker("a2", "aa", "10.0.0.1");
  private static final Speaker OTHER = new Speaker("b1", "bb", "10.0.0.9");
  private static final Speaker CLONE = new Speaker("c1", "aa", "10.0.0.7");
  private static final Speaker UNNAMED = new Speaker("", "", "10.0.0.1");

  @TempDir Path folder;
  private final Moved clock = new Moved();
  private Journal journal;
  private Engine engine;
  private Introductions introductions;

  /** A clock that goes when told. */
  private static final class Moved extends Clock {
    private Instant now = Instant.parse("2026-11-15T00:00:00Z");

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }

    @Override
    public Instant instant() {
      return now;
    }
  }

  @BeforeEach
  void open() throws Exception {
    ClusterState state = new ClusterState();
    journal = Journal.embedded(folder);
    engine =
        new Engine(state, new Decider(state, Rules.usual(), _ -> Rules.usual()), journal, clock);
    engine.start(new Heartbeats());
    introductions = new Introductions(engine, clock);
  }

  @AfterEach
  void close() throws Exception {
    engine.close();
    journal.close();
  }

  private void after(int seconds) {
    clock.now = clock.now.plusSeconds(seconds);
  }

  private boolean heard(Speaker speaker) {
    return introductions.objection(N1, speaker).isEmpty();
  }

  private void decided() throws Exception {
    var _ = engine.submit(new Input.Tick()).get(10, TimeUnit.SECONDS);
  }

  private Optional<FindingView> notice() throws Exception {
    decided();
    return engine
        .state()
        .finding(new FindingKey("agent.identity", new Subject.Node("n1")))
        .filter(FindingView::holds);
  }

  @Test
  void aRestartFollowsAndALateWordOfTheOldOneHarmsNobody() throws Exception {
    assertThat(heard(OLD)).isTrue();
    after(20);
    assertThat(heard(OLD_AGAIN)).isTrue();
    after(1);
    assertThat(heard(OLD)).as("on its way when it ended").isTrue();
    assertThat(heard(OLD_AGAIN)).isTrue();
    assertThat(notice()).isEmpty();
  }

  @Test
  void aMachineThatWasReplacedTakesThePlaceOnceTheOldOneIsSilent() throws Exception {
    assertThat(heard(OLD)).isTrue();
    after(20);
    assertThat(heard(OTHER)).as("the old one was just heard").isFalse();
    after(30);
    assertThat(heard(OTHER)).isFalse();
    after(10);
    assertThat(heard(OTHER)).isTrue();
    assertThat(notice()).isEmpty();
  }

  @Test
  void aSecondMachineWithTheSameTokenIsNamedAndTheOlderKeepsItsPlace() throws Exception {
    assertThat(heard(OLD)).isTrue();
    for (int i = 0; i < 5; i++) {
      after(20);
      assertThat(heard(OTHER)).isFalse();
      assertThat(heard(OLD)).isTrue();
    }
    assertThat(notice().orElseThrow().finding().summary()).contains("10.0.0.1", "10.0.0.9");
    assertThat(engine.state().refusals(N1).orElseThrow().ground()).isEqualTo(Ground.SECOND_MACHINE);
  }

  @Test
  void theFirstMachineTakesItsPlaceBackFromOneThatCameWhileItWasAway() throws Exception {
    assertThat(heard(OLD)).isTrue();
    after(3600);
    assertThat(heard(OTHER)).isTrue();
    after(3600);
    assertThat(heard(OTHER)).isTrue();
    assertThat(heard(OLD_AGAIN)).as("it was rebooted").isTrue();
    after(10);
    assertThat(heard(OTHER)).isFalse();
    assertThat(heard(OLD_AGAIN)).isTrue();
    assertThat(notice().orElseThrow().finding().summary()).contains("10.0.0.1", "10.0.0.9");
  }

  @Test
  void aCloneWithTheSameMachineIdIsNoticedWhenBothSpeak() throws Exception {
    assertThat(heard(OLD)).isTrue();
    after(20);
    assertThat(heard(CLONE)).as("it could be a restart").isTrue();
    after(10);
    assertThat(heard(OLD)).as("a restart does not come back").isTrue();
    after(10);
    assertThat(heard(CLONE)).isFalse();
    assertThat(heard(OLD)).isTrue();
    assertThat(heard(new Speaker("c2", "aa", "10.0.0.7"))).as("started again").isFalse();
    assertThat(notice().orElseThrow().finding().summary()).contains("10.0.0.1", "10.0.0.7");
  }

  @Test
  void anAgentOfBeforeIsFollowedByANewOneAndWhoNamesNothingIsNotLetInBesideIt() throws Exception {
    assertThat(heard(UNNAMED)).isTrue();
    assertThat(heard(OLD)).as("an upgrade").isTrue();
    after(20);
    assertThat(heard(OLD)).isTrue();
    assertThat(heard(UNNAMED)).as("a script with the token of the node").isFalse();
    after(20);
    assertThat(heard(OLD)).isTrue();
    assertThat(heard(UNNAMED)).isFalse();
    assertThat(notice()).isPresent();
    after(60);
    assertThat(heard(UNNAMED)).as("an older agent was put back").isTrue();
  }

  @Test
  void aResetLetsWhoeverComesNextIn() throws Exception {
    assertThat(heard(OLD)).isTrue();
    after(20);
    assertThat(heard(OTHER)).isFalse();
    var _ =
        engine.submit(new Input.Wished("ann", new Wish.ResetSource(N1))).get(10, TimeUnit.SECONDS);
    assertThat(heard(OTHER)).isTrue();
    assertThat(notice()).isEmpty();
  }

  @Test
  void whoSpeaksIsKnownAfterARestartOfTheControlPlane() throws Exception {
    assertThat(heard(OLD)).isTrue();
    decided();
    Introductions next = new Introductions(engine, clock);
    after(1);
    assertThat(next.objection(N1, OTHER)).isPresent();
    assertThat(next.objection(N1, OLD)).isEmpty();
    after(Math.toIntExact(Duration.ofMinutes(2).toSeconds()));
    assertThat(next.objection(N1, OTHER)).isEmpty();
  }

  @Test
  void anEnrolmentForATakenNameIsNamed() throws Exception {
    assertThat(heard(OLD)).isTrue();
    decided();
    introductions.claimed("n1", "10.0.0.9");
    assertThat(notice().orElseThrow().finding().summary()).contains("10.0.0.1", "10.0.0.9");
    assertThat(heard(OLD)).isTrue();
  }
}
