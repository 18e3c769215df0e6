package dev.holdfast.doctor.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Outcome;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.check.CheckResult;

/** Assertions on what a check answered. */
public final class Answers {
  private Answers() {}

  /** Exactly one finding, of this severity, whose summary contains these words. */
  public static Finding finding(CheckResult result, Severity severity, String words) {
    assertThat(result.findings()).as(result.detail()).hasSize(1);
    Finding finding = result.findings().getFirst();
    assertThat(finding.severity()).isEqualTo(severity);
    assertThat(finding.summary()).contains(words);
    return finding;
  }

  public static void pass(CheckResult result) {
    assertThat(result.findings()).isEmpty();
    assertThat(result.outcome()).as(result.detail()).isEqualTo(Outcome.PASS);
  }

  public static void skip(CheckResult result, String words) {
    assertThat(result.findings()).isEmpty();
    assertThat(result.outcome()).as(result.detail()).isEqualTo(Outcome.SKIP);
    assertThat(result.detail()).contains(words);
  }
}
