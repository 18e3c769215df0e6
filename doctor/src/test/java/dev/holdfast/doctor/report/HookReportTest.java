package dev.holdfast.doctor.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.health.Evidence;
import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Outcome;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.health.Subject;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.CheckResult;
import dev.holdfast.doctor.check.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HookReportTest {
  private static final CheckInfo INFO =
      CheckInfo.of("gpu.count", "All there?", FaultClass.HARDWARE, Proof.RECORDED);

  private static Report report(CheckResult... results) {
    return new Report(
        "n1", Instant.EPOCH, Level.PASSIVE, List.of(results), List.of(), Duration.ZERO);
  }

  private static CheckResult failed(Proof proof, String summary) {
    Finding finding =
        new Finding(
            "gpu.count",
            new Subject.Node("n1").gpu(3),
            Finding.Kind.CONDITION,
            Severity.FATAL,
            FaultClass.HARDWARE,
            proof,
            summary,
            Optional.empty(),
            List.of(new Evidence("nvml", "7")),
            "meaning",
            "remedy");
    return new CheckResult(INFO, Outcome.FAIL, summary, List.of(finding), Duration.ZERO, false);
  }

  @Test
  void aProvenFatalFindingDecidesAndIsTheReason() {
    Report report = report(failed(Proof.RECORDED, "a GPU is missing"));
    assertThat(HookReport.deciding(report, Severity.FATAL)).hasSize(1);
    assertThat(HookReport.reason(report, Severity.FATAL))
        .isEqualTo("holdfast: gpu.count gpu/3: a GPU is missing");
  }

  @Test
  void aFindingFromDocumentsAloneIsNamedButDecidesNothing() {
    Report report = report(failed(Proof.DOCUMENTED, "a GPU is missing"));
    assertThat(HookReport.deciding(report, Severity.FATAL)).isEmpty();
    assertThat(HookReport.reason(report, Severity.FATAL))
        .startsWith("holdfast: ok")
        .endsWith("; look at gpu.count");
  }

  @Test
  void checksThatRanOutOfTimeAreCounted() {
    Report report =
        report(CheckResult.skipped(INFO, "did not answer before its deadline", Duration.ZERO));
    assertThat(HookReport.reason(report, Severity.FATAL))
        .isEqualTo("holdfast: ok, 0 pass, 0 warn, 1 skipped (1 of them did not answer in time)");
  }

  @Test
  void aReasonIsOneShortLineWithoutAnythingAShellWouldRead() {
    String hostile = "x\n$(reboot) `id` \"quoted\" \\ " + "long ".repeat(100);
    String reason = HookReport.reason(report(failed(Proof.RECORDED, hostile)), Severity.FATAL);
    assertThat(reason).hasSizeLessThanOrEqualTo(200).doesNotContain("\n", "$", "`", "\"", "\\");
  }
}
