package dev.holdfast.doctor.check;

import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Outcome;
import java.time.Duration;
import java.util.List;

/**
 * A check's answer for the whole node.
 *
 * @param detail what was seen when it passed, or why it was skipped
 * @param partial something could not be looked at: that no finding names it does not make it well
 */
public record CheckResult(
    CheckInfo info,
    Outcome outcome,
    String detail,
    List<Finding> findings,
    Duration took,
    boolean partial) {
  /** The reason of a check that found nothing of its kind. */
  public static final String NOT_HERE = "nothing of this kind on the node";

  public static CheckResult of(
      CheckInfo info,
      List<Finding> findings,
      List<String> passes,
      List<String> skips,
      Duration took) {
    Outcome outcome = passes.isEmpty() && findings.isEmpty() ? Outcome.SKIP : Outcome.PASS;
    for (Finding finding : findings) {
      outcome = outcome.worse(finding.severity().outcome());
    }
    String detail =
        switch (outcome) {
          case SKIP -> skips.isEmpty() ? NOT_HERE : String.join("; ", skips);
          case PASS -> passes.isEmpty() ? findings.getFirst().summary() : String.join("; ", passes);
          case WARN, FAIL -> findings.getFirst().summary();
        };
    return new CheckResult(info, outcome, detail, findings, took, !skips.isEmpty());
  }

  public static CheckResult skipped(CheckInfo info, String why, Duration took) {
    return new CheckResult(info, Outcome.SKIP, why, List.of(), took, true);
  }
}
