package dev.holdfast.core.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.core.cluster.DeviceDescription;
import dev.holdfast.core.cluster.JobDescription;
import dev.holdfast.core.cluster.JobLoss;
import dev.holdfast.core.cluster.JobMember;
import dev.holdfast.core.cluster.NodeDescription;
import dev.holdfast.core.health.Evidence;
import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ReportTest {
  private static final Instant TIME = Instant.parse("2026-11-15T10:00:00.123Z");
  private static final Finding FINDING =
      new Finding(
          "gpu.ecc.uncorrected",
          new Subject.Node("n17").gpu(3),
          Finding.Kind.CONDITION,
          Severity.FATAL,
          FaultClass.HARDWARE,
          Proof.RECORDED,
          "2 uncorrected errors",
          Optional.of(TIME),
          List.of(new Evidence("nvml", "volatile 2")),
          "wrong numbers",
          "reset the GPU");

  static Stream<Statement> statements() {
    return Stream.of(
        new Statement.Raised(FINDING, 1),
        new Statement.Raised(FINDING, 17),
        new Statement.Cleared("gpu.count", new Subject.Node("n17"), "8 again"),
        new Statement.Described(
            new NodeDescription(
                "n17",
                "0.1.0",
                new TreeMap<>(Map.of("rack", "r3", "leaf", "l1")),
                new TreeMap<>(Map.of("driver", "580.65")),
                List.of(new DeviceDescription("gpu", "3", "H200", "0000:17", "rail3")))),
        new Statement.Lost(12, TIME, TIME.plusSeconds(60)),
        new Statement.JobTold(
            new JobDescription(
                "slurm-4711",
                "ann",
                JobDescription.State.RUNNING,
                2,
                1,
                TIME,
                List.of(new JobMember("n17", 8, 8)),
                1200,
                1.5,
                Optional.of(TIME),
                1800,
                List.of(new JobLoss("recompute", "lost-gpu", 120)))),
        new Statement.JobDecided("slurm-4711", 2, "restart", "n17", "rank 9 lost its GPU"),
        new Statement.Answered("a-7", Statement.Answer.UNKNOWN, "no answer"),
        new Statement.External(
            "fault-1",
            Statement.External.Assertion.OCCUR,
            FINDING,
            List.of(new Subject.Volume("scratch"), new Subject.Switch("leaf2", "14")),
            Optional.of(TIME)));
  }

  @ParameterizedTest
  @MethodSource("statements")
  void everyStatementSurvivesTheWire(Statement statement) {
    Report report = new Report("node/n17", 3, 41, TIME, statement);
    assertThat(Report.of(report.line())).isEqualTo(report);
    assertThat(report.line()).doesNotContain("\n");
  }

  @Test
  void aWordThatIsNoneOfThoseThereAreIsRefusedWithThem() {
    String line =
        "{\"source\":\"node/n1\",\"epoch\":1,\"sequence\":1,\"at\":\"2026-01-01T00:00:00.000Z\","
            + "\"kind\":\"answered\",\"request\":\"a-1\",\"answer\":\"maybe\"}";
    Statement.Refused refused = (Statement.Refused) Report.of(line).statement();
    assertThat(refused.reason())
        .contains("'maybe'", "one of done, failed, refused, unknown")
        .doesNotContain("enum", "dev.holdfast");
  }

  @Test
  void aRequestSurvivesTheWire() {
    Request request =
        new Request(
            "a-7",
            Request.Kind.STOP_AT_CHECKPOINT,
            new Subject.Node("n17"),
            List.of("gpu.count"),
            "it is broken",
            TIME);
    assertThat(Request.of(Fields.of("request", Json.object(Json.line(request.json())))))
        .isEqualTo(request);
  }

  @Test
  void whatIsNoReportIsRefusedWithTheReason() {
    assertThatThrownBy(() -> Report.of("{\"source\":\"node/x\"}"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("epoch");
    String wrong =
        "{\"source\":\"node/x\",\"epoch\":1,\"sequence\":1,\"at\":\"2026-11-15T10:00:00Z\",\"kind\":\"sung\"}";
    assertThat(Report.of(wrong).statement())
        .as("a later version may know it")
        .isEqualTo(new Statement.Unknown("sung"));
    assertThatThrownBy(() -> Report.of("x".repeat(Report.MAX_LINE + 1)))
        .hasMessageContaining("allowed");
    assertThatThrownBy(() -> Report.of(wrong.replace("\"epoch\":1", "\"epoch\":0")))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
