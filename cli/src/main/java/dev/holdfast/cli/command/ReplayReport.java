package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.control.replay.Choice;
import dev.holdfast.control.replay.Comparison;
import dev.holdfast.control.replay.Cost;
import dev.holdfast.control.replay.Difference;
import dev.holdfast.core.text.Columns;
import dev.holdfast.core.text.Durations;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Times;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Two policies on one history, for people and for programs. */
final class ReplayReport {
  private ReplayReport() {}

  static String table(Comparison comparison, Console console) {
    StringBuilder out = new StringBuilder();
    if (comparison.differences().isEmpty()) {
      out.append("no decision differs\n");
    } else {
      Columns columns =
          new Columns(Set.of(5), "when", "incident", "subject", "old", "new", "GPU-hours");
      comparison.differences().forEach(it -> columns.add(row(it)));
      out.append(columns.text(console.style()));
    }
    Duration time = Duration.between(comparison.from(), comparison.until());
    out.append(
        "\n%d decisions differ on %s of history (%d batches); old: %s; new: %s\n"
            .formatted(
                comparison.differences().size(),
                Durations.show(time),
                comparison.batches(),
                words(comparison.before()),
                words(comparison.after())));
    out.append(
        "the old policy makes %d of the %d recorded decisions again%s\n"
            .formatted(
                comparison.reproduced(),
                comparison.recorded(),
                comparison.reproduced() == comparison.recorded()
                    ? ""
                    : ": another held then (--old), or the rest cannot be repeated"));
    if (comparison.unmatchedWishes() > 0) {
      out.append(
          "%d approvals and rejections speak of decisions the new policy does not make\n"
              .formatted(comparison.unmatchedWishes()));
    }
    return out.toString();
  }

  private static List<String> row(Difference it) {
    return List.of(
        it.at().truncatedTo(ChronoUnit.SECONDS).toString(),
        it.incident(),
        it.subject(),
        words(it.before()),
        words(it.after()),
        String.format(Locale.ROOT, "%+.1f", it.hours()));
  }

  private static String words(Optional<Choice> choice) {
    return choice.map(it -> it.rung().word() + " (" + it.stand().word() + ")").orElse("nothing");
  }

  private static String words(Comparison.Summary summary) {
    return String.format(
        Locale.ROOT,
        "%d nodes taken out, %d jobs interrupted, %.1f GPU-hours",
        summary.takenOut(),
        summary.restarts(),
        summary.cost().hours());
  }

  static String json(Comparison comparison) {
    return Json.pretty(
        Json.map(
            "schema",
            "holdfast.replay/1",
            "from",
            Times.show(comparison.from()),
            "until",
            Times.show(comparison.until()),
            "batches",
            comparison.batches(),
            "recordedDecisions",
            comparison.recorded(),
            "reproducedDecisions",
            comparison.reproduced(),
            "unmatchedWishes",
            comparison.unmatchedWishes(),
            "old",
            json(comparison.before()),
            "new",
            json(comparison.after()),
            "differences",
            comparison.differences().stream().map(ReplayReport::json).toList()));
  }

  private static Map<String, @Nullable Object> json(Comparison.Summary summary) {
    return Json.map(
        "decisions",
        summary.decisions(),
        "nodesTakenOut",
        summary.takenOut(),
        "jobsInterrupted",
        summary.restarts(),
        "cost",
        json(summary.cost()));
  }

  private static Map<String, @Nullable Object> json(Difference it) {
    return Json.map(
        "at",
        Times.show(it.at()),
        "incident",
        it.incident().isEmpty() ? null : it.incident(),
        "cause",
        it.cause(),
        "subject",
        it.subject(),
        "old",
        it.before().map(ReplayReport::json).orElse(null),
        "new",
        it.after().map(ReplayReport::json).orElse(null),
        "oldCost",
        json(it.costBefore()),
        "newCost",
        json(it.costAfter()),
        "gpuHours",
        it.hours());
  }

  private static Map<String, @Nullable Object> json(Choice choice) {
    return Json.map(
        "rule",
        choice.rule().isEmpty() ? null : choice.rule(),
        "rung",
        choice.rung().word(),
        "stand",
        choice.stand().word(),
        "held",
        choice.held().isEmpty() ? null : choice.held());
  }

  private static Map<String, @Nullable Object> json(Cost cost) {
    return Json.map("outGpuHours", cost.out(), "restartGpuHours", cost.restarts());
  }
}
