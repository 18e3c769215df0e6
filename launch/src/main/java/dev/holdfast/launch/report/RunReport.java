package dev.holdfast.launch.report;

import dev.holdfast.core.forensics.Decision;
import dev.holdfast.core.forensics.Diagnosis;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * What became of a run: attempts, why each was interrupted, and what the time went into.
 *
 * <p>Times are since the beginning of the run, by the monotonic clock. What the timeline does not
 * tell is empty, never guessed.
 *
 * @param job empty: not known
 * @param ended whether the job is over; otherwise the report is of a run that goes on or was lost
 * @param exitCode −1: not known
 * @param bestStep the furthest step, −1: none was told
 * @param segments what was done when, without gaps, in order
 * @param marks other things to know: clock jumps, watchers that crashed, trouble
 */
public record RunReport(
    String job,
    List<String> command,
    @Nullable Instant begun,
    boolean ended,
    int exitCode,
    String why,
    Duration wall,
    long bestStep,
    List<Attempt> attempts,
    List<Segment> segments,
    List<Bar> bars,
    List<Mark> marks) {

  /**
   * One attempt; times that are not known are null.
   *
   * @param warmRanks how many of this node's ranks had been standbys
   */
  public record Attempt(
      int number,
      int world,
      List<String> nodes,
      @Nullable Duration prepared,
      @Nullable Duration started,
      @Nullable Duration firstStep,
      @Nullable Duration fault,
      @Nullable Duration ended,
      long fromStep,
      long toStep,
      long repeatedSteps,
      int warmRanks,
      String outcome,
      @Nullable Diagnosis diagnosis,
      @Nullable Decision decision) {
    public Attempt {
      nodes = List.copyOf(nodes);
    }

    public boolean interrupted() {
      return diagnosis != null || fault != null;
    }
  }

  /** A stretch of time and what it went into. */
  public record Segment(int attempt, Spent spent, Duration from, Duration to) {
    public Duration length() {
      return to.minus(from);
    }
  }

  /**
   * The life of a rank within an attempt; {@code how} is how it ended, empty: well or not known.
   */
  public record Bar(int attempt, int rank, String node, Duration from, Duration to, String how) {}

  public record Mark(Duration at, String kind, String text) {}

  public RunReport {
    command = List.copyOf(command);
    attempts = List.copyOf(attempts);
    segments = List.copyOf(segments);
    bars = List.copyOf(bars);
    marks = List.copyOf(marks);
  }

  /** Reads the story out of the moments; any subset of them, in any state, gives a report. */
  public static RunReport of(List<Moment> moments) {
    return new RunStory(moments).report();
  }

  /** What the time went into, all together. */
  public Map<Spent, Duration> spent() {
    return spent(segments);
  }

  /** What the time of one attempt went into, with the wait before it. */
  public Map<Spent, Duration> spent(int attempt) {
    return spent(segments.stream().filter(segment -> segment.attempt() == attempt).toList());
  }

  private static Map<Spent, Duration> spent(List<Segment> segments) {
    Map<Spent, Duration> sums = new EnumMap<>(Spent.class);
    segments.forEach(segment -> sums.merge(segment.spent(), segment.length(), Duration::plus));
    return Collections.unmodifiableMap(sums);
  }

  /**
   * The share of the time that went into steps nobody had done before; empty: no steps were told.
   */
  public OptionalDouble goodput() {
    if (bestStep < 0 || wall.isZero()) {
      return OptionalDouble.empty();
    }
    Duration useful = spent().getOrDefault(Spent.TRAINING, Duration.ZERO);
    return OptionalDouble.of((double) useful.toNanos() / wall.toNanos());
  }

  /** What each interruption cost, in order. */
  public List<Loss> losses() {
    return Loss.of(this);
  }

  public Optional<Attempt> attempt(int number) {
    return attempts.stream().filter(attempt -> attempt.number() == number).findFirst();
  }
}
