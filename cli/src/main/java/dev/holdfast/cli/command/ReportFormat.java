package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.core.text.Json;
import dev.holdfast.doctor.report.JsonReport;
import dev.holdfast.doctor.report.JunitReport;
import dev.holdfast.doctor.report.PrometheusReport;
import dev.holdfast.doctor.report.Report;
import dev.holdfast.doctor.report.TableReport;

/** The forms in which a report is written. */
enum ReportFormat {
  TABLE,
  JSON,
  /** JSON on one line, for programs that read many. */
  JSONL,
  JUNIT,
  PROMETHEUS;

  void write(Report report, Console console, boolean everyCheck) {
    switch (this) {
      case TABLE ->
          console.answer(
              new TableReport(console.style(), console.width(), everyCheck).write(report));
      case JSON -> console.answer(JsonReport.write(report));
      case JSONL -> console.answer(Json.line(JsonReport.tree(report)) + "\n");
      case JUNIT -> console.document(JunitReport.write(report));
      case PROMETHEUS -> console.document(PrometheusReport.write(report));
    }
  }
}
