package dev.holdfast.os.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class HeartbeatsTest {
  private final AtomicLong nanos = new AtomicLong(-Duration.ofDays(1).toNanos());
  private final Heartbeats heartbeats = new Heartbeats(nanos::get);

  /** As the witness does, once a second. */
  private void pass(Duration time) {
    for (long i = 0; i < time.toSeconds(); i++) {
      nanos.addAndGet(Duration.ofSeconds(1).toNanos());
      var _ = heartbeats.late();
    }
  }

  @Test
  void aThreadThatMakesProgressIsNotLateHoweverLongItLives() {
    Heartbeats.Beat beat = heartbeats.expect("deciding", Duration.ofSeconds(30));

    for (int i = 0; i < 100; i++) {
      pass(Duration.ofSeconds(29));
      assertThat(heartbeats.late()).isEmpty();
      beat.beat();
    }
  }

  @Test
  void aThreadThatStandsStillIsNamedAndWellAgainWhenItGoesOn() {
    Heartbeats.Beat stuck = heartbeats.expect("deciding", Duration.ofSeconds(30));
    Heartbeats.Beat other = heartbeats.expect("retention", Duration.ofMinutes(15));

    pass(Duration.ofSeconds(40));

    assertThat(heartbeats.late()).extracting(Heartbeats.Late::thread).containsExactly("deciding");
    assertThat(heartbeats.late().getFirst()).hasToString("deciding has made no progress for 39 s");
    stuck.beat();
    other.beat();
    assertThat(heartbeats.late()).isEmpty();
  }

  @Test
  void whoeverSleptWithTheMachineIsNotLate() {
    Heartbeats.Beat _ = heartbeats.expect("deciding", Duration.ofSeconds(30));
    pass(Duration.ofSeconds(5));

    nanos.addAndGet(Duration.ofHours(8).toNanos());

    assertThat(heartbeats.late()).isEmpty();
    pass(Duration.ofSeconds(20));
    assertThat(heartbeats.late()).isEmpty();
    pass(Duration.ofSeconds(20));
    assertThat(heartbeats.late()).hasSize(1);
  }

  @Test
  void aThreadThatEndedIsNamedAtOnceAndOneThatWaitsForEverIsNot() throws Exception {
    Thread ends = Thread.ofPlatform().unstarted(() -> {});
    Thread waits = Thread.ofVirtual().unstarted(() -> sleep());
    heartbeats.expect("reading", ends);
    heartbeats.expect("accepting", waits);
    assertThat(heartbeats.late()).as("not begun").isEmpty();
    ends.start();
    waits.start();
    ends.join();

    pass(Duration.ofHours(1));

    assertThat(heartbeats.late()).extracting(Object::toString).containsExactly("reading has ended");
    waits.interrupt();
  }

  @Test
  void whoeverNeedNotLiveAnyMoreIsNotMissed() {
    Heartbeats.Beat beat = heartbeats.expect("following", Duration.ofSeconds(30));
    pass(Duration.ofMinutes(1));
    assertThat(heartbeats.late()).hasSize(1);

    heartbeats.release(beat);

    assertThat(heartbeats.late()).isEmpty();
  }

  private static void sleep() {
    try {
      Thread.sleep(Duration.ofMinutes(1));
    } catch (InterruptedException over) {
      Thread.currentThread().interrupt();
    }
  }
}
