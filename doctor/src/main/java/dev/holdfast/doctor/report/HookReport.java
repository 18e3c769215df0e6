package dev.holdfast.doctor.report;

import dev.holdfast.core.health.Accept;
import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Outcome;
import dev.holdfast.core.health.Severity;
import java.util.List;

/**
 * The report as the one line a scheduler shows as a reason.
 *
 * <p>A hook's answer drives an action, so findings that are not proven as far as the site accepts
 * are named but never decide.
 */
public final class HookReport {
  /** Every reason we write starts so, and only such reasons are ever taken back by us. */
  public static final String OWNER = "holdfast:";

  private static final int MAX_REASON = 200;

  private HookReport() {}

  /** The findings that make the hook fail, worst first. */
  public static List<Finding> deciding(Report report, Severity failOn, Accept accept) {
    return report.findings().stream()
        .filter(finding -> finding.severity().atLeast(failOn))
        .filter(accept::takes)
        .toList();
  }

  /** Checks that ran out of time are no good news, and in a hook nobody sees the reasons. */
  private static String unanswered(Report report) {
    long late =
        report.results().stream()
            .filter(result -> result.outcome() == Outcome.SKIP)
            .filter(
                result ->
                    result.detail().contains("before its deadline")
                        || result.detail().contains("unfinished"))
            .count();
    return late == 0 ? "" : " (%d of them did not answer in time)".formatted(late);
  }

  /** The worst deciding finding, and how many more there are. */
  public static String reason(Report report, Severity failOn, Accept accept) {
    List<Finding> bad = deciding(report, failOn, accept);
    if (bad.isEmpty()) {
      return "%s ok, %d pass, %d warn, %d skipped%s%s"
          .formatted(
              OWNER,
              report.count(Outcome.PASS),
              report.count(Outcome.WARN) + report.count(Outcome.FAIL),
              report.count(Outcome.SKIP),
              unanswered(report),
              report.failsOn(failOn) ? "; look at " + report.findings().getFirst().check() : "");
    }
    Finding worst = bad.getFirst();
    String subject = worst.subject().toString();
    int part = subject.indexOf('/', "node/".length());
    String place = part < 0 ? "" : " " + subject.substring(part + 1);
    String more = bad.size() == 1 ? "" : " (+%d more)".formatted(bad.size() - 1);
    String line = "%s %s%s: %s".formatted(OWNER, worst.check(), place, worst.summary());
    String clean = line.replaceAll("[\\p{Cntrl}\"'`$\\\\]+", " ");
    int room = MAX_REASON - more.length();
    return (clean.length() > room ? clean.substring(0, room - 1) + "…" : clean) + more;
  }
}
