package dev.holdfast.doctor.report;

import dev.holdfast.core.health.Evidence;
import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Outcome;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.text.Durations;
import dev.holdfast.core.text.Style;
import dev.holdfast.core.text.Times;
import dev.holdfast.core.text.Wrap;
import dev.holdfast.doctor.check.CheckResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The report for a person at a terminal: the verdict, then what is wrong, then what was not seen.
 */
public final class TableReport {
  private static final int LABEL = 10;
  private static final int CHECK = 39;
  private static final int MOST_NAMED = 3;
  private static final int MOST_REASONS = 9;

  private final Style style;
  private final int width;
  private final boolean everyCheck;
  private final StringBuilder out = new StringBuilder();

  public TableReport(Style style, int width, boolean everyCheck) {
    this.style = style;
    this.width = Math.max(60, width);
    this.everyCheck = everyCheck;
  }

  public String write(Report report) {
    out.append(style.bold(report.node()))
        .append("  ")
        .append(verdict(report))
        .append(
            style.dim(
                "  %s, %s, %d %s in %s"
                    .formatted(
                        Times.show(report.time()).replaceFirst("\\.\\d+Z", "Z"),
                        report.level().word(),
                        report.results().size(),
                        report.results().size() == 1 ? "check" : "checks",
                        Durations.show(report.took()))))
        .append('\n');
    report.findings().forEach(this::finding);
    if (everyCheck) {
      out.append('\n');
      report.results().forEach(this::check);
    }
    out.append('\n').append(counts(report)).append('\n');
    if (!everyCheck) {
      skips(report.skips());
    }
    report.notes().forEach(note -> field("note", note));
    return out.toString();
  }

  private String verdict(Report report) {
    List<Finding> findings = report.findings();
    if (findings.isEmpty()) {
      return report.count(Outcome.PASS) == 0
          ? style.yellow("cannot tell: no check could run")
          : style.green("no findings");
    }
    Severity worst = findings.getFirst().severity();
    boolean contract =
        report.results().stream().allMatch(result -> result.info().group().equals("contract"));
    return switch (worst) {
      case FATAL -> style.red(contract ? "breaks the contract" : "not fit to join a run");
      case DEGRADED -> style.red("degraded");
      case WARNING -> style.yellow("usable, with warnings");
      case INFO -> style.green("fit");
    };
  }

  private void finding(Finding finding) {
    out.append('\n')
        .append(severity(finding.severity()))
        .append(style.bold(finding.check()))
        .append("  ")
        .append(place(finding))
        .append('\n');
    field("what", finding.summary());
    for (Evidence evidence : finding.evidence()) {
      field("seen", evidence.source() + " = " + oneLine(evidence.value()));
    }
    finding.since().ifPresent(since -> field("since", Times.show(since)));
    field("why", finding.meaning());
    field("fix", finding.remedy());
    if (finding.proven() == Proof.DOCUMENTED) {
      field(
          "proof",
          finding.rowProof().isPresent()
              ? "this row is written from documents; no such line is known from a machine"
              : "this check is written from documents and has not met real hardware");
    }
  }

  private static String place(Finding finding) {
    String subject = finding.subject().toString();
    int afterNode = subject.startsWith("node/") ? subject.indexOf('/', 5) : -1;
    return afterNode < 0 ? subject : subject.substring(afterNode + 1);
  }

  private String severity(Severity severity) {
    String word = "%-10s".formatted(severity.word().toUpperCase(Locale.ROOT));
    return switch (severity) {
      case FATAL, DEGRADED -> style.red(word);
      case WARNING -> style.yellow(word);
      case INFO -> style.dim(word);
    };
  }

  private void check(CheckResult result) {
    String word = "%-6s".formatted(result.outcome().word());
    String coloured =
        switch (result.outcome()) {
          case PASS -> style.green(word);
          case WARN -> style.yellow(word);
          case FAIL -> style.red(word);
          case SKIP -> style.dim(word);
        };
    out.append(coloured)
        .append("%-32s ".formatted(result.info().id()))
        .append(Wrap.hanging(oneLine(result.detail()), CHECK, width))
        .append('\n');
  }

  private static String counts(Report report) {
    return "%d pass, %d warn, %d fail, %d skipped"
        .formatted(
            report.count(Outcome.PASS),
            report.count(Outcome.WARN),
            report.count(Outcome.FAIL),
            report.count(Outcome.SKIP));
  }

  /** Most checks first; the long tail of reasons is left to {@code --all}. */
  private void skips(Map<String, List<String>> byReason) {
    int left = byReason.size() > MOST_REASONS ? byReason.size() - MOST_REASONS + 1 : 0;
    byReason.entrySet().stream()
        .limit(byReason.size() - left)
        .forEach(entry -> skip(entry.getKey(), entry.getValue()));
    if (left > 0) {
      field("skipped", left + " further reasons, each for few checks; --all lists them");
    }
  }

  private void skip(String why, List<String> checks) {
    field("skipped", why + ": " + String.join(", ", byGroup(checks)));
  }

  /** Many checks of one group are told as their number: {@code gpu (33 checks)}. */
  private static List<String> byGroup(List<String> checks) {
    Map<String, List<String>> groups = new LinkedHashMap<>();
    for (String check : checks) {
      String group = check.substring(0, check.indexOf('.'));
      groups.computeIfAbsent(group, _ -> new ArrayList<>()).add(check);
    }
    List<String> words = new ArrayList<>();
    groups.forEach(
        (group, members) -> {
          if (members.size() > MOST_NAMED) {
            words.add("%s (%d checks)".formatted(group, members.size()));
          } else {
            words.addAll(members);
          }
        });
    return words;
  }

  private void field(String label, String text) {
    out.append(style.dim("  %-8s".formatted(label)))
        .append(Wrap.hanging(oneLine(text), LABEL, width))
        .append('\n');
  }

  private static String oneLine(String text) {
    return text.replaceAll("[\\p{Cntrl}\\s]+", " ").strip();
  }
}
