package dev.holdfast.doctor.report;

import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Outcome;
import dev.holdfast.core.text.Xml;
import dev.holdfast.doctor.check.CheckResult;
import java.util.Locale;

/**
 * The report as JUnit XML, so that any CI shows checks as tests. A warning passes, with its text.
 */
public final class JunitReport {
  private JunitReport() {}

  public static String write(Report report) {
    StringBuilder out = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    out.append(
        "<testsuite name=\"holdfast doctor %s\" tests=\"%d\" failures=\"%d\" skipped=\"%d\" time=\"%s\">\n"
            .formatted(
                Xml.escape(report.node()),
                report.results().size(),
                report.count(Outcome.FAIL),
                report.count(Outcome.SKIP),
                seconds(report.took().toMillis())));
    report.results().forEach(result -> check(out, result));
    return out.append("</testsuite>\n").toString();
  }

  private static void check(StringBuilder out, CheckResult result) {
    out.append(
        "  <testcase classname=\"%s\" name=\"%s\" time=\"%s\">\n"
            .formatted(
                result.info().group(), result.info().id(), seconds(result.took().toMillis())));
    switch (result.outcome()) {
      case FAIL ->
          out.append("    <failure message=\"%s\">".formatted(Xml.escape(result.detail())))
              .append(Xml.escape(words(result)))
              .append("</failure>\n");
      case SKIP ->
          out.append("    <skipped message=\"%s\"/>\n".formatted(Xml.escape(result.detail())));
      case WARN ->
          out.append("    <system-out>")
              .append(Xml.escape(words(result)))
              .append("</system-out>\n");
      case PASS -> {}
    }
    out.append("  </testcase>\n");
  }

  private static String words(CheckResult result) {
    StringBuilder words = new StringBuilder();
    for (Finding finding : result.findings()) {
      words
          .append(finding.severity().word())
          .append(' ')
          .append(finding.subject())
          .append(": ")
          .append(finding.summary())
          .append("\n  fix: ")
          .append(finding.remedy())
          .append('\n');
    }
    return words.toString();
  }

  private static String seconds(long millis) {
    return String.format(Locale.ROOT, "%.3f", millis / 1000.0);
  }
}
