package dev.holdfast.launch.report;

import dev.holdfast.core.forensics.Decision;
import dev.holdfast.core.forensics.Diagnosis;
import dev.holdfast.core.forensics.FailureRule;
import dev.holdfast.core.forensics.FailureRules;
import dev.holdfast.core.forensics.Ranks;
import dev.holdfast.core.text.Durations;
import dev.holdfast.core.text.Times;
import dev.holdfast.core.text.Wrap;
import dev.holdfast.core.text.Xml;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A run in a browser: one file, no script, no reference to anything else. */
final class RunHtml {
  private static final int MOST_INTERRUPTIONS = 200;
  private static final int MOST_MARKS = 100;

  private final RunReport report;
  private final StringBuilder out = new StringBuilder();

  private RunHtml(RunReport report) {
    this.report = report;
  }

  static String page(RunReport report) {
    return new RunHtml(report).write();
  }

  private String write() {
    String job = report.job().isEmpty() ? "(unnamed)" : report.job();
    out.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    out.append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    out.append("<title>Run ").append(Xml.escape(job)).append("</title>\n<style>\n");
    out.append(style()).append("</style>\n</head>\n<body>\n<main>\n");
    head(job);
    numbers();
    out.append("<section>\n").append(RunPicture.of(report));
    legend();
    out.append("</section>\n");
    interruptions();
    attempts();
    marks();
    return out.append("</main>\n</body>\n</html>\n").toString();
  }

  private void head(String job) {
    boolean good = report.ended() && report.exitCode() == 0;
    tag("h1", "", "Run " + job);
    tag(
        "p",
        good ? "verdict good" : report.ended() ? "verdict bad" : "verdict",
        RunText.verdict(report));
    if (!report.why().isEmpty()) {
      tag("p", "", report.why());
    }
    if (!report.command().isEmpty()) {
      out.append("<p><code>")
          .append(Xml.escape(Wrap.cut(String.join(" ", report.command()), 400)))
          .append("</code></p>\n");
    }
  }

  private void numbers() {
    out.append("<dl class=\"numbers\">\n");
    number("goodput", report.goodput().isPresent() ? RunText.goodput(report) : "not known");
    number("duration", Durations.show(report.wall()));
    number("attempts", String.valueOf(report.attempts().size()));
    number("interruptions", String.valueOf(report.losses().size()));
    number("furthest step", report.bestStep() < 0 ? "not told" : RunText.number(report.bestStep()));
    number(
        "begun",
        report.begun() == null ? "not known" : Times.show(report.begun()).substring(0, 19) + "Z");
    out.append("</dl>\n");
  }

  private void number(String name, String value) {
    out.append("<div><dt>")
        .append(name)
        .append("</dt><dd>")
        .append(Xml.escape(value))
        .append("</dd></div>\n");
  }

  private void legend() {
    out.append("<ul class=\"legend\">\n");
    for (Map.Entry<Spent, Duration> entry : report.spent().entrySet()) {
      Spent spent = entry.getKey();
      double share = (double) entry.getValue().toNanos() / Math.max(1, report.wall().toNanos());
      out.append("<li title=\"").append(Xml.escape(spent.meaning())).append("\"><i class=\"");
      out.append(spent.word()).append("\"></i>").append(spent.title()).append(" <b>");
      out.append(Durations.show(entry.getValue())).append("</b> ");
      out.append(RunText.percent(share)).append("</li>\n");
    }
    out.append("</ul>\n");
  }

  private void interruptions() {
    List<Loss> losses = report.losses();
    if (losses.isEmpty()) {
      return;
    }
    tag("h2", "", "Interruptions");
    for (int i = 0; i < Math.min(MOST_INTERRUPTIONS, losses.size()); i++) {
      interruption(i + 1, losses.get(i));
    }
    if (losses.size() > MOST_INTERRUPTIONS) {
      tag("p", "", (losses.size() - MOST_INTERRUPTIONS) + " more are in run.json.");
    }
  }

  private void interruption(int number, Loss loss) {
    RunReport.Attempt attempt = loss.attempt();
    Diagnosis diagnosis = attempt.diagnosis();
    Decision decision = attempt.decision();
    out.append("<article>\n<h3><span class=\"badge\">").append(number).append("</span> ");
    out.append(Xml.escape(RunText.cause(diagnosis))).append(" <small>");
    out.append(Xml.escape(where(attempt))).append("</small></h3>\n");
    if (diagnosis != null) {
      tag("p", "", diagnosis.what());
      if (!diagnosis.ranks().isEmpty()) {
        tag("p", "quiet", suspects(diagnosis));
      }
      FailureRules.byId(diagnosis.rule())
          .map(FailureRule::remedy)
          .ifPresent(remedy -> tag("p", "", "What to do: " + remedy));
      if (!diagnosis.evidence().isEmpty()) {
        out.append("<details><summary>evidence</summary><ul>\n");
        diagnosis.evidence().forEach(line -> tag("li", "", line));
        out.append("</ul></details>\n");
      }
    }
    lost(loss);
    if (decision != null) {
      tag("p", "decision", decision.why());
    }
    out.append("</article>\n");
  }

  private static String where(RunReport.Attempt attempt) {
    return "attempt "
        + attempt.number()
        + (attempt.fault() == null ? "" : ", after " + Durations.show(attempt.fault()))
        + (attempt.toStep() < 0 ? "" : ", step " + RunText.number(attempt.toStep()));
  }

  private static String suspects(Diagnosis diagnosis) {
    return "Suspected: rank "
        + Ranks.show(diagnosis.ranks())
        + (diagnosis.node().isEmpty() ? "" : " on " + diagnosis.node())
        + ", confidence "
        + Math.round(diagnosis.confidence() * 100)
        + " %";
  }

  private void lost(Loss loss) {
    out.append("<table><tr><th>detect</th><th>decide</th><th>stop</th><th>restart</th>");
    out.append("<th>initialise</th><th>repeat</th><th>lost</th></tr><tr>");
    cell(loss.detect());
    cell(loss.decide());
    cell(loss.stop());
    cell(loss.restart());
    cell(loss.initialise());
    cell(loss.repeat());
    cell(loss.total());
    out.append("</tr></table>\n");
  }

  private void cell(@Nullable Duration time) {
    out.append("<td>").append(time == null ? "–" : Durations.show(time)).append("</td>");
  }

  private void attempts() {
    if (report.attempts().isEmpty()) {
      return;
    }
    tag("h2", "", "Attempts");
    out.append(
        "<table class=\"wide\"><tr><th>attempt</th><th>ranks</th><th>nodes</th><th>steps</th>");
    out.append("<th>repeated</th><th>training</th><th>ended</th></tr>\n");
    for (RunReport.Attempt attempt : report.attempts()) {
      Map<Spent, Duration> spent = report.spent(attempt.number());
      String steps =
          attempt.fromStep() < 0
              ? "not told"
              : RunText.number(attempt.fromStep()) + " – " + RunText.number(attempt.toStep());
      out.append("<tr><td>").append(attempt.number()).append("</td><td>");
      out.append(attempt.world() < 0 ? "?" : attempt.world()).append("</td><td>");
      out.append(attempt.nodes().isEmpty() ? "?" : attempt.nodes().size()).append("</td><td>");
      out.append(steps).append("</td><td>").append(RunText.number(attempt.repeatedSteps()));
      out.append("</td><td>");
      Duration training =
          spent.getOrDefault(Spent.TRAINING, spent.getOrDefault(Spent.RUNNING, Duration.ZERO));
      out.append(Durations.show(training)).append("</td><td>");
      String outcome = attempt.outcome().isEmpty() ? "not known" : attempt.outcome();
      out.append(Xml.escape(attempt.interrupted() ? RunText.cause(attempt.diagnosis()) : outcome));
      out.append("</td></tr>\n");
    }
    out.append("</table>\n");
  }

  private void marks() {
    if (report.marks().isEmpty()) {
      return;
    }
    tag("h2", "", "Also");
    out.append("<ul>\n");
    report.marks().stream()
        .limit(MOST_MARKS)
        .forEach(mark -> tag("li", "", RunText.clock(mark.at()) + "  " + mark.text()));
    out.append("</ul>\n");
  }

  private void tag(String name, String kind, String text) {
    out.append('<').append(name);
    if (!kind.isEmpty()) {
      out.append(" class=\"").append(kind).append('"');
    }
    out.append('>').append(Xml.escape(text)).append("</").append(name).append(">\n");
  }

  static String style() {
    try (InputStream in =
        Objects.requireNonNull(RunHtml.class.getResourceAsStream("run.css"), "run.css")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
