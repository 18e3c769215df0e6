package dev.holdfast.doctor.report;

import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Outcome;
import dev.holdfast.doctor.check.CheckResult;
import java.util.Locale;

/**
 * The report in Prometheus text form, for the node exporter's textfile folder.
 *
 * <p>Every check has one series per outcome, so that a skip can never be read as a zero.
 */
public final class PrometheusReport {
  private PrometheusReport() {}

  public static String write(Report report) {
    StringBuilder out = new StringBuilder();
    String node = label(report.node());
    head(out, "holdfast_check_outcome", "1 for the outcome the check had.");
    for (CheckResult result : report.results()) {
      for (Outcome outcome : Outcome.values()) {
        out.append(
            "holdfast_check_outcome{node=\"%s\",check=\"%s\",outcome=\"%s\"} %d\n"
                .formatted(
                    node, result.info().id(), outcome.word(), outcome == result.outcome() ? 1 : 0));
      }
    }
    head(out, "holdfast_finding", "1 for every finding; see the labels.");
    for (Finding finding : report.findings()) {
      out.append(
          "holdfast_finding{node=\"%s\",check=\"%s\",subject=\"%s\",severity=\"%s\",class=\"%s\"} 1\n"
              .formatted(
                  node,
                  finding.check(),
                  label(finding.subject().toString()),
                  finding.severity().word(),
                  finding.faultClass().word()));
    }
    head(out, "holdfast_doctor_seconds", "How long the examination took.");
    out.append(
        String.format(
            Locale.ROOT,
            "holdfast_doctor_seconds{node=\"%s\"} %.3f\n",
            node,
            report.took().toMillis() / 1000.0));
    head(out, "holdfast_doctor_time_seconds", "When the examination was made.");
    out.append(
        "holdfast_doctor_time_seconds{node=\"%s\"} %d\n"
            .formatted(node, report.time().getEpochSecond()));
    return out.toString();
  }

  private static void head(StringBuilder out, String name, String help) {
    out.append("# HELP %s %s\n# TYPE %s gauge\n".formatted(name, help, name));
  }

  private static String label(String text) {
    return text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
  }
}
