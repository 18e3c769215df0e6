package dev.holdfast.doctor.report;

import dev.holdfast.core.health.FindingForm;
import dev.holdfast.core.health.Outcome;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Times;
import dev.holdfast.doctor.check.CheckResult;
import java.util.Map;

/** The report as {@code holdfast.doctor/1}; the schema is {@code docs/schema/doctor.json}. */
public final class JsonReport {
  private JsonReport() {}

  public static String write(Report report) {
    return Json.pretty(tree(report));
  }

  public static Map<String, Object> tree(Report report) {
    return Json.map(
        "schema",
        "holdfast.doctor/1",
        "node",
        report.node(),
        "time",
        Times.show(report.time()),
        "level",
        report.level().word(),
        "seconds",
        report.took().toMillis() / 1000.0,
        "summary",
        Json.map(
            "pass",
            report.count(Outcome.PASS),
            "warn",
            report.count(Outcome.WARN),
            "fail",
            report.count(Outcome.FAIL),
            "skip",
            report.count(Outcome.SKIP)),
        "checks",
        report.results().stream().map(JsonReport::check).toList(),
        "findings",
        report.findings().stream().map(FindingForm::json).toList(),
        "notes",
        report.notes());
  }

  private static Map<String, Object> check(CheckResult result) {
    return Json.map(
        "id",
        result.info().id(),
        "outcome",
        result.outcome().word(),
        "question",
        result.info().question(),
        "detail",
        result.detail(),
        "level",
        result.info().level().word(),
        "class",
        result.info().faultClass().word(),
        "proof",
        result.info().proof().word(),
        "seconds",
        result.took().toMillis() / 1000.0);
  }
}
