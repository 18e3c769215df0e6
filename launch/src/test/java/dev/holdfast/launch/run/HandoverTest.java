package dev.holdfast.launch.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.core.forensics.Decision;
import dev.holdfast.core.forensics.Diagnosis;
import dev.holdfast.core.forensics.FailureClass;
import dev.holdfast.core.forensics.RestartHistory;
import dev.holdfast.core.forensics.RestartPolicy;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.launch.job.Assignment;
import dev.holdfast.launch.job.Member;
import dev.holdfast.launch.rendezvous.Judge;
import dev.holdfast.launch.report.Digest;
import dev.holdfast.launch.report.Kinds;
import dev.holdfast.launch.report.Moment;
import dev.holdfast.launch.report.RunReport;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A leader is lost in attempt 1: what the next one knows, on a machine whose clock began later. */
class HandoverTest {
  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
  private static final long SECOND = 1_000_000_000L;
  private static final Diagnosis BOOM =
      new Diagnosis(
          FailureClass.USER_CODE,
          List.of(1),
          "n1",
          0.9,
          "rank 1 failed",
          List.of("boom"),
          40,
          "",
          "ValueError: boom at 0x7f12");

  private final List<Moment> leaders = new ArrayList<>();

  private void at(long second, String kind, @Nullable Object... details) {
    at(second, kind, Json.map(details));
  }

  /** By the clock of the first leader, which runs since 900,000 s. */
  private void at(long second, String kind, Map<String, @Nullable Object> details) {
    leaders.add(new Moment(NOON.plusSeconds(second), (900_000 + second) * SECOND, kind, details));
  }

  private static Assignment assignment(int attempt) {
    return new Assignment(
        "j",
        attempt,
        attempt,
        List.of(new Member("n1", 1, "h1", 1, 2, 0), new Member("n2", 1, "h2", 1, 2, 0)),
        "h1",
        29500);
  }

  private static Map<String, @Nullable Object> with(
      Map<String, @Nullable Object> json, @Nullable Object... more) {
    Map<String, @Nullable Object> all = new LinkedHashMap<>(json);
    all.putAll(Json.map(more));
    return all;
  }

  private RestartPolicy.Verdict attemptFails(RestartHistory before) {
    RestartPolicy policy =
        new RestartPolicy(3, Duration.ZERO, dev.holdfast.core.forensics.ExitCodes.PLAIN);
    return policy.decide(
        BOOM,
        new RestartPolicy.Effort(Duration.ofSeconds(90), Duration.ofSeconds(80), 40),
        new RestartPolicy.Room(2, 1, 0),
        before);
  }

  private List<String> toldByTheFirst() {
    RestartPolicy.Verdict verdict = attemptFails(RestartHistory.NONE);
    at(0, Kinds.JOB_BEGUN, "job", "j");
    at(5, Kinds.ATTEMPT_PREPARED, AttemptDetails.of(assignment(0)));
    at(6, Kinds.RANKS_STARTED, "attempt", 0);
    at(10, Kinds.FIRST_STEP, "attempt", 0, "rank", 0, "step", 1);
    for (int i = 0; i < 40; i++) {
      at(11 + i, Kinds.STEP, "attempt", 0, "step", 2 + i);
    }
    at(95, Kinds.RANK_EXITED, "attempt", 0, "rank", 1, "exitCode", 1, "signal", 0);
    at(96, Kinds.DIAGNOSIS, with(BOOM.json(), "attempt", 0, "faultNanos", 900_095 * SECOND));
    at(96, Kinds.STOP_BEGUN, "attempt", 0, "why", "boom");
    at(97, Kinds.STOPPED, "attempt", 0, "left", List.of());
    at(97, Kinds.DECISION, with(verdict.decision().json(), "attempt", 0));
    at(97, Kinds.ATTEMPT_ENDED, "attempt", 0, "outcome", "failed");
    return Handover.texts(verdict.history(), leaders, 900_100 * SECOND);
  }

  @Test
  void theNextLeaderCountsOnAndKnowsTheSameErrorAtTheSameStep() {
    Handover handover = new Handover();
    handover.told(1, toldByTheFirst(), NOON.plusSeconds(100), 77 * SECOND);
    assertThat(handover.history().used()).isEqualTo(1);
    Decision next = attemptFails(handover.history()).decision();
    assertThat(next.choice()).isEqualTo(Decision.Choice.STOP);
    assertThat(next.why()).contains("The same error at step 40 twice");
  }

  @Test
  void theNextLeadersPageShowsBothAttemptsOnOneAxis() {
    Handover handover = new Handover();
    handover.told(1, toldByTheFirst(), NOON.plusSeconds(100), 77 * SECOND);
    handover.stepped(1, 41, 90 * SECOND);
    handover.stepped(1, 50, 110 * SECOND);
    handover.stepped(0, 99, 111 * SECOND);
    List<Moment> timeline = new ArrayList<>();
    // It came itself when the job had run for 60 s.
    timeline.add(
        new Moment(NOON.plusSeconds(60), 37 * SECOND, Kinds.JOB_BEGUN, Json.map("job", "j")));
    timeline.addAll(handover.story(assignment(1)));
    timeline.add(
        new Moment(NOON.plusSeconds(140), 117 * SECOND, Kinds.STOPPED, Json.map("attempt", 1)));
    RunReport report = RunReport.of(timeline);
    assertThat(report.attempts()).hasSize(2);
    RunReport.Attempt first = report.attempts().getFirst();
    assertThat(first.nodes()).containsExactly("n1", "n2");
    assertThat(Objects.requireNonNull(first.diagnosis()).what()).isEqualTo("rank 1 failed");
    assertThat(first.toStep()).isEqualTo(41);
    // Attempt 0 was prepared 95 s before attempt 1 was, which is where this launcher's 77 s are.
    RunReport.Attempt second = report.attempts().getLast();
    assertThat(
            Objects.requireNonNull(second.prepared())
                .minus(Objects.requireNonNull(first.prepared())))
        .isEqualTo(Duration.ofSeconds(95));
    assertThat(Objects.requireNonNull(first.fault()).minus(first.prepared()))
        .isEqualTo(Duration.ofSeconds(90));
    assertThat(second.fromStep()).isEqualTo(41);
    assertThat(second.toStep()).isEqualTo(50);
    assertThat(report.wall()).isEqualTo(Duration.ofSeconds(135));
  }

  @Test
  void whatWasToldOutlivesTheProcessThatHeardIt() {
    Handover handover = new Handover();
    handover.told(1, toldByTheFirst(), NOON.plusSeconds(100), 77 * SECOND);
    Handover next = new Handover();
    next.resume(Fields.of("kept", Json.object(Json.line(handover.json()))));
    assertThat(next.history()).isEqualTo(handover.history());
    assertThat(next.story(assignment(1))).isEqualTo(handover.story(assignment(1)));
  }

  @Test
  void whatIsToldIsBoundedHoweverManyAttemptsThereWere() {
    RestartHistory history = RestartHistory.NONE;
    String endless = "…".repeat(10_000);
    for (int attempt = 0; attempt < 500; attempt++) {
      history = attemptFails(history).history();
      at(attempt * 10, Kinds.ATTEMPT_PREPARED, AttemptDetails.of(assignment(attempt)));
      at(attempt * 10 + 5, Kinds.FINDING, "attempt", attempt, "what", endless + attempt);
    }
    List<String> texts = Handover.texts(history, leaders, 999_999 * SECOND);
    assertThat(texts).hasSizeLessThanOrEqualTo(Judge.MOST_TOLD);
    Handover handover = new Handover();
    handover.told(500, texts, NOON, 0);
    assertThat(handover.story(assignment(500)))
        .anyMatch(moment -> moment.attempt() == 499)
        .noneMatch(moment -> moment.attempt() == 0)
        .filteredOn(moment -> moment.attempt() < 500)
        .allMatch(moment -> moment.flag(Digest.TOLD));
  }

  @Test
  void garbageIsRefusedAndChangesNothing() {
    Handover handover = new Handover();
    handover.told(1, toldByTheFirst(), NOON, 0);
    assertThatThrownBy(() -> handover.told(2, List.of("garbage"), NOON, 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(handover.history().used()).isEqualTo(1);
    assertThat(handover.attempt()).isEqualTo(1);
  }
}
