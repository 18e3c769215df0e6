package dev.holdfast.core.policy;

import dev.holdfast.core.cluster.JobDescription;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * When to take a node from a job: now, once the next checkpoint is complete, or when the job is
 * over. The least expected loss of node-hours wins.
 *
 * <p>Leaving now repeats the work since the last checkpoint. Waiting for the next one repeats
 * nothing, but the part may fail before: with a hazard of h failures an hour the chance of that
 * within t is 1 − e^(−ht), and then the work since the last checkpoint is repeated all the same.
 * Waiting for the end of a job whose end nobody knows is never chosen for a part that is failing;
 * it is what rules ask for when a part only works less well.
 */
public final class Timing {
  /** What stopping and starting a job costs beside the work repeated, until a job tells. */
  public static final Duration RESTART = Duration.ofMinutes(3);

  /** Told apart by less, the milder one is chosen. */
  private static final double SAME_HOURS = 0.01;

  private Timing() {}

  /** What was chosen, and each possibility with what it would cost. */
  public record Choice(Rung rung, String why, List<String> alternatives) {}

  private record Option(Rung rung, double nodeHours, String words) {}

  /**
   * @param wanted what the rule asks for; the choice is never later than that by more than one
   *     checkpoint
   * @param failuresPerHour how soon the part is expected to fail for good
   */
  public static Choice choose(
      Rung wanted, JobDescription job, Instant now, double failuresPerHour) {
    if (wanted != Rung.DRAIN_NOW && wanted != Rung.DRAIN_AT_CHECKPOINT) {
      return new Choice(wanted, "", List.of());
    }
    int nodes = Math.max(1, job.members().size());
    double restart = RESTART.toSeconds() / 3600.0;
    double since = job.checkpoint().map(at -> hours(Duration.between(at, now))).orElse(-1.0);
    if (since < 0 || job.checkpointSeconds() <= 0) {
      return new Choice(
          Rung.DRAIN_NOW == wanted ? Rung.DRAIN_NOW : wanted,
          "the job's checkpoints are not known, so nothing could be weighed",
          List.of());
    }
    double every = job.checkpointSeconds() / 3600.0;
    double wait = Math.max(0, every - since);
    double fails = 1 - Math.exp(-failuresPerHour * wait);
    List<Option> options = new ArrayList<>();
    options.add(
        new Option(
            Rung.DRAIN_AT_CHECKPOINT,
            nodes * (restart + fails * (since + wait / 2)),
            String.format(
                Locale.ROOT,
                "at the next checkpoint, in about %s, with a %.0f %% chance that it fails before",
                words(wait),
                fails * 100)));
    options.add(
        new Option(
            Rung.DRAIN_NOW,
            nodes * (restart + since),
            "now, repeating " + words(since) + " since the last checkpoint"));
    Option best = options.stream().min(Comparator.comparingDouble(Option::nodeHours)).orElseThrow();
    if (options.getFirst().nodeHours() - best.nodeHours() < SAME_HOURS) {
      best = options.getFirst();
    }
    return new Choice(
        best.rung(),
        best.words() + ", " + cost(best),
        options.stream().map(it -> it.words() + ": " + cost(it)).toList());
  }

  private static String cost(Option option) {
    return String.format(Locale.ROOT, "%.1f node-hours", option.nodeHours());
  }

  private static double hours(Duration duration) {
    return Math.max(0, duration.toMillis() / 3_600_000.0);
  }

  private static String words(double hours) {
    long seconds = Math.round(hours * 3600);
    return seconds < 120 ? seconds + " s" : Math.round(seconds / 60.0) + " min";
  }
}
