package dev.holdfast.core.forensics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ForensicsTest {
  private static final String CLOSED =
      "RuntimeError: [./gloo/transport/tcp/pair.cc:598] Connection closed by peer [127.0.0.1]:39077";
  private static final String WAITED =
      "RuntimeError: [./gloo/transport/tcp/unbound_buffer.cc:81] Timed out waiting 6000ms for recv"
          + " operation to complete";

  @Test
  void theOneWithACauseIsToBlameEvenIfItsVictimsEndedFirst() {
    Diagnosis diagnosis =
        Forensics.diagnose(
            List.of(
                Evidence.rank(0).exit(1).at(1000).lines(CLOSED).end(),
                Evidence.rank(1)
                    .exit(1)
                    .at(9000)
                    .step(41)
                    .lines("Traceback (most recent call last):", "ValueError: boom")
                    .end()));
    assertThat(diagnosis.ranks()).containsExactly(1);
    assertThat(diagnosis.kind()).isEqualTo(FailureClass.USER_CODE);
    assertThat(diagnosis.what()).isEqualTo("Rank 1 on n0: ValueError: boom");
    assertThat(diagnosis.step()).isEqualTo(41);
    assertThat(diagnosis.node()).as("code, not the node").isEmpty();
    assertThat(diagnosis.evidence()).anyMatch(line -> line.startsWith("victim: rank 0"));
    assertThat(diagnosis.evidence().getLast()).startsWith("confidence 0.8");
  }

  @Test
  void theFirstOfTwoCausesByTime() {
    Diagnosis diagnosis =
        Forensics.diagnose(
            List.of(
                Evidence.rank(0)
                    .exit(1)
                    .at(60_000)
                    .lines("OSError: [Errno 5] Input/output error: 'x'")
                    .end(),
                Evidence.rank(5)
                    .node("n1")
                    .exit(1)
                    .at(20_000)
                    .lines("RuntimeError: CUDA error: uncorrectable ECC error encountered")
                    .end()));
    assertThat(diagnosis.kind()).isEqualTo(FailureClass.ECC);
    assertThat(diagnosis.node()).isEqualTo("n1");
    assertThat(diagnosis.confidence()).isEqualTo(0.9);
  }

  @Test
  void theErrorFileTellsAnEarlierTimeThanTheExit() {
    Diagnosis diagnosis =
        Forensics.diagnose(
            List.of(
                Evidence.rank(0).exit(1).at(30_000).error("KeyError: 'a'", 28_000).end(),
                Evidence.rank(1).exit(1).at(60_000).error("ValueError: b", 20_000).end()));
    assertThat(diagnosis.ranks()).containsExactly(1);
    assertThat(diagnosis.confidence()).isEqualTo(0.85);
  }

  @Test
  void whoNamesACauseGoesBeforeWhoJustEndedInTheSameMoment() {
    Diagnosis diagnosis =
        Forensics.diagnose(
            List.of(
                Evidence.rank(0).signal(6).at(10_000).end(),
                Evidence.rank(3)
                    .exit(1)
                    .at(10_900)
                    .lines("torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2 GiB")
                    .end()));
    assertThat(diagnosis.kind()).isEqualTo(FailureClass.GPU_OUT_OF_MEMORY);
    assertThat(diagnosis.ranks()).containsExactly(3);
  }

  @Test
  void ranksWeStoppedAreNoSuspects() {
    Diagnosis diagnosis =
        Forensics.diagnose(
            List.of(
                Evidence.rank(0).signal(15).stopped().at(1000).end(),
                Evidence.rank(1).signal(11).at(2000).node("n7").end()));
    assertThat(diagnosis.ranks()).containsExactly(1);
    assertThat(diagnosis.node()).isEqualTo("n7");
    assertThat(Forensics.diagnose(List.of(Evidence.rank(0).signal(15).stopped().end())).what())
        .contains("stopped");
  }

  @Test
  void aKillFromOutsideIsNotCalledOutOfMemory() {
    Diagnosis diagnosis = Forensics.diagnose(List.of(Evidence.rank(2).signal(9).end()));
    assertThat(diagnosis.kind()).isEqualTo(FailureClass.UNKNOWN);
    assertThat(diagnosis.what()).contains("signal 9").contains("cannot be told");
    assertThat(diagnosis.confidence()).isEqualTo(0.5);
  }

  @Test
  void whereAllFailAlikeNobodyIsSingledOut() {
    List<RankEvidence> ranks = new ArrayList<>();
    for (int rank = 0; rank < 100; rank++) {
      ranks.add(
          Evidence.rank(rank)
              .node("n" + rank / 8)
              .exit(1)
              .at(5000 + rank)
              .lines("ModuleNotFoundError: No module named 'flash_attn'")
              .end());
    }
    Diagnosis diagnosis = Forensics.diagnose(ranks);
    assertThat(diagnosis.what())
        .isEqualTo("All 100 failed ranks: ModuleNotFoundError: No module named 'flash_attn'");
    assertThat(diagnosis.ranks()).hasSize(64);
    assertThat(diagnosis.node()).isEmpty();
    assertThat(diagnosis.rule()).isEqualTo("start.no-module");
  }

  @Test
  void ofWaitersOnlyTheOneThatDidNotWaitIsSuspected() {
    Diagnosis diagnosis =
        Forensics.diagnose(
            List.of(
                Evidence.rank(0).exit(1).at(6000).lines(WAITED).end(),
                Evidence.rank(1).node("n1").exit(1).at(15_000).lines(CLOSED).end()));
    assertThat(diagnosis.kind()).isEqualTo(FailureClass.HANG);
    assertThat(diagnosis.ranks()).containsExactly(1);
    assertThat(diagnosis.node()).isEqualTo("n1");
    assertThat(diagnosis.confidence()).isEqualTo(0.5);
  }

  @Test
  void theRankWithTheLeastNcclWorkIsTheOneWaitedFor() {
    List<RankEvidence> ranks = new ArrayList<>();
    for (int rank = 0; rank < 4; rank++) {
      int enqueued = rank == 2 ? 1579 : 1582;
      ranks.add(
          Evidence.rank(rank)
              .node("n" + rank)
              .signal(6)
              .lines(
                  "[rank0]:[E321 02:07:08.408 ProcessGroupNCCL.cpp:607] [Rank 0] Watchdog caught"
                      + " collective operation timeout: WorkNCCL(SeqNum=1580, OpType=ALLREDUCE)",
                  "[rank0]:[E321 02:07:08.465 ProcessGroupNCCL.cpp:1664] [PG 1 Rank 0] Exception"
                      + " (either an error or timeout) detected by watchdog at work: 1580, last"
                      + " enqueued NCCL work: "
                      + enqueued
                      + ", last completed NCCL work: 1579.")
              .end());
    }
    Diagnosis diagnosis = Forensics.diagnose(ranks);
    assertThat(diagnosis.kind()).isEqualTo(FailureClass.HANG);
    assertThat(diagnosis.ranks()).containsExactly(2);
    assertThat(diagnosis.node()).isEqualTo("n2");
    assertThat(diagnosis.confidence()).isEqualTo(0.6);
  }

  @Test
  void onlyVictimsMeansCannotTell() {
    Diagnosis diagnosis =
        Forensics.diagnose(
            List.of(
                Evidence.rank(0).exit(1).lines(CLOSED).end(),
                Evidence.rank(1).exit(1).lines(CLOSED).end()));
    assertThat(diagnosis.ranks()).isEmpty();
    assertThat(diagnosis.confidence()).isEqualTo(0.3);
    assertThat(diagnosis.what()).contains("cannot be told");
  }

  @Test
  void nobodyFailed() {
    assertThat(Forensics.diagnose(List.of()).kind()).isEqualTo(FailureClass.UNKNOWN);
    assertThat(Forensics.diagnose(List.of(Evidence.rank(0).exit(0).end())).what())
        .isEqualTo("No rank failed.");
  }

  @Test
  void aSignatureForgetsWhatDiffersFromRunToRun() {
    Diagnosis one = said("RuntimeError: bad value 17 at 0x7fbf5e7e3040 in rank 3");
    Diagnosis other = said("RuntimeError: bad value 4 at 0x7f0000aa3040 in rank 11");
    assertThat(one.signature()).isEqualTo(other.signature());
    assertThat(one.signature()).isNotEqualTo(said("RuntimeError: worse value 17").signature());
  }

  @Test
  void aDiagnosisSurvivesJson() {
    Diagnosis diagnosis = said("ValueError: boom");
    assertThat(Diagnosis.of(Fields.of("diagnosis", Json.object(Json.line(diagnosis.json())))))
        .isEqualTo(diagnosis);
  }

  private static Diagnosis said(String line) {
    return Forensics.diagnose(
        List.of(Evidence.rank(0).exit(1).lines("Traceback (most recent call last):", line).end()));
  }
}
