package dev.holdfast.core.policy;

import dev.holdfast.core.cluster.JobDescription;
import dev.holdfast.core.cluster.JobLoss;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * When to take a node from a job: now, once the next checkpoint is complete, or when the job is
 * over. The least expected loss of node-hours wins.
 *
 * <p>Leaving now repeats the work since the last checkpoint. Waiting for the next one repeats
 * nothing, but the part may fail before: with a hazard of h failures an hour the chance of that
 * within t is 1 − e^(−ht), and then the work since the last checkpoint is repeated all the same.
 * Either way the job must start again, on a spare node if there is one. Where there is none it
 * stands still until one is mended ({@link #WITHOUT_SPARE}); only then staying until the part fails
 * or the job ends ({@link #AHEAD} at most are looked at) is weighed too: a failure later costs as
 * much as leaving, but may not come.
 */
public final class Timing {
  /** What stopping and starting a job costs beside the work repeated, until a job tells. */
  public static final Duration RESTART = Duration.ofMinutes(3);

  /** How long a job stands still that lost a node and finds no other. */
  public static final Duration WITHOUT_SPARE = Duration.ofHours(2);

  /** How far ahead staying is looked at: nobody knows when a job ends. */
  public static final Duration AHEAD = Duration.ofHours(24);

  /** Told apart by less, the milder one is chosen. */
  private static final double SAME_HOURS = 0.01;

  private static final Set<String> RESTARTING = Set.of("stop", "restart", "re-init");

  private Timing() {}

  /** What was chosen, and each possibility with what it would cost. */
  public record Choice(Rung rung, String why, List<String> alternatives) {}

  /**
   * What there is to weigh beside the job itself.
   *
   * @param failuresPerHour how soon the part is expected to fail for good
   * @param spares nodes that could take its place at once
   */
  public record Odds(double failuresPerHour, int spares) {}

  private record Option(Rung rung, double nodeHours, String words) {}

  /**
   * @param wanted what the rule asks for; the choice is later than that only by one checkpoint, or
   *     where no spare node is there
   */
  public static Choice choose(Rung wanted, JobDescription job, Instant now, Odds odds) {
    if (wanted != Rung.DRAIN_NOW && wanted != Rung.DRAIN_AT_CHECKPOINT) {
      return new Choice(wanted, "", List.of());
    }
    double since = job.checkpoint().map(at -> hours(Duration.between(at, now))).orElse(-1.0);
    if (since < 0 || job.checkpointSeconds() <= 0) {
      return new Choice(
          wanted, "the job's checkpoints are not known, so nothing could be weighed", List.of());
    }
    List<Option> options = options(job, since, odds);
    Option best = options.getFirst();
    for (Option option : options) {
      best = option.nodeHours() < best.nodeHours() - SAME_HOURS ? option : best;
    }
    return new Choice(
        best.rung(),
        best.words()
            + ", "
            + cost(best)
            + String.format(
                Locale.ROOT,
                "; weighed with a risk of %.0f %% an hour that it fails for good, and %s",
                (1 - Math.exp(-odds.failuresPerHour())) * 100,
                spares(odds.spares())),
        options.stream().map(it -> it.words() + ": " + cost(it)).toList());
  }

  /** The mildest first. */
  private static List<Option> options(JobDescription job, double since, Odds odds) {
    int nodes = Math.max(1, job.members().size());
    double every = job.checkpointSeconds() / 3600.0;
    double wait = Math.max(0, every - since);
    double leaving = restart(job) + (odds.spares() > 0 ? 0 : hours(WITHOUT_SPARE));
    double before = fails(odds, wait);
    List<Option> options = new ArrayList<>();
    if (odds.spares() == 0) {
      double ever = fails(odds, hours(AHEAD));
      options.add(
          new Option(
              Rung.DRAIN_AFTER_JOB,
              nodes * ever * (leaving + every / 2),
              String.format(
                  Locale.ROOT,
                  "after the job, with a %.0f %% chance that it fails within %s",
                  ever * 100,
                  words(hours(AHEAD)))));
    }
    options.add(
        new Option(
            Rung.DRAIN_AT_CHECKPOINT,
            nodes * (leaving + before * (since + wait / 2)),
            String.format(
                Locale.ROOT,
                "at the next checkpoint, in about %s, with a %.0f %% chance that it fails before",
                words(wait),
                before * 100)));
    options.add(
        new Option(
            Rung.DRAIN_NOW,
            nodes * (leaving + since),
            "now, repeating " + words(since) + " since the last checkpoint"));
    return options;
  }

  private static double fails(Odds odds, double hours) {
    return 1 - Math.exp(-odds.failuresPerHour() * hours);
  }

  /** What its own restarts took on average, once it has had some. */
  private static double restart(JobDescription job) {
    double lost =
        job.losses().stream()
            .filter(it -> RESTARTING.contains(it.phase()))
            .mapToDouble(JobLoss::seconds)
            .sum();
    return job.restarts() > 0 && lost > 0 ? lost / job.restarts() / 3600.0 : hours(RESTART);
  }

  private static String spares(int spares) {
    return spares == 0
        ? "no spare node: the job would stand still"
        : spares == 1 ? "1 spare node" : spares + " spare nodes";
  }

  private static String cost(Option option) {
    return String.format(Locale.ROOT, "%.1f node-hours", option.nodeHours());
  }

  private static double hours(Duration duration) {
    return Math.max(0, duration.toMillis() / 3_600_000.0);
  }

  private static String words(double hours) {
    long seconds = Math.round(hours * 3600);
    return seconds < 120
        ? seconds + " s"
        : seconds < 7200 ? Math.round(seconds / 60.0) + " min" : Math.round(hours) + " h";
  }
}
