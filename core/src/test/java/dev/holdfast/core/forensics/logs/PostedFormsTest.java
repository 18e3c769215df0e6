package dev.holdfast.core.forensics.logs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.forensics.FailureClass;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Forms of lines as people post them: whose they are, and what is no error at all. */
class PostedFormsTest {
  private static LogSuspicion judged(String... lines) {
    return new Logs().file("train.log", lines).verdict().first();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[rank3]: torch.OutOfMemoryError: CUDA out of memory.",
        "[E ProcessGroupNCCL.cpp:475] [Rank 3] terminated with exception: CUDA error: out of memory",
        "what():  [PG 1 Rank 3] watchdog thread terminated with exception: CUDA error: out of memory",
        "[RANK 3] CUDA out of memory. Tried to allocate 1 GiB",
        "Rank 3: CUDA out of memory. Tried to allocate 1 GiB",
        "[1,3]<stderr>:RuntimeError: CUDA out of memory.",
        "AssertionError: Rank 3: found NaN in local forward loss calculation.",
        "[n5:mpi_rank_3][error_sighandler] Caught error: Segmentation fault (signal 11)",
        "RuntimeError: Parameter indices which did not receive grad for rank 3: 1",
        "> [rank3]: CUDA out of memory. Tried to allocate 1 GiB",
      })
  void theRankIsReadWhereverItIsSaid(String line) {
    assertThat(judged(line).ranks()).containsExactly(3);
  }

  @Test
  void whereOnlyNcclsHeadTellsThatGpuIsBlamed() {
    LogSuspicion first =
        judged("n7:12:90 [3] misc/ibvwrap.cc:1 NCCL WARN Call to ibv_create_cq failed with error");
    assertThat(first.ranks()).isEmpty();
    assertThat(first.node()).isEqualTo("n7");
    assertThat(first.gpu()).isEqualTo(3);
    assertThat(first.what()).startsWith("GPU 3 of n7:");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "mpirun noticed that process rank 3 with PID 0 on node n2 exited on signal 9 (Killed).|9",
        "srun: error: n2: task 3: Bus error (core dumped)|7",
        "-- ProcessExitedException: process 3 terminated with signal SIGSEGV|11",
        "api.py:874] failed (exitcode: -6) local_rank: 3 (pid: 12) of binary: /usr/bin/python|6",
      })
  void launchersTellWhoEndedHow(String line, int signal) {
    LogSuspicion first = judged(line);
    assertThat(first.ranks()).containsExactly(3);
    assertThat(first.rule())
        .isEqualTo(
            switch (signal) {
              case 9 -> "signal.kill";
              case 7 -> "signal.bus";
              case 6 -> "signal.abort";
              default -> "signal.segv";
            });
  }

  @Test
  void theCommandBesideDeepSpeedsReturnCodeIsThatOfTheLastChild() {
    LogSuspicion first =
        judged("[ERROR] ['python', 'train.py', '--local_rank=7'] exits with return code = -11");
    assertThat(first.ranks()).isEmpty();
  }

  @Test
  void anErrorWithoutARankIsThatOfWhomTheLauncherNames() {
    LogSuspicion first =
        judged(
            "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2 GiB",
            "Root Cause (first observed failure):",
            "  rank      : 11 (local_rank: 3)",
            "  exitcode  : 1 (pid: 12)");
    assertThat(first.ranks()).containsExactly(11);
    assertThat(first.kind()).isEqualTo(FailureClass.GPU_OUT_OF_MEMORY);
    assertThat(first.confidence()).isLessThan(0.8);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "    if \"CUDA out of memory\" not in str(e):",
        "If you see CUDA out of memory, try a smaller batch",
        "caught torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB; cache emptied",
        "WARNING: ran into CUDA out of memory, skipping batch",
        "MESSAGE = 'slurmstepd: error: Exceeded job memory limit'",
        "ncclSystemError",
        "\"OOMKilled\": false,",
      })
  void quotesAdviceAndWhatWasDealtWithAreNoErrors(String line) {
    assertThat(judged("step 1 loss 3", line).kind()).isEqualTo(FailureClass.UNKNOWN);
  }

  @Test
  void boilerplateAfterAnErrorIsNotTheRunGoingOn() {
    LogSuspicion first =
        judged(
            "step 10 loss 2.3",
            "RuntimeError: CUDA error: uncorrectable ECC error encountered",
            "CUDA kernel errors might be asynchronously reported at some other API call.",
            "For debugging consider passing CUDA_LAUNCH_BLOCKING=1.",
            "Compile with `TORCH_USE_CUDA_DSA` to enable device-side assertions.",
            "frame #0: c10::Error::Error + 0x57 (0x7f00 in libc10.so)");
    assertThat(first.kind()).isEqualTo(FailureClass.ECC);
  }

  @Test
  void lossesAndBatchesAfterAnErrorShowThatItWasSurvived() {
    LogSuspicion first =
        judged(
            "DEBUG CUDA out of memory. Tried to allocate 422.00 MiB",
            "DEBUG Batch loss: 0.0106",
            "DEBUG Batch loss: 0.0073",
            "INFO Epoch 3 done");
    assertThat(first.kind()).isEqualTo(FailureClass.UNKNOWN);
  }

  @Test
  void theOneWhoWaitsInAnEarlierCollectiveIsTheSuspect() {
    String wait =
        "[E ProcessGroupNCCL.cpp:475] [Rank %d] Watchdog caught collective operation timeout:"
            + " WorkNCCL(SeqNum=%d, OpType=ALLREDUCE, NumelIn=1, NumelOut=1, Timeout(ms)=1800000)"
            + " ran for 1800123 milliseconds before timing out.";
    LogSuspicion first = judged(wait.formatted(4, 120), wait.formatted(5, 118));
    assertThat(first.ranks()).containsExactly(5);
    assertThat(first.kind()).isEqualTo(FailureClass.HANG);
  }

  @Test
  void bothSidesOfCollectivesThatDifferAreNamed() {
    LogSuspicion first =
        judged(
            "[rank1]: RuntimeError: Detected mismatch between collectives on ranks. Rank 1 is running"
                + " collective: CollectiveFingerPrint(OpType=ALLREDUCE), but Rank 7 is running"
                + " collective: CollectiveFingerPrint(OpType=REDUCE).");
    assertThat(first.ranks()).containsExactly(1, 7);
    assertThat(first.kind()).isEqualTo(FailureClass.USER_CODE);
  }

  @Test
  void ofALongLineThatPartIsShownThatMatters() {
    LogSuspicion first = judged("x".repeat(100_000) + " CUDA out of memory. Tried to allocate");
    assertThat(first.evidence().getFirst()).contains("CUDA out of memory");
  }

  @Test
  void aCauseThatIsNobodysDoingGoesBeforeAGuessWhoItWas() {
    LogSuspicion first =
        judged(
            "slurmstepd-n7: error: Step 1.0 exceeded memory limit (52 > 20), being killed",
            "srun: error: n7: task 0: Killed");
    assertThat(first.kind()).isEqualTo(FailureClass.HOST_OUT_OF_MEMORY);
    assertThat(first.ranks()).containsExactly(0);
    assertThat(first.node()).isEqualTo("n7");
  }
}
