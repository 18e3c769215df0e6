package dev.holdfast.control.api;

import dev.holdfast.control.state.ClusterState;
import dev.holdfast.control.state.JobView;
import dev.holdfast.core.cluster.JobDescription;
import dev.holdfast.core.cluster.JobLoss;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Times;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How much of the time of running jobs trained the model, and where the rest went: of each job the
 * share of its time that was not lost, of all jobs the same weighted by their processes.
 */
final class GoodputJson {
  private GoodputJson() {}

  private record Loss(String phase, String cause) implements Comparable<Loss> {
    @Override
    public int compareTo(Loss other) {
      int phases = phase.compareTo(other.phase);
      return phases != 0 ? phases : cause.compareTo(other.cause);
    }
  }

  static Map<String, @Nullable Object> of(ClusterState state, Instant now) {
    List<Object> lines = new ArrayList<>();
    Map<Loss, Double> losses = new TreeMap<>();
    double all = 0;
    double good = 0;
    for (JobView view : state.jobs()) {
      JobDescription job = view.job();
      if (job.state().over()) {
        continue;
      }
      long processes = processes(job);
      double elapsed = elapsed(view, now);
      double lost = lost(job, elapsed);
      all += processes * elapsed;
      good += processes * (elapsed - lost);
      for (JobLoss loss : job.losses()) {
        losses.merge(new Loss(loss.phase(), loss.cause()), processes * loss.seconds(), Double::sum);
      }
      lines.add(line(view, now));
    }
    return Json.map(
        "schema",
        "holdfast.goodput/1",
        "time",
        Times.show(now),
        "goodput",
        all > 0 ? good / all : null,
        "processSeconds",
        all,
        "jobs",
        lines,
        "losses",
        losses(losses));
  }

  /**
   * The same over a window, jobs that are over included: every lost minute by phase, cause and job.
   * What a job lost counts in the hour in which it told of it.
   */
  static Map<String, @Nullable Object> within(ClusterState state, Duration window, Instant now) {
    Instant since = now.minus(window);
    List<ClusterState.LostTime> ledger = state.lostSince(since);
    Map<Loss, Double> losses = new TreeMap<>();
    Map<String, Double> lost = new TreeMap<>();
    for (ClusterState.LostTime it : ledger) {
      losses.merge(new Loss(it.phase(), it.cause()), it.processSeconds(), Double::sum);
      lost.merge(it.job(), it.processSeconds(), Double::sum);
    }
    List<Object> lines = new ArrayList<>();
    double all = 0;
    double good = 0;
    for (JobView view : state.jobs()) {
      double elapsed = overlap(view, since, now);
      if (elapsed <= 0) {
        continue;
      }
      double total = processes(view.job()) * elapsed;
      all += total;
      good += Math.max(0, total - lost.getOrDefault(view.id(), 0.0));
      lines.add(line(view, now));
    }
    return Json.map(
        "schema",
        "holdfast.goodput/1",
        "time",
        Times.show(now),
        "since",
        Times.show(since),
        "goodput",
        all > 0 ? good / all : null,
        "processSeconds",
        all,
        "jobs",
        lines,
        "losses",
        losses(losses),
        "ledger",
        ledger.stream()
            .map(
                it ->
                    Json.map(
                        "job",
                        it.job(),
                        "phase",
                        it.phase(),
                        "cause",
                        it.cause(),
                        "seconds",
                        it.seconds(),
                        "processSeconds",
                        it.processSeconds()))
            .toList());
  }

  private static double overlap(JobView view, Instant since, Instant now) {
    Instant begun = view.job().begun();
    Instant from = begun.isBefore(since) ? since : begun;
    Instant until = view.job().state().over() ? view.told() : now;
    return Duration.between(from, until).toMillis() / 1000.0;
  }

  private static List<Map<String, @Nullable Object>> losses(Map<Loss, Double> losses) {
    return losses.entrySet().stream()
        .map(
            it ->
                Json.map(
                    "phase",
                    it.getKey().phase(),
                    "cause",
                    it.getKey().cause(),
                    "processSeconds",
                    it.getValue()))
        .toList();
  }

  /** A job without its members, which may be thousands. */
  static Map<String, @Nullable Object> line(JobView view, Instant now) {
    JobDescription job = view.job();
    double elapsed = elapsed(view, now);
    double lost = lost(job, elapsed);
    return Json.map(
        "job",
        job.job(),
        "user",
        job.user(),
        "state",
        job.state().word(),
        "attempt",
        job.attempt(),
        "restarts",
        job.restarts(),
        "begun",
        Times.show(job.begun()),
        "nodes",
        job.members().size(),
        "processes",
        processes(job),
        "step",
        job.step(),
        "stepSeconds",
        job.stepSeconds(),
        "checkpoint",
        job.checkpoint().map(Times::show).orElse(null),
        "elapsedSeconds",
        elapsed,
        "lostSeconds",
        lost,
        "goodput",
        elapsed > 0 ? (elapsed - lost) / elapsed : null);
  }

  private static long processes(JobDescription job) {
    return job.members().processes();
  }

  private static double elapsed(JobView view, Instant now) {
    Instant until = view.job().state().over() ? view.told() : now;
    return Math.max(0, Duration.between(view.job().begun(), until).toMillis() / 1000.0);
  }

  private static double lost(JobDescription job, double elapsed) {
    return Math.min(elapsed, job.losses().stream().mapToDouble(JobLoss::seconds).sum());
  }
}
