package dev.holdfast.control.slurm;

import dev.holdfast.core.slurm.Parsed;
import dev.holdfast.core.slurm.SlurmJob;
import dev.holdfast.core.slurm.SlurmNode;
import dev.holdfast.core.slurm.SlurmStep;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.MetricsText;
import dev.holdfast.core.text.Times;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How it stands with Slurm, the last good answer kept: what people see when they ask.
 *
 * @param cluster empty: not known yet
 * @param good when it was last read, none: never
 * @param problem why it could not be read since, empty: nothing is wrong
 * @param nodes how many are in which state
 * @param strangers nodes of Slurm that no agent looks after, so many and the first of them
 * @param broken records that could not be read, in all answers so far
 * @param unknown words for states no release we know has, in the last answers
 * @param clockAhead by how much slurmctld's clock is ahead of ours, none: not known
 * @param reads how often it was read so far, and {@code calls}: programs and requests in all
 * @param readBy what answered last: slurmrestd, or Slurm's programs
 * @param restProblem why it was not slurmrestd, which was named; empty: it was, or none is named
 */
public record SlurmStatus(
    String cluster,
    String version,
    Optional<Instant> good,
    Duration took,
    String problem,
    int failures,
    SortedMap<String, Integer> nodes,
    SortedMap<String, Integer> jobs,
    int strangers,
    List<String> someStrangers,
    long broken,
    String firstBroken,
    SortedMap<String, Integer> unknown,
    Optional<Duration> clockAhead,
    long reads,
    long calls,
    long lifted,
    String readBy,
    String restProblem) {
  static final SlurmStatus NOTHING =
      new SlurmStatus(
          "",
          "",
          Optional.empty(),
          Duration.ZERO,
          "not asked yet",
          0,
          Collections.emptySortedMap(),
          Collections.emptySortedMap(),
          0,
          List.of(),
          0,
          "",
          Collections.emptySortedMap(),
          Optional.empty(),
          0,
          0,
          0,
          "",
          "");

  private static final int SOME = 20;

  SlurmStatus named(String name, String release, Optional<Duration> ahead) {
    return new SlurmStatus(
        name,
        release,
        good,
        took,
        problem,
        failures,
        nodes,
        jobs,
        strangers,
        someStrangers,
        broken,
        firstBroken,
        unknown,
        ahead,
        reads,
        calls,
        lifted,
        readBy,
        restProblem);
  }

  SlurmStatus away(String why, long called) {
    return new SlurmStatus(
        cluster,
        version,
        good,
        took,
        why,
        failures + 1,
        nodes,
        jobs,
        strangers,
        someStrangers,
        broken,
        firstBroken,
        unknown,
        clockAhead,
        reads,
        called,
        lifted,
        readBy,
        restProblem);
  }

  SlurmStatus read(
      SlurmLooks.Look look,
      List<String> noAgent,
      Instant at,
      Duration lasted,
      long called,
      int newlyLifted) {
    Parsed<SlurmNode> allNodes = look.nodes();
    Parsed<SlurmJob> allJobs = look.jobs();
    Parsed<SlurmStep> allSteps = look.steps();
    SortedMap<String, Integer> nodeCounts = new TreeMap<>();
    allNodes.items().forEach(it -> nodeCounts.merge(it.state(), 1, Integer::sum));
    SortedMap<String, Integer> jobCounts = new TreeMap<>();
    allJobs.items().forEach(it -> jobCounts.merge(it.state().word(), 1, Integer::sum));
    SortedMap<String, Integer> words = new TreeMap<>(allNodes.unknown());
    allJobs.unknown().forEach((word, count) -> words.merge(word, count, Integer::sum));
    String first =
        Stream.of(allNodes, allJobs, allSteps)
            .map(Parsed::firstBroken)
            .filter(it -> !it.isEmpty())
            .findFirst()
            .orElse(firstBroken);
    return new SlurmStatus(
        cluster,
        version,
        Optional.of(at),
        lasted,
        "",
        0,
        nodeCounts,
        jobCounts,
        noAgent.size(),
        noAgent.stream().limit(SOME).toList(),
        broken + allNodes.broken() + allJobs.broken() + allSteps.broken(),
        first,
        words,
        clockAhead,
        reads + 1,
        called,
        lifted + newlyLifted,
        look.by(),
        look.restProblem());
  }

  public Map<String, @Nullable Object> json() {
    return Json.map(
        "cluster",
        cluster.isEmpty() ? null : cluster,
        "version",
        version.isEmpty() ? null : version,
        "answers",
        problem.isEmpty(),
        "problem",
        problem.isEmpty() ? null : problem,
        "failures",
        failures,
        "lastGood",
        good.map(Times::show).orElse(null),
        "readSeconds",
        took.toMillis() / 1000.0,
        "nodes",
        nodes,
        "jobs",
        jobs,
        "withoutAgent",
        strangers,
        "someWithoutAgent",
        someStrangers,
        "unreadable",
        broken,
        "firstUnreadable",
        firstBroken.isEmpty() ? null : firstBroken,
        "unknownWords",
        unknown,
        "clockAheadSeconds",
        clockAhead.map(it -> it.toMillis() / 1000.0).orElse(null),
        "reads",
        reads,
        "calls",
        calls,
        "exclusionsLifted",
        lifted,
        "readBy",
        readBy.isEmpty() ? null : readBy,
        "restProblem",
        restProblem.isEmpty() ? null : restProblem);
  }

  /** The same for Prometheus. */
  public void write(MetricsText text) {
    text.one(
        "holdfast_slurm_up",
        "gauge",
        "1 while Slurm answers, 0 while the last good answer is kept.",
        problem.isEmpty() ? 1 : 0);
    text.one(
        "holdfast_slurm_last_read_timestamp_seconds",
        "gauge",
        "When Slurm was last read, in seconds since 1970.",
        good.map(it -> it.toEpochMilli() / 1000.0).orElse(0.0));
    text.one(
        "holdfast_slurm_read_seconds", "gauge", "How long that took.", took.toMillis() / 1000.0);
    text.one(
        "holdfast_slurm_calls_total",
        "counter",
        "Programs of Slurm that were run and requests to slurmrestd.",
        calls);
    text.one(
        "holdfast_slurm_nodes_without_agent",
        "gauge",
        "Nodes of Slurm that no agent looks after.",
        strangers);
    text.one(
        "holdfast_slurm_unreadable_records_total",
        "counter",
        "Nodes, jobs and steps in Slurm's answers that could not be read.",
        broken);
    text.one(
        "holdfast_slurm_unknown_states",
        "gauge",
        "Words for states in Slurm's last answers that Holdfast does not know.",
        unknown.values().stream().mapToInt(Integer::intValue).sum());
    clockAhead.ifPresent(
        it ->
            text.one(
                "holdfast_slurm_clock_ahead_seconds",
                "gauge",
                "By how much slurmctld's clock is ahead of the control plane's.",
                it.toMillis() / 1000.0));
  }
}
