package dev.holdfast.doctor.report;

import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Outcome;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.check.CheckResult;
import dev.holdfast.doctor.check.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What an examination of one node found.
 *
 * @param notes things said once for the whole run, such as a state folder that cannot be written
 */
public record Report(
    String node,
    Instant time,
    Level level,
    List<CheckResult> results,
    List<String> notes,
    Duration took) {
  public Report {
    results = List.copyOf(results);
    notes = List.copyOf(notes);
  }

  /** The same report with more said for the whole run. */
  public Report withNotes(List<String> more) {
    List<String> all = new ArrayList<>(notes);
    all.addAll(more);
    return new Report(node, time, level, results, all, took);
  }

  /** The same report where all that was skipped has one reason. */
  public Report skippedBecause(String why) {
    List<CheckResult> all =
        results.stream()
            .map(
                result ->
                    result.outcome() == Outcome.SKIP
                        ? CheckResult.skipped(result.info(), why, result.took())
                        : result)
            .toList();
    return new Report(node, time, level, all, notes, took);
  }

  /** Worst first, then in the order of the checks. */
  public List<Finding> findings() {
    return results.stream()
        .flatMap(result -> result.findings().stream())
        .sorted(Comparator.comparing(Finding::severity).reversed())
        .toList();
  }

  public long count(Outcome outcome) {
    return results.stream().filter(result -> result.outcome() == outcome).count();
  }

  /** Whether the run must end with exit code 1. */
  public boolean failsOn(Severity threshold) {
    return results.stream()
        .flatMap(result -> result.findings().stream())
        .anyMatch(finding -> finding.severity().atLeast(threshold));
  }

  /** Skipped checks by reason, most frequent first, so that each reason is said once. */
  public Map<String, List<String>> skips() {
    Map<String, List<String>> byReason = new LinkedHashMap<>();
    for (CheckResult result : results) {
      if (result.outcome() == Outcome.SKIP) {
        byReason.computeIfAbsent(result.detail(), _ -> new ArrayList<>()).add(result.info().id());
      }
    }
    Map<String, List<String>> sorted = new LinkedHashMap<>();
    byReason.entrySet().stream()
        .sorted(Comparator.comparing(entry -> -entry.getValue().size()))
        .forEach(entry -> sorted.put(entry.getKey(), entry.getValue()));
    return sorted;
  }
}
