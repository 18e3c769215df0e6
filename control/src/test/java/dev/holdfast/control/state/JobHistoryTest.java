package dev.holdfast.control.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.cluster.JobDescription;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How the steps of a job are remembered for ever in little room. */
class JobHistoryTest {
  private static final Instant BEGIN = Instant.parse("2026-11-15T00:00:00Z");

  private static JobDescription at(long step, double seconds) {
    return new JobDescription(
        "x",
        "ada",
        JobDescription.State.RUNNING,
        0,
        0,
        BEGIN,
        List.of(),
        step,
        seconds,
        Optional.empty(),
        0,
        List.of());
  }

  @Test
  void oneSlowStepStaysToBeSeenHoweverLongTheJobRuns() {
    JobHistory history = JobHistory.NONE;
    for (int step = 1; step <= 100_000; step++) {
      history = history.told(at(step, step == 777 ? 60 : 2), BEGIN.plusSeconds(2L * step));
    }
    assertThat(history.whole()).hasSizeBetween(60, 170);
    assertThat(history.course()).hasSizeBetween(100, 300);
    assertThat(history.course()).isSortedAccordingTo(Comparator.comparing(JobHistory.Step::at));
    assertThat(history.course().getFirst().at()).isBefore(BEGIN.plus(Duration.ofHours(1)));
    assertThat(history.course().getLast().step()).isEqualTo(100_000);
    assertThat(history.course())
        .filteredOn(it -> it.slowest() == 60)
        .singleElement()
        .satisfies(it -> assertThat(it.step()).isBetween(777L, 3_000L));
    assertThat(history.course())
        .filteredOn(it -> it.slowest() == 2)
        .allSatisfy(it -> assertThat(it.seconds()).isEqualTo(2));
    assertThat(history.whole().stream().mapToLong(JobHistory.Step::count).sum()).isEqualTo(100_000);
  }
}
