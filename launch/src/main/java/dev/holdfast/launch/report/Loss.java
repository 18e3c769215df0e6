package dev.holdfast.launch.report;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one interruption cost. The last three are null where no attempt followed, the last two also
 * where no steps were told.
 *
 * @param warmRanks how many ranks of the next attempt had been standbys
 * @param restart from the end of the attempt until the ranks of the next one ran
 * @param initialise from there to its first step
 * @param repeat the time the next attempt spent on steps that had been done already
 */
public record Loss(
    RunReport.Attempt attempt,
    Duration detect,
    Duration decide,
    Duration stop,
    int warmRanks,
    @Nullable Duration restart,
    @Nullable Duration initialise,
    @Nullable Duration repeat) {

  static List<Loss> of(RunReport report) {
    List<Loss> losses = new ArrayList<>();
    List<RunReport.Attempt> attempts = report.attempts();
    boolean silent = report.bestStep() < 0;
    for (int i = 0; i < attempts.size(); i++) {
      if (!attempts.get(i).interrupted()) {
        continue;
      }
      Map<Spent, Duration> own = report.spent(attempts.get(i).number());
      boolean last = i + 1 == attempts.size();
      Map<Spent, Duration> next = last ? Map.of() : report.spent(attempts.get(i + 1).number());
      losses.add(
          new Loss(
              attempts.get(i),
              of(own, Spent.DETECTING),
              of(own, Spent.DECIDING),
              of(own, Spent.STOPPING),
              last ? 0 : attempts.get(i + 1).warmRanks(),
              last ? null : of(next, Spent.WAITING).plus(of(next, Spent.STARTING)),
              last || silent ? null : of(next, Spent.PREPARING),
              last || silent ? null : of(next, Spent.REPEATING)));
    }
    return losses;
  }

  private static Duration of(Map<Spent, Duration> times, Spent spent) {
    return times.getOrDefault(spent, Duration.ZERO);
  }

  public Duration total() {
    Duration sum = detect.plus(decide).plus(stop);
    for (Duration part : new @Nullable Duration[] {restart, initialise, repeat}) {
      sum = part == null ? sum : sum.plus(part);
    }
    return sum;
  }
}
