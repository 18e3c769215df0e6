package dev.holdfast.core.forensics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.forensics.Decision.Choice;
import dev.holdfast.core.forensics.RestartPolicy.Effort;
import dev.holdfast.core.forensics.RestartPolicy.Room;
import dev.holdfast.core.forensics.RestartPolicy.Verdict;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class RestartPolicyTest {
  private static final RestartPolicy POLICY =
      new RestartPolicy(10, RestartPolicy.DEFAULT_DECAY, ExitCodes.DISTINCT);
  private static final Room FOUR_AND_A_SPARE = new Room(4, 4, 1);
  private static final Room FOUR = new Room(4, 4, 0);

  private RestartHistory history = RestartHistory.NONE;

  @Test
  void anOrdinaryFailureIsTriedAgain() {
    Decision decision =
        fail(POLICY, FOUR, failure(FailureClass.UNKNOWN, "signal.kill", "", 10), 600, 10);
    assertThat(decision.choice()).isEqualTo(Choice.RESTART);
    assertThat(decision.counts()).isTrue();
    assertThat(decision.without()).isEmpty();
    assertThat(decision.why()).isEqualTo("Restart 1 of at most 10 on the same nodes.");
    assertThat(POLICY.left(history)).isEqualTo(9);
  }

  @Test
  void aBrokenGpuTakesItsNodeOut() {
    Decision decision =
        fail(POLICY, FOUR_AND_A_SPARE, failure(FailureClass.ECC, "gpu.ecc", "n3", 5), 600, 5);
    assertThat(decision.without()).isEqualTo("n3");
    assertThat(decision.why()).isEqualTo("Restart without n3: ecc there.");
  }

  @Test
  void withoutASpareABrokenGpuIsTriedOnceMore() {
    Diagnosis ecc = failure(FailureClass.ECC, "gpu.ecc", "n3", 5);
    assertThat(fail(POLICY, FOUR, ecc, 600, 5).choice()).isEqualTo(Choice.RESTART);
    Decision second = fail(POLICY, FOUR, failure(FailureClass.ECC, "gpu.ecc", "n3", 9), 600, 9);
    assertThat(second.choice()).isEqualTo(Choice.STOP);
    assertThat(second.exitCode()).isEqualTo(75);
  }

  @Test
  void aLostNodeWithoutASpareEndsTheJobUnlessFewerNodesWillDo() {
    Diagnosis lost = failure(FailureClass.LOST_NODE, "", "n3", 5);
    assertThat(fail(POLICY, FOUR, lost, 600, 5).exitCode()).isEqualTo(75);
    assertThat(fail(POLICY, new Room(4, 2, 0), lost, 600, 5).without()).isEqualTo("n3");
  }

  @Test
  void theSecondCudaErrorAtOneNodeIsTheNodes() {
    Diagnosis first = failure(FailureClass.CUDA_ERROR, "cuda.illegal-address", "n1", 5);
    assertThat(fail(POLICY, FOUR_AND_A_SPARE, first, 600, 5).without()).isEmpty();
    Diagnosis second = failure(FailureClass.CUDA_ERROR, "cuda.any", "n1", 5);
    Decision decision = fail(POLICY, FOUR_AND_A_SPARE, second, 600, 5);
    assertThat(decision.without()).isEqualTo("n1");
    assertThat(decision.why()).contains("2nd time");
  }

  @Test
  void theSameErrorAtTheSameStepOnTwoNodesIsTheCodes() {
    Diagnosis one = failure(FailureClass.CUDA_ERROR, "cuda.illegal-address", "n1", 500);
    Diagnosis other = failure(FailureClass.CUDA_ERROR, "cuda.illegal-address", "n2", 500);
    fail(POLICY, FOUR_AND_A_SPARE, one, 600, 500);
    Decision decision = fail(POLICY, FOUR_AND_A_SPARE, other, 600, 500);
    assertThat(decision.choice()).isEqualTo(Choice.STOP);
    assertThat(decision.exitCode()).isEqualTo(42);
    assertThat(decision.why()).isEqualTo("The same error at step 500 twice: it would come again.");
  }

  @Test
  void anErrorNoRetryCanCureEndsAtOnce() {
    for (String rule :
        List.of(
            "start.no-module", "start.syntax", "exit.usage", "exit.not-found", "storage.full")) {
      history = RestartHistory.NONE;
      Decision decision = fail(POLICY, FOUR, failure(FailureClass.USER_CODE, rule, "", -1), 2, -1);
      assertThat(decision.choice()).as(rule).isEqualTo(Choice.STOP);
      assertThat(decision.exitCode()).isEqualTo(42);
      assertThat(decision.why()).startsWith("It would only fail again: ");
    }
  }

  @Test
  void theSameErrorTwiceInTheFirstSecondsEnds() {
    Diagnosis error = failure(FailureClass.USER_CODE, "any.traceback", "", -1);
    assertThat(fail(POLICY, FOUR, error, 3, -1).choice()).isEqualTo(Choice.RESTART);
    assertThat(fail(POLICY, FOUR, error, 4, -1).choice()).isEqualTo(Choice.STOP);
  }

  @Test
  void theSameErrorAfterHoursIsTriedAgain() {
    Diagnosis error = failure(FailureClass.USER_CODE, "any.traceback", "", -1);
    fail(POLICY, FOUR, error, 7200, -1);
    assertThat(fail(POLICY, FOUR, error, 7200, -1).choice()).isEqualTo(Choice.RESTART);
  }

  @Test
  void outOfMemoryIsTriedOnce() {
    fail(POLICY, FOUR, failure(FailureClass.GPU_OUT_OF_MEMORY, "gpu.oom", "", 100), 600, 100);
    Decision again =
        fail(POLICY, FOUR, failure(FailureClass.GPU_OUT_OF_MEMORY, "gpu.oom", "", 200), 600, 200);
    assertThat(again.choice()).isEqualTo(Choice.STOP);
    assertThat(again.why()).startsWith("The same again after a retry");
  }

  @Test
  void threeAttemptsThatGetNoFurtherAreACrashLoop() {
    fail(POLICY, FOUR, failure(FailureClass.UNKNOWN, "signal.kill", "", 100), 600, 100);
    fail(POLICY, FOUR, failure(FailureClass.STORAGE, "storage.stale", "", 50), 600, 50);
    fail(POLICY, FOUR, failure(FailureClass.UNKNOWN, "signal.other", "", 60), 600, 60);
    Decision third =
        fail(POLICY, FOUR, failure(FailureClass.UNKNOWN, "signal.kill", "", 70), 600, 70);
    assertThat(third.choice()).isEqualTo(Choice.STOP);
    assertThat(third.why())
        .isEqualTo("Crash loop: 3 attempts in a row got no further than step 100.");
  }

  @Test
  void attemptsThatEndedByLeavingANodeOutAreNoCrashLoop() {
    Room many = new Room(16, 2, 0);
    for (int node = 0; node < 6; node++) {
      Decision decision =
          fail(POLICY, many, failure(FailureClass.LOST_GPU, "gpu.lost", "n" + node, -1), 5, -1);
      assertThat(decision.without()).isEqualTo("n" + node);
    }
  }

  @Test
  void theBudgetEndsAndIsSaid() {
    RestartPolicy two = new RestartPolicy(2, RestartPolicy.DEFAULT_DECAY, ExitCodes.PLAIN);
    for (int i = 1; i <= 2; i++) {
      assertThat(fail(two, FOUR, kill(i * 100), 600, i * 100).choice()).isEqualTo(Choice.RESTART);
    }
    Decision last = fail(two, FOUR, kill(300), 600, 300);
    assertThat(last.choice()).isEqualTo(Choice.STOP);
    assertThat(last.exitCode()).isEqualTo(1);
    assertThat(last.why()).isEqualTo("All 2 restarts are used up (--max-restarts 2).");
    assertThat(
            fail(new RestartPolicy(0, Duration.ZERO, ExitCodes.PLAIN), FOUR, kill(1), 1, 1).why())
        .contains("--max-restarts 0");
  }

  @Test
  void aDayOfTrainingGivesOneRestartBack() {
    RestartPolicy one = new RestartPolicy(1, Duration.ofHours(24), ExitCodes.PLAIN);
    fail(one, FOUR, kill(100), 600, 100);
    assertThat(history.used()).isEqualTo(1);
    assertThat(fail(one, FOUR, kill(200), 25 * 3600, 200).choice()).isEqualTo(Choice.RESTART);
    assertThat(fail(one, FOUR, kill(300), 23 * 3600, 300).choice()).isEqualTo(Choice.STOP);
  }

  @Test
  void preemptionDoesNotCount() {
    RestartPolicy none = new RestartPolicy(0, Duration.ZERO, ExitCodes.DISTINCT);
    Decision decision =
        fail(
            none,
            FOUR_AND_A_SPARE,
            failure(FailureClass.PREEMPTION, "job.preempted", "n2", 5),
            60,
            5);
    assertThat(decision.choice()).isEqualTo(Choice.RESTART);
    assertThat(decision.counts()).isFalse();
    assertThat(decision.without()).isEqualTo("n2");
    Decision timeUp =
        fail(none, FOUR, failure(FailureClass.PREEMPTION, "job.time-limit", "", 5), 60, 5);
    assertThat(timeUp.exitCode()).isEqualTo(143);
    assertThat(fail(none, FOUR, failure(FailureClass.PREEMPTION, "", "n2", 5), 60, 5).exitCode())
        .isEqualTo(143);
  }

  @Test
  void theHistorySurvivesAChangeOfLeader() {
    for (int i = 0; i < 100; i++) {
      fail(POLICY, FOUR, kill(i), 600, i);
    }
    RestartHistory copy =
        RestartHistory.of(Fields.of("history", Json.object(Json.line(history.json()))));
    assertThat(copy).isEqualTo(history);
    assertThat(copy.past()).hasSize(RestartHistory.MOST);
  }

  private Decision fail(
      RestartPolicy policy, Room room, Diagnosis diagnosis, long ranSeconds, long bestStep) {
    Duration ran = Duration.ofSeconds(ranSeconds);
    Verdict verdict = policy.decide(diagnosis, new Effort(ran, ran, bestStep), room, history);
    history = verdict.history();
    return verdict.decision();
  }

  private static Diagnosis kill(long step) {
    return failure(FailureClass.UNKNOWN, "signal.kill", "", step);
  }

  private static Diagnosis failure(FailureClass kind, String rule, String node, long step) {
    return new Diagnosis(kind, List.of(0), node, 0.9, "It failed.", List.of(), step, rule, "E: x");
  }
}
