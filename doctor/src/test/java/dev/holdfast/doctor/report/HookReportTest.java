package dev.holdfast.doctor.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.health.Accept;
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
    assertThat(HookReport.deciding(report, Severity.FATAL, Accept.UNSAID)).hasSize(1);
    assertThat(HookReport.reason(report, Severity.FATAL, Accept.UNSAID))
        .isEqualTo("holdfast: gpu.count gpu/3: a GPU is missing");
  }

  @Test
  void aFindingFromDocumentsAloneIsNamedButDecidesNothing() {
    Report report = report(failed(Proof.DOCUMENTED, "a GPU is missing"));
    assertThat(HookReport.deciding(report, Severity.FATAL, Accept.UNSAID)).isEmpty();
    assertThat(HookReport.reason(report, Severity.FATAL, Accept.UNSAID))
        .startsWith("holdfast: ok")
        .endsWith("; look at gpu.count");
  }

  @Test
  void aRowOfATableDecidesOnceTheSiteAcceptsIt() {
    Finding lost = failed(Proof.DOCUMENTED, "a GPU is missing").findings().getFirst();
    Finding xid =
        new Finding(
            "gpu.kernel.xid",
            lost.subject(),
            Finding.Kind.EVENT,
            lost.severity(),
            lost.faultClass(),
            lost.proof(),
            Optional.of(Proof.RECORDED),
            "Xid 79: GPU fell off the bus",
            lost.since(),
            lost.evidence(),
            lost.meaning(),
            lost.remedy());
    Report report =
        report(new CheckResult(INFO, Outcome.FAIL, "x", List.of(lost, xid), Duration.ZERO, false));
    assertThat(HookReport.deciding(report, Severity.FATAL, Accept.UNSAID)).isEmpty();
    Accept recorded = Accept.of(Proof.RECORDED);
    assertThat(HookReport.deciding(report, Severity.FATAL, recorded)).containsExactly(xid);
    assertThat(HookReport.reason(report, Severity.FATAL, recorded))
        .isEqualTo("holdfast: gpu.kernel.xid gpu/3: Xid 79: GPU fell off the bus");
    assertThat(HookReport.deciding(report, Severity.FATAL, Accept.of(Proof.DOCUMENTED)))
        .containsExactlyInAnyOrder(lost, xid);
    assertThat(HookReport.deciding(report, Severity.FATAL, Accept.of(Proof.HARDWARE))).isEmpty();
  }

  @Test
  void checksThatRanOutOfTimeAreCounted() {
    Report report =
        report(CheckResult.skipped(INFO, "did not answer before its deadline", Duration.ZERO));
    assertThat(HookReport.reason(report, Severity.FATAL, Accept.UNSAID))
        .isEqualTo("holdfast: ok, 0 pass, 0 warn, 1 skipped (1 of them did not answer in time)");
  }

  @Test
  void aReasonIsOneShortLineWithoutAnythingAShellWouldRead() {
    String hostile = "x\n$(reboot) `id` \"quoted\" \\ " + "long ".repeat(100);
    String reason =
        HookReport.reason(report(failed(Proof.RECORDED, hostile)), Severity.FATAL, Accept.UNSAID);
    assertThat(reason).hasSizeLessThanOrEqualTo(200).doesNotContain("\n", "$", "`", "\"", "\\");
  }
}
