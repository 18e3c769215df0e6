package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.core.forensics.logs.LogFinding;
import dev.holdfast.core.forensics.logs.LogMoment;
import dev.holdfast.core.forensics.logs.LogSuspicion;
import dev.holdfast.core.forensics.logs.LogTemplate;
import dev.holdfast.core.forensics.logs.LogVerdict;
import dev.holdfast.core.forensics.logs.LogVolume;
import dev.holdfast.core.forensics.logs.NodeClock;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Times;
import dev.holdfast.core.text.Wrap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the logs of a run tell, for people and for programs. */
record LogText(LogVerdict verdict) {
  private static final int MOST_FINDINGS = 6;
  private static final int MOST_TEMPLATES = 8;
  private static final int MOST_MOMENTS = 12;

  /** The whole answer as a program reads it. */
  Map<String, @Nullable Object> tree() {
    LogVolume volume = verdict.volume();
    return Json.map(
        "files",
        volume.files(),
        "bytes",
        volume.bytes(),
        "lines",
        volume.lines(),
        "ranks",
        volume.ranks(),
        "world",
        volume.world(),
        "absent",
        volume.absent(),
        "unreadable",
        volume.unreadable(),
        "limits",
        volume.limits(),
        "suspicions",
        verdict.suspicions().stream().map(LogText::suspicion).toList(),
        "findings",
        verdict.findings().stream().map(LogText::finding).toList(),
        "templates",
        verdict.templates().stream().map(LogText::template).toList(),
        "timeline",
        verdict.timeline().stream().map(LogText::moment).toList(),
        "clocks",
        verdict.clocks().stream().limit(1000).map(LogText::clock).toList());
  }

  private static Map<String, @Nullable Object> suspicion(LogSuspicion one) {
    return Json.map(
        "ranks",
        one.ranks(),
        "node",
        one.node().isEmpty() ? null : one.node(),
        "class",
        one.kind().word(),
        "confidence",
        one.confidence(),
        "when",
        one.when().map(Times::show).orElse(null),
        "rule",
        one.rule().isEmpty() ? null : one.rule());
  }

  private static Map<String, @Nullable Object> finding(LogFinding one) {
    return Json.map(
        "id",
        one.id(),
        "severity",
        one.severity().word(),
        "ranks",
        one.ranks().isEmpty() ? null : one.ranks(),
        "nodes",
        one.nodes(),
        "summary",
        one.summary(),
        "evidence",
        one.evidence(),
        "meaning",
        one.meaning(),
        "remedy",
        one.remedy(),
        "proof",
        one.proof());
  }

  private static Map<String, @Nullable Object> template(LogTemplate one) {
    return Json.map(
        "text",
        one.text(),
        "count",
        one.count(),
        "ranks",
        one.ranks(),
        "rankCount",
        one.rankCount(),
        "firstRank",
        one.firstRank(),
        "first",
        one.first().map(Times::show).orElse(null),
        "rule",
        one.rule().isEmpty() ? null : one.rule());
  }

  private static Map<String, @Nullable Object> moment(LogMoment one) {
    return Json.map(
        "time",
        one.time().map(Times::show).orElse(null),
        "role",
        one.role().word(),
        "ranks",
        one.ranks().isEmpty() ? null : one.ranks(),
        "node",
        one.node().isEmpty() ? null : one.node(),
        "text",
        one.text(),
        "source",
        one.source());
  }

  private static Map<String, @Nullable Object> clock(NodeClock one) {
    return Json.map(
        "node",
        one.node(),
        "offsetSeconds",
        one.offset().toNanos() / 1e9,
        "withinSeconds",
        one.within().toNanos() / 1e9,
        "events",
        one.events());
  }

  /** What belongs below a verdict. */
  String sections(Console console) {
    StringBuilder out = new StringBuilder();
    section(
        out,
        console,
        "Timeline",
        verdict.timeline().stream().map(LogText::line).toList(),
        MOST_MOMENTS);
    section(
        out,
        console,
        "Findings",
        verdict.findings().stream().map(LogText::line).toList(),
        MOST_FINDINGS);
    section(
        out,
        console,
        "Said",
        verdict.templates().stream().map(LogText::line).toList(),
        MOST_TEMPLATES);
    return out.toString();
  }

  private static String named(String ranks) {
    return (ranks.indexOf(',') < 0 && ranks.indexOf('-') < 0 ? "rank " : "ranks ") + ranks;
  }

  private static String line(LogMoment one) {
    String who = one.ranks().isEmpty() ? one.node() : named(one.ranks());
    return one.time().map(time -> Times.show(time).substring(11, 23)).orElse("            ")
        + "  %-11s ".formatted(one.role().word())
        + (who.isEmpty() ? "" : who + ": ")
        + one.text();
  }

  private static String line(LogFinding one) {
    String who = one.ranks().isEmpty() ? String.join(", ", one.nodes()) : named(one.ranks());
    return one.severity().word()
        + "  "
        + one.id()
        + "  "
        + one.summary()
        + (who.isBlank() ? "" : " (" + who + ")")
        + " "
        + one.remedy();
  }

  private static String line(LogTemplate one) {
    return "%d× by %s: %s"
        .formatted(one.count(), one.ranks().isEmpty() ? "no rank" : named(one.ranks()), one.text());
  }

  private static void section(
      StringBuilder out, Console console, String title, List<String> lines, int most) {
    if (!lines.isEmpty()) {
      out.append('\n').append(console.style().bold(title)).append('\n');
      lines.stream()
          .limit(most)
          .forEach(
              line -> out.append("  ").append(Wrap.hanging(line, 4, console.width())).append('\n'));
      if (lines.size() > most) {
        out.append("  and ").append(lines.size() - most).append(" more (--format json)\n");
      }
    }
  }
}
