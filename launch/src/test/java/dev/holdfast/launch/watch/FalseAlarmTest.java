package dev.holdfast.launch.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.forensics.Diagnosis;
import dev.holdfast.launch.job.RankActivity;
import dev.holdfast.launch.watch.TraceSimulator.Doing;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/**
 * How often is a healthy job called hung, and how surely and fast a hung one? Simulated job-days;
 * {@code -Dholdfast.watch.days=20000} for a long series, {@code -Dholdfast.watch.seed=N} for
 * another one.
 */
class FalseAlarmTest {
  private static final int DAYS = Integer.getInteger("holdfast.watch.days", 300);
  private static final long SEED = Long.getLong("holdfast.watch.seed", 1);
  private static final int DAY = 86_400;

  @Test
  void healthyJobsAreNeverCalledHung(TestReporter reporter) {
    List<String> alarms =
        IntStream.range(0, DAYS)
            .parallel()
            .mapToObj(day -> healthyDay(SEED * 1_000_003 + day))
            .flatMap(Optional::stream)
            .toList();
    reporter.publishEntry(
        "false alarms",
        String.format(
            Locale.ROOT,
            "%d in %d simulated job-days; at most %.4f a job-day with 95 %% confidence",
            alarms.size(),
            DAYS,
            alarms.isEmpty() ? 3.0 / DAYS : Double.NaN));
    assertThat(alarms).isEmpty();
  }

  private static Optional<String> healthyDay(long seed) {
    TraceSimulator job = new TraceSimulator(seed);
    HangDetector detector = new HangDetector(HangRule.AUTO);
    long now = 0;
    for (int second = 0; second < DAY; second++) {
      now += (1 + job.unseen()) * 1_000_000_000L;
      Optional<Diagnosis> verdict = detector.look(now, job.next());
      if (verdict.isPresent()) {
        return Optional.of("seed " + seed + " second " + second + ": " + verdict.get());
      }
    }
    return Optional.empty();
  }

  /**
   * A kind of hang.
   *
   * @param separable whether what can be seen tells the culprit at all
   * @param limit within how many seconds it must be called, beside three times the longest step
   */
  private record Kind(
      String name,
      Doing how,
      boolean behind,
      boolean atStore,
      Optional<Boolean> burning,
      boolean separable,
      int limit) {
    /** Without steps, nothing tells a rank that works from one that burns CPU while it waits. */
    boolean needsSteps() {
      return how != Doing.SUSPENDED;
    }
  }

  private static final Optional<Boolean> EITHER = Optional.empty();
  private static final Optional<Boolean> BURNING = Optional.of(true);
  private static final Optional<Boolean> SLEEPING = Optional.of(false);

  private static final List<Kind> KINDS =
      List.of(
          new Kind("stopped", Doing.SUSPENDED, false, false, EITHER, true, 7),
          new Kind("sleeps", Doing.SLEEPS, false, false, EITHER, true, 60),
          new Kind("locked, behind", Doing.LOCKED, true, false, EITHER, true, 540),
          new Kind("locked, store", Doing.LOCKED, false, true, EITHER, true, 540),
          new Kind("polls, store", Doing.POLLS, false, true, EITHER, true, 540),
          new Kind("locked", Doing.LOCKED, false, false, BURNING, true, 1860),
          new Kind("loader dead", Doing.POLLS, false, false, BURNING, true, 1860),
          new Kind("kernel", Doing.KERNEL, false, false, EITHER, true, 1860),
          new Kind("reads", Doing.READS, false, false, BURNING, true, 1860),
          new Kind("runs in circles", Doing.WORKS, false, false, SLEEPING, true, 1860),
          new Kind("deadlock", Doing.LOCKED, false, false, SLEEPING, false, 1860),
          new Kind("all burn", Doing.WORKS, false, false, BURNING, false, 1860));

  private record Outcome(
      boolean called, boolean inTime, boolean right, boolean wrong, double after) {}

  @Test
  void hungJobsAreCalledInTimeAndTheCulpritIsNamed(TestReporter reporter) {
    Map<String, String> told = new TreeMap<>();
    List<Outcome> separable = new ArrayList<>();
    for (Kind kind : KINDS) {
      List<Outcome> outcomes =
          IntStream.range(0, 40)
              .parallel()
              .mapToObj(i -> hang(kind, SEED * 7_919 + i * 31L + kind.name().hashCode()))
              .toList();
      long inTime = outcomes.stream().filter(Outcome::inTime).count();
      long right = outcomes.stream().filter(Outcome::right).count();
      long wrong = outcomes.stream().filter(Outcome::wrong).count();
      double after =
          outcomes.stream().mapToDouble(Outcome::after).sorted().skip(20).findFirst().orElse(0);
      told.put(
          kind.name(),
          String.format(
              Locale.ROOT,
              "%d of 40 in time, %d culprits named, %d wrongly, median %.0f s",
              inTime,
              right,
              wrong,
              after));
      if (kind.separable()) {
        separable.addAll(outcomes);
      }
      assertThat(outcomes).as(kind.name() + " " + told).allMatch(Outcome::inTime);
      assertThat(wrong).as(kind.name() + " blamed wrongly").isLessThanOrEqualTo(2);
    }
    long right = separable.stream().filter(Outcome::right).count();
    told.put("culprit named where separable", right + " of " + separable.size());
    reporter.publishEntry(told);
    assertThat((double) right / separable.size()).as(told.toString()).isGreaterThanOrEqualTo(0.95);
  }

  private static Outcome hang(Kind kind, long seed) {
    // Not every job is of the kind: without beats there is no step to be behind with, and so on.
    TraceSimulator job =
        LongStream.iterate(seed, next -> next + 1_000_000_007L)
            .mapToObj(TraceSimulator::new)
            .filter(drawn -> drawn.beats() || !kind.needsSteps())
            // Of two, one busy and one idle, nobody can tell who waits for whom.
            .filter(drawn -> drawn.ranks > 2 || kind.burning().isEmpty())
            .filter(drawn -> !drawn.chatters() || kind.limit() < 1000)
            .filter(
                drawn ->
                    kind.burning().orElse(drawn.burnsWhenWaiting()) == drawn.burnsWhenWaiting())
            .findFirst()
            .orElseThrow();
    HangDetector detector = new HangDetector(HangRule.AUTO);
    int settle = 2 * 3600;
    int after = 0;
    while (job.second() < settle || !job.stepping() || after < 60) {
      Optional<Diagnosis> early = detector.look(job.second() * 1_000_000_000L, job.next());
      if (early.isPresent()) {
        throw new AssertionError("false alarm: " + early);
      }
      after = job.stepping() ? after + 1 : 0;
    }
    List<Integer> culprits = List.of((int) Math.floorMod(seed, job.ranks));
    job.hang(culprits, kind.how(), kind.behind(), kind.atStore());
    long begun = job.second();
    boolean stopped = kind.how() == Doing.SUSPENDED;
    // Lines written by a side thread of the culprit hide the hang for twenty minutes.
    double limit = job.chatters() && !stopped ? 1260 : kind.limit();
    // A busy device buys time: five minutes for who sleeps among others that are busy, else thirty.
    if (job.leavesDeviceBusy() && !stopped) {
      boolean alone = !job.waitsOnDevice();
      limit = Math.max(limit, kind.how() == Doing.SLEEPS && !alone ? 330 : 1860);
    }
    limit += stopped ? 0 : 6 * job.longestStep;
    for (int i = 0; i < 3 * 3600; i++) {
      List<RankActivity> ranks = job.next();
      Optional<Diagnosis> verdict = detector.look(job.second() * 1_000_000_000L, ranks);
      if (verdict.isPresent()) {
        double seconds = job.second() - begun;
        List<Integer> named = verdict.get().ranks();
        boolean right = named.equals(culprits);
        return new Outcome(true, seconds <= limit, right, !right && !named.isEmpty(), seconds);
      }
    }
    return new Outcome(false, false, false, false, 3 * 3600);
  }
}
