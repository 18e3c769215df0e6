package dev.holdfast.launch.report;

import dev.holdfast.core.forensics.Decision;
import dev.holdfast.core.forensics.Diagnosis;
import dev.holdfast.core.forensics.FailureClass;
import dev.holdfast.core.forensics.Ranks;
import dev.holdfast.core.text.Durations;
import dev.holdfast.core.text.Style;
import dev.holdfast.core.text.Times;
import dev.holdfast.core.text.Wrap;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A run on a terminal: the verdict first, then where the time went, then each interruption. */
final class RunText {
  private static final int MOST_INTERRUPTIONS = 20;
  private static final int MOST_MARKS = 10;
  private static final String EIGHTHS = " ▏▎▍▌▋▊▉";

  private final RunReport report;
  private final int width;
  private final Style style;
  private final StringBuilder out = new StringBuilder();

  RunText(RunReport report, int width, Style style) {
    this.report = report;
    this.width = width;
    this.style = style;
  }

  String page() {
    headline();
    times();
    interruptions();
    marks();
    return out.toString();
  }

  static String verdict(RunReport report) {
    String after = " after " + Durations.show(report.wall());
    if (!report.ended()) {
      return "not known to have ended;" + after.replace(" after", " last seen");
    }
    if (report.exitCode() < 0) {
      return "ended" + after + ", exit code not known";
    }
    return (report.exitCode() == 0 ? "done" : preempted(report) ? "preempted" : "failed")
        + after
        + ", exit code "
        + report.exitCode();
  }

  private static boolean preempted(RunReport report) {
    Diagnosis last = report.attempts().isEmpty() ? null : report.attempts().getLast().diagnosis();
    return last != null && last.kind() == FailureClass.PREEMPTION;
  }

  static String goodput(RunReport report) {
    return report.goodput().isPresent()
        ? percent(report.goodput().getAsDouble())
        : "not known (no steps were told)";
  }

  private void headline() {
    String job = report.job().isEmpty() ? "(unnamed)" : report.job();
    String verdict = verdict(report);
    String line = Wrap.cut("Run " + job + ": " + verdict, width);
    line(report.ended() && report.exitCode() == 0 ? style.green(line) : style.bold(line));
    if (!report.command().isEmpty()) {
      line(style.dim(Wrap.cut("  " + String.join(" ", report.command()), width)));
    }
    if (report.begun() != null) {
      line("  begun     " + Times.show(report.begun()));
    }
    line("  goodput   " + style.bold(goodput(report)));
    int interrupted = report.losses().size();
    line(
        "  attempts  "
            + report.attempts().size()
            + (interrupted == 0 ? "" : ", interrupted " + interrupted));
    if (report.bestStep() >= 0) {
      line("  steps     up to " + number(report.bestStep()));
    }
    if (!report.why().isEmpty()) {
      wrapped("  why       ", report.why());
    }
  }

  private void times() {
    Map<Spent, Duration> spent = report.spent();
    if (spent.isEmpty()) {
      return;
    }
    line("");
    line(style.bold("What the time went into"));
    int room = Math.max(0, width - 42);
    spent.forEach(
        (what, time) -> {
          double share = (double) time.toNanos() / Math.max(1, report.wall().toNanos());
          String row =
              String.format(
                  Locale.ROOT,
                  "  %-14s %12s %7s  ",
                  what.title(),
                  Durations.show(time),
                  percent(share));
          String bar = bar(share, room);
          line(bar.isEmpty() ? row.stripTrailing() : row + color(what, bar));
        });
  }

  private String color(Spent what, String bar) {
    return switch (what) {
      case TRAINING, RUNNING -> style.green(bar);
      case DETECTING, DECIDING, STOPPING, REPEATING -> style.red(bar);
      default -> style.yellow(bar);
    };
  }

  private static String bar(double share, int room) {
    int eighths = (int) Math.round(share * room * 8);
    String rest = eighths % 8 == 0 ? "" : EIGHTHS.substring(eighths % 8, eighths % 8 + 1);
    return "█".repeat(eighths / 8) + rest;
  }

  private void interruptions() {
    List<Loss> losses = report.losses();
    if (losses.isEmpty()) {
      return;
    }
    line("");
    line(style.bold("Interruptions"));
    int first = Math.max(0, losses.size() - MOST_INTERRUPTIONS);
    if (first > 0) {
      line("  (the first " + first + " are in run.json)");
    }
    for (int i = first; i < losses.size(); i++) {
      interruption(i + 1, losses.get(i));
    }
  }

  private void interruption(int number, Loss loss) {
    RunReport.Attempt attempt = loss.attempt();
    Diagnosis diagnosis = attempt.diagnosis();
    Decision decision = attempt.decision();
    String when = attempt.fault() == null ? "" : "after " + Durations.show(attempt.fault());
    String step = attempt.toStep() < 0 ? "" : ", step " + number(attempt.toStep());
    String head = String.format(Locale.ROOT, "  %d  attempt %d, ", number, attempt.number());
    line(Wrap.cut(head + when + step, width) + "  " + style.red(cause(diagnosis)));
    if (diagnosis != null) {
      wrapped("     ", diagnosis.what());
      if (!diagnosis.ranks().isEmpty()) {
        String node = diagnosis.node().isEmpty() ? "" : " on " + diagnosis.node();
        wrapped(
            "     ",
            "suspected: rank "
                + Ranks.show(diagnosis.ranks())
                + node
                + ", confidence "
                + Math.round(diagnosis.confidence() * 100)
                + " %");
      }
    }
    wrapped("     ", lost(loss));
    if (decision != null) {
      wrapped("     → ", decision.why());
    }
  }

  static String cause(@Nullable Diagnosis diagnosis) {
    return diagnosis == null ? "cause not known" : diagnosis.kind().word();
  }

  static String lost(Loss loss) {
    StringBuilder text = new StringBuilder("lost " + Durations.show(loss.total()) + ":");
    part(text, "detect", loss.detect());
    part(text, "decide", loss.decide());
    part(text, "stop", loss.stop());
    part(text, loss.warmRanks() > 0 ? "warm restart" : "restart", loss.restart());
    part(text, "initialise", loss.initialise());
    part(text, "repeat", loss.repeat());
    return text.substring(0, text.length() - 1);
  }

  private static void part(StringBuilder text, String name, @Nullable Duration time) {
    if (time != null && time.toMillis() > 0) {
      text.append(' ').append(name).append(' ').append(Durations.show(time)).append(',');
    }
  }

  private void marks() {
    List<RunReport.Mark> marks = report.marks();
    if (marks.isEmpty()) {
      return;
    }
    line("");
    line(style.bold("Also"));
    for (RunReport.Mark mark : marks.subList(0, Math.min(MOST_MARKS, marks.size()))) {
      wrapped("  " + clock(mark.at()) + "  ", mark.text());
    }
    if (marks.size() > MOST_MARKS) {
      line("  and " + (marks.size() - MOST_MARKS) + " more");
    }
  }

  static String clock(Duration time) {
    return String.format(
        Locale.ROOT, "%d:%02d:%02d", time.toHours(), time.toMinutesPart(), time.toSecondsPart());
  }

  static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", share * 100);
  }

  static String number(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  private void wrapped(String indent, String text) {
    String safe = text.replaceAll("\\p{Cntrl}", " ");
    for (String line : (indent + Wrap.hanging(safe, indent.length(), width)).split("\n", -1)) {
      line(Wrap.cut(line, width));
    }
  }

  private void line(String text) {
    out.append(text).append('\n');
  }
}
