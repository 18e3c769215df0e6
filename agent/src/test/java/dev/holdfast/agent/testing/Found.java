package dev.holdfast.agent.testing;

import dev.holdfast.agent.memory.Memory;
import dev.holdfast.core.health.Evidence;
import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.report.Report;
import dev.holdfast.core.report.Statement;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.CheckResult;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Findings and answers of checks to try tellers with. */
public final class Found {
  public static final Subject.Node NODE = new Subject.Node("n1");

  private Found() {}

  public static Finding condition(String check, Subject subject, Severity how, String summary) {
    return finding(check, subject, Finding.Kind.CONDITION, how, summary);
  }

  public static Finding event(String check, Subject subject, Severity how, String summary) {
    return finding(check, subject, Finding.Kind.EVENT, how, summary);
  }

  private static Finding finding(
      String check, Subject subject, Finding.Kind kind, Severity how, String summary) {
    return new Finding(
        check,
        subject,
        kind,
        how,
        FaultClass.HARDWARE,
        Proof.RECORDED,
        summary,
        Optional.empty(),
        List.of(new Evidence("test", "said so")),
        "it hurts",
        "mend it");
  }

  /** A check that found these, and passed what else it asks about. */
  public static CheckResult said(String check, Finding... findings) {
    return CheckResult.of(
        info(check), List.of(findings), List.of("the rest is well"), List.of(), Duration.ZERO);
  }

  /** A check that could not look at a part. */
  public static CheckResult partly(String check, Finding... findings) {
    return CheckResult.of(
        info(check), List.of(findings), List.of("some"), List.of("no answer"), Duration.ZERO);
  }

  public static CheckResult skipped(String check) {
    return CheckResult.skipped(info(check), "no data", Duration.ZERO);
  }

  private static CheckInfo info(String check) {
    return CheckInfo.of(check, "Is it?", FaultClass.HARDWARE, Proof.RECORDED);
  }

  /** What waits to be sent, in words: kind, check, subject, count. */
  public static List<String> told(Memory memory) throws InterruptedException {
    return memory.next(10_000, Duration.ZERO).stream()
        .map(line -> words(Report.of(line).statement()))
        .toList();
  }

  private static String words(Statement statement) {
    return switch (statement) {
      case Statement.Raised(Finding finding, long count) ->
          "raised %s %s %s x%d"
              .formatted(finding.check(), finding.subject(), finding.severity().word(), count);
      case Statement.Cleared cleared ->
          "cleared %s %s".formatted(cleared.check(), cleared.subject());
      case Statement.Lost lost -> "lost " + lost.count();
      case Statement.Answered answered ->
          "answered %s %s %s"
              .formatted(answered.request(), answered.answer().word(), answered.detail());
      default -> statement.kind();
    };
  }
}
