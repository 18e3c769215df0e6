package dev.holdfast.control.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.control.decide.Decider;
import dev.holdfast.control.decide.Input;
import dev.holdfast.control.journal.Journal;
import dev.holdfast.control.state.ClusterState;
import dev.holdfast.control.testing.Rules;
import dev.holdfast.control.testing.Told;
import dev.holdfast.os.process.Heartbeats;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SteadyClockTest {
  private static final Instant TIME = Instant.parse("2026-11-15T00:00:00Z");

  @TempDir Path folder;

  /** A machine whose clock can be set. */
  private static final class Machine extends Clock {
    private volatile Duration set = Duration.ZERO;
    private volatile Duration passed = Duration.ZERO;

    void pass(Duration time) {
      passed = passed.plus(time);
    }

    @Override
    public Instant instant() {
      return TIME.plus(passed).plus(set);
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }

  private final Machine machine = new Machine();
  private final SteadyClock clock = new SteadyClock(machine, () -> machine.passed.toNanos());

  private Duration runs(int seconds) {
    Instant begun = clock.instant();
    Instant last = begun;
    for (int i = 0; i < seconds; i++) {
      machine.pass(Duration.ofSeconds(1));
      Instant now = clock.instant();
      assertThat(now).isAfterOrEqualTo(last);
      last = now;
    }
    return Duration.between(begun, last);
  }

  @Test
  void aClockNobodySetsIsShownAsItIs() {
    assertThat(runs(600)).isEqualTo(Duration.ofSeconds(600));
    machine.set = Duration.ofMillis(-300);
    machine.pass(Duration.ofSeconds(1));
    assertThat(clock.instant()).isEqualTo(machine.instant());
  }

  @Test
  void aDayAheadIsNearedSlowly() {
    runs(60);
    machine.set = Duration.ofDays(1);
    assertThat(runs(600)).isBetween(Duration.ofSeconds(600), Duration.ofSeconds(720));
    // In the end it is the machine's time again.
    runs(5 * 86_400 + 3600);
    assertThat(clock.instant()).isEqualTo(machine.instant());
  }

  @Test
  void aDayBackNeverRunsBackAndGoesOn() {
    runs(60);
    machine.set = Duration.ofDays(-1);
    assertThat(runs(600)).isBetween(Duration.ofSeconds(480), Duration.ofSeconds(600));
  }

  private long expired(Clock used) throws Exception {
    ClusterState state = new ClusterState();
    try (Journal journal = Journal.at("jdbc:h2:mem:clock" + System.nanoTime());
        Engine engine =
            new Engine(
                state, new Decider(state, Rules.usual(), _ -> Rules.usual()), journal, used)) {
      engine.start(new Heartbeats());
      Told told = Told.node("n1");
      engine
          .submit(
              new Input.Reported(
                  "node/n1",
                  List.of(
                      told.say(Told.described("n1", "r", "l")), told.say(Told.lostGpu("n1", 0)))))
          .get(10, TimeUnit.SECONDS);
      long asked = state.openActions().size();
      assertThat(asked).isPositive();
      machine.set = machine.set.plus(Duration.ofDays(1));
      for (int i = 0; i < 3; i++) {
        machine.pass(Duration.ofSeconds(1));
        engine.submit(new Input.Tick()).get(10, TimeUnit.SECONDS);
      }
      return asked - state.openActions().size();
    }
  }

  @Test
  void whatWasAskedDoesNotExpireBecauseTheClockWasSet() throws Exception {
    assertThat(expired(clock)).isZero();
    assertThat(expired(machine)).as("it would have").isPositive();
  }
}
