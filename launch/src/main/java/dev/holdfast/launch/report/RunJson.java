package dev.holdfast.launch.report;

import dev.holdfast.core.forensics.Decision;
import dev.holdfast.core.forensics.Diagnosis;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Times;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A report as {@code holdfast.run/1}; what is not known is left out. */
final class RunJson {
  private static final int MOST_SEGMENTS = 10_000;

  private RunJson() {}

  static Map<String, @Nullable Object> of(RunReport report) {
    List<RunReport.Segment> segments = report.segments();
    return Json.map(
        "schema",
        "holdfast.run/1",
        "job",
        report.job(),
        "command",
        report.command(),
        "begun",
        report.begun() == null ? null : Times.show(report.begun()),
        "ended",
        report.ended(),
        "exitCode",
        report.exitCode() < 0 ? null : report.exitCode(),
        "why",
        report.why().isEmpty() ? null : report.why(),
        "wallSeconds",
        seconds(report.wall()),
        "goodput",
        report.goodput().isPresent() ? report.goodput().getAsDouble() : null,
        "bestStep",
        report.bestStep() < 0 ? null : report.bestStep(),
        "spentSeconds",
        spent(report.spent()),
        "attempts",
        report.attempts().stream().map(attempt -> attempt(report, attempt)).toList(),
        "interruptions",
        report.losses().stream().map(RunJson::loss).toList(),
        "segments",
        segments.stream().limit(MOST_SEGMENTS).map(RunJson::segment).toList(),
        "segmentsLeftOut",
        segments.size() > MOST_SEGMENTS ? segments.size() - MOST_SEGMENTS : null,
        "marks",
        report.marks().stream().map(RunJson::mark).toList());
  }

  private static Map<String, @Nullable Object> attempt(
      RunReport report, RunReport.Attempt attempt) {
    return Json.map(
        "attempt",
        attempt.number(),
        "world",
        attempt.world() < 0 ? null : attempt.world(),
        "nodes",
        attempt.nodes(),
        "preparedSeconds",
        seconds(attempt.prepared()),
        "startedSeconds",
        seconds(attempt.started()),
        "firstStepSeconds",
        seconds(attempt.firstStep()),
        "faultSeconds",
        seconds(attempt.fault()),
        "endedSeconds",
        seconds(attempt.ended()),
        "fromStep",
        attempt.fromStep() < 0 ? null : attempt.fromStep(),
        "toStep",
        attempt.toStep() < 0 ? null : attempt.toStep(),
        "repeatedSteps",
        attempt.repeatedSteps(),
        "warmRanks",
        attempt.warmRanks() == 0 ? null : attempt.warmRanks(),
        "outcome",
        attempt.outcome().isEmpty() ? null : attempt.outcome(),
        "spentSeconds",
        spent(report.spent(attempt.number())));
  }

  private static Map<String, @Nullable Object> loss(Loss loss) {
    Diagnosis diagnosis = loss.attempt().diagnosis();
    Decision decision = loss.attempt().decision();
    return Json.map(
        "attempt",
        loss.attempt().number(),
        "atSeconds",
        seconds(loss.attempt().fault()),
        "diagnosis",
        diagnosis == null ? null : diagnosis.json(),
        "decision",
        decision == null ? null : decision.json(),
        "lostSeconds",
        Json.map(
            "total",
            seconds(loss.total()),
            "detect",
            seconds(loss.detect()),
            "decide",
            seconds(loss.decide()),
            "stop",
            seconds(loss.stop()),
            "restart",
            seconds(loss.restart()),
            "initialise",
            seconds(loss.initialise()),
            "repeat",
            seconds(loss.repeat())));
  }

  private static Map<String, @Nullable Object> segment(RunReport.Segment segment) {
    return Json.map(
        "attempt",
        segment.attempt() < 0 ? null : segment.attempt(),
        "spent",
        segment.spent().word(),
        "fromSeconds",
        seconds(segment.from()),
        "toSeconds",
        seconds(segment.to()));
  }

  private static Map<String, @Nullable Object> mark(RunReport.Mark mark) {
    return Json.map("atSeconds", seconds(mark.at()), "kind", mark.kind(), "text", mark.text());
  }

  private static Map<String, @Nullable Object> spent(Map<Spent, Duration> spent) {
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    spent.forEach((what, time) -> tree.put(what.word(), seconds(time)));
    return tree;
  }

  private static @Nullable Double seconds(@Nullable Duration time) {
    return time == null ? null : Math.round(time.toNanos() / 1e6) / 1e3;
  }
}
