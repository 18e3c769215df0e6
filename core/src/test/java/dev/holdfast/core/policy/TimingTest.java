package dev.holdfast.core.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.cluster.JobDescription;
import dev.holdfast.core.cluster.JobLoss;
import dev.holdfast.core.cluster.JobMember;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TimingTest {
  private static final Instant NOW = Instant.parse("2026-11-15T00:00:00Z");

  private static JobDescription job(Duration since, int restarts, List<JobLoss> losses) {
    return new JobDescription(
        "j",
        "u",
        JobDescription.State.RUNNING,
        0,
        restarts,
        NOW.minus(Duration.ofDays(1)),
        IntStream.range(0, 10).mapToObj(it -> new JobMember("n" + it, it * 8, 8)).toList(),
        1,
        1,
        Optional.of(NOW.minus(since)),
        1800,
        losses);
  }

  private static Timing.Choice choose(Duration since, double risk, int spares) {
    return Timing.choose(
        Rung.DRAIN_NOW, job(since, 0, List.of()), NOW, new Timing.Odds(risk, spares));
  }

  @Test
  void justBehindACheckpointNothingIsGainedByWaiting() {
    assertThat(choose(Duration.ofSeconds(5), 1, 3).rung()).isEqualTo(Rung.DRAIN_NOW);
  }

  @Test
  void longBehindACheckpointTheNextOneIsWaitedFor() {
    Timing.Choice choice = choose(Duration.ofMinutes(25), 0.05, 3);
    assertThat(choice.rung()).isEqualTo(Rung.DRAIN_AT_CHECKPOINT);
    assertThat(choice.why()).contains("5 min", "5 % an hour", "3 spare nodes");
    assertThat(choice.alternatives()).hasSize(2);
  }

  @Test
  void aPartThatIsAboutToFailIsLeftAtOnce() {
    assertThat(choose(Duration.ofMinutes(5), 0.05, 3).rung()).isEqualTo(Rung.DRAIN_AT_CHECKPOINT);
    assertThat(choose(Duration.ofMinutes(5), 20, 3).rung()).isEqualTo(Rung.DRAIN_NOW);
  }

  @Test
  void withoutASpareTheJobKeepsWhatMayHold() {
    assertThat(choose(Duration.ofMinutes(25), 0.01, 1).rung()).isEqualTo(Rung.DRAIN_AT_CHECKPOINT);
    Timing.Choice none = choose(Duration.ofMinutes(25), 0.01, 0);
    assertThat(none.rung()).isEqualTo(Rung.DRAIN_AFTER_JOB);
    assertThat(none.why()).contains("no spare node", "21 %");
    assertThat(none.alternatives()).hasSize(3);
    assertThat(choose(Duration.ofMinutes(25), 5, 0).rung())
        .as("what fails for sure is left while it can be")
        .isEqualTo(Rung.DRAIN_AT_CHECKPOINT);
  }

  @Test
  void whatAJobsOwnRestartsTookIsTakenInsteadOfAGuess() {
    JobDescription slow =
        job(
            Duration.ofMinutes(25),
            2,
            List.of(new JobLoss("re-init", "x", 7200), new JobLoss("recompute", "x", 9999)));
    Timing.Choice choice = Timing.choose(Rung.DRAIN_NOW, slow, NOW, new Timing.Odds(0.05, 1));
    assertThat(choice.alternatives()).anyMatch(it -> it.contains("14.2 node-hours"), "10 × 1 h 25");
  }

  @Test
  void whereCheckpointsAreNotKnownTheRuleDecides() {
    JobDescription silent =
        new JobDescription(
            "j",
            "u",
            JobDescription.State.RUNNING,
            0,
            0,
            NOW,
            List.of(),
            1,
            1,
            Optional.empty(),
            0,
            List.of());
    Timing.Choice choice =
        Timing.choose(Rung.DRAIN_AT_CHECKPOINT, silent, NOW, new Timing.Odds(1, 1));
    assertThat(choice.rung()).isEqualTo(Rung.DRAIN_AT_CHECKPOINT);
    assertThat(choice.why()).contains("not known");
  }
}
