package dev.holdfast.core.forensics.logs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.forensics.FailureClass;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class LogAnalysisTest {
  private static final String CLOSED =
      "RuntimeError: [gloo/transport/tcp/pair.cc:598] Connection closed by peer [10.0.0.1]:2";

  @Test
  void theRankThatNamesACauseIsBlamedNotThoseThatLostIt() {
    Logs logs = new Logs().steps(8, 4);
    for (int rank = 0; rank < 8; rank++) {
      logs.rank(rank, rank == 5 ? "torch.OutOfMemoryError: CUDA out of memory." : CLOSED);
    }
    LogVerdict verdict = logs.verdict();
    LogSuspicion first = verdict.first();
    assertThat(first.ranks()).containsExactly(5);
    assertThat(first.kind()).isEqualTo(FailureClass.GPU_OUT_OF_MEMORY);
    assertThat(first.confidence()).isGreaterThanOrEqualTo(0.9);
    assertThat(first.evidence()).anyMatch(line -> line.contains("rank 5 on gpu02 (rank5.log:12)"));
    assertThat(first.evidence()).anyMatch(line -> line.contains("ranks 0-4,6-7"));
    assertThat(verdict.templates())
        .anyMatch(one -> one.ranks().equals("0-4,6-7") && one.rule().equals("peer.gloo-closed"));
    assertThat(verdict.volume().world()).isEqualTo(8);
    assertThat(verdict.volume().absent()).isEmpty();
  }

  @Test
  void troubleThatWasSurvivedIsNoCause() {
    Logs logs =
        new Logs()
            .rank(2, Logs.stamp(2) + " caught CUDA out of memory. Tried 2 GiB; cache emptied")
            .steps(4, 2);
    logs.rank(
        1, "Traceback (most recent call last):", "  File \"a.py\", line 1", "ValueError: odd");
    logs.rank(0, CLOSED).rank(2, CLOSED).rank(3, CLOSED);
    LogSuspicion first = logs.verdict().first();
    assertThat(first.ranks()).containsExactly(1);
    assertThat(first.kind()).isEqualTo(FailureClass.USER_CODE);
    assertThat(first.evidence().getFirst()).contains("ValueError: odd");
  }

  @Test
  void theFirstOfTwoCausesIsFoundAlthoughItsClockIsAhead() {
    Logs logs = new Logs().steps(4, 2, 0, 100);
    logs.rank(1, Logs.stamp(50) + " CUDA error: an illegal memory access was encountered");
    logs.rank(2, Logs.stamp(145) + " OSError: [Errno 5] Input/output error");
    LogVerdict verdict = logs.verdict();
    assertThat(verdict.first().ranks()).containsExactly(2);
    assertThat(verdict.first().node()).isEqualTo("gpu02");
    assertThat(verdict.clocks())
        .filteredOn(clock -> clock.node().equals("gpu02"))
        .allMatch(clock -> Math.abs(clock.offset().toMillis()) >= 50_000 && clock.events() == 10);
    assertThat(verdict.findings()).anyMatch(one -> one.id().equals("clock.skew"));
  }

  @Test
  void theSilentRankIsTheOneTheOthersWaitedFor() {
    Logs logs = new Logs().steps(8, 4);
    for (int rank = 0; rank < 8; rank++) {
      if (rank != 3) {
        logs.rank(rank, Logs.timeout(rank, 700, 41, "ALLREDUCE"));
      }
    }
    LogSuspicion first = logs.verdict().first();
    assertThat(first.ranks()).containsExactly(3);
    assertThat(first.kind()).isEqualTo(FailureClass.HANG);
  }

  @Test
  void whoWaitsInAnEarlierCollectiveIsBehind() {
    Logs logs = new Logs().steps(4, 2);
    for (int rank = 0; rank < 4; rank++) {
      logs.rank(rank, Logs.timeout(rank, 700, rank == 2 ? 40 : 41, "ALLREDUCE"));
    }
    assertThat(logs.verdict().first().ranks()).containsExactly(2);
  }

  @Test
  void whoCallsAnotherCollectiveIsNamed() {
    Logs logs = new Logs().steps(4, 2);
    for (int rank = 0; rank < 4; rank++) {
      logs.rank(rank, Logs.timeout(rank, 700, 41, rank == 1 ? "BROADCAST" : "ALLREDUCE"));
    }
    LogSuspicion first = logs.verdict().first();
    assertThat(first.ranks()).containsExactly(1);
    assertThat(first.rule()).isEqualTo("code.mismatch");
  }

  @Test
  void aCauseThatComesAfterTheTimeoutIsNone() {
    Logs logs = new Logs().steps(8, 4);
    for (int rank = 0; rank < 8; rank++) {
      if (rank != 3) {
        logs.rank(rank, Logs.timeout(rank, 700, 41, "ALLREDUCE"));
      }
    }
    logs.rank(3, Logs.stamp(720) + " CUDA error: unspecified launch failure");
    LogVerdict verdict = logs.verdict();
    assertThat(verdict.suspicions())
        .noneMatch(one -> one.kind() == FailureClass.CUDA_ERROR && one.confidence() > 0.4);
    assertThat(verdict.first().ranks()).containsExactly(3);
    assertThat(verdict.first().kind()).isEqualTo(FailureClass.HANG);
  }

  @Test
  void allVictimsAndNothingElseCannotBeTold() {
    Logs logs = new Logs().steps(4, 2);
    for (int rank = 0; rank < 4; rank++) {
      logs.rank(rank, CLOSED);
    }
    LogSuspicion first = logs.verdict().first();
    assertThat(first.blames()).isFalse();
    assertThat(first.missing()).isNotEmpty();
  }

  @Test
  void theKernelOfTheNodeExplainsACudaError() {
    Logs logs = new Logs().steps(4, 2);
    logs.rank(2, Logs.stamp(50) + " RuntimeError: CUDA error: unspecified launch failure");
    logs.file(
        "dmesg-gpu02.txt",
        "2026-11-16T10:00:49.100000+00:00 gpu02 kernel: NVRM: Xid (PCI:0000:1a:00): 79,"
            + " pid=4002, name=python3, GPU has fallen off the bus.",
        "2026-11-16T10:00:49.200000+00:00 gpu02 kernel: NVRM: something else",
        "2026-11-16T10:00:49.300000+00:00 gpu02 kernel: more");
    LogVerdict verdict = logs.verdict();
    assertThat(verdict.first().kind()).isEqualTo(FailureClass.LOST_GPU);
    assertThat(verdict.first().ranks()).containsExactly(2);
    assertThat(verdict.first().node()).isEqualTo("gpu02");
    assertThat(verdict.first().when()).contains(Instant.parse("2026-11-16T10:00:49.100Z"));
    assertThat(verdict.timeline()).anyMatch(one -> one.role() == LogMoment.Role.KERNEL);
  }

  @Test
  void anOldEventOfTheKernelThatTheRunSurvivedIsOnlyAFinding() {
    Logs logs = new Logs().steps(4, 2);
    for (int rank = 0; rank < 4; rank++) {
      logs.rank(rank, Logs.stamp(3600) + " INFO iteration 11 loss 2.5");
    }
    logs.file(
        "dmesg-gpu01.txt",
        "2026-11-16T10:00:20.100000+00:00 gpu01 kernel: nvme nvme4: I/O tag 22 (2016) opcode 0x2"
            + " (I/O Cmd) QID 7 timeout, aborting req_op:READ(0) size:4096");
    LogVerdict verdict = logs.verdict();
    assertThat(verdict.first().blames()).isFalse();
    assertThat(verdict.findings()).anyMatch(one -> one.id().equals("kernel.nvme.timeout"));
  }

  @Test
  void srunTellsWhoWasKilled() {
    Logs logs = new Logs().steps(8, 4);
    for (int rank = 0; rank < 8; rank++) {
      if (rank != 6) {
        logs.rank(rank, CLOSED);
      }
    }
    logs.file(
        "slurm-4711.out",
        "srun: error: gpu02: task 6: Segmentation fault (core dumped)",
        "srun: error: gpu01: tasks 0-3: Exited with exit code 1");
    LogSuspicion first = logs.verdict().first();
    assertThat(first.ranks()).containsExactly(6);
    assertThat(first.rule()).isEqualTo("signal.segv");
    assertThat(first.node()).isEqualTo("gpu02");
  }

  @Test
  void torchrunNamesItsFirstFailure() {
    Logs logs = new Logs().steps(4, 4);
    logs.file(
        "launcher.log",
        "train.py FAILED",
        "Root Cause (first observed failure):",
        "[0]:",
        "  time      : 2026-11-16_10:01:00",
        "  host      : gpu01.cluster",
        "  rank      : 2 (local_rank: 2)",
        "  exitcode  : -11 (pid: 4002)",
        "  error_file: <N/A>");
    assertThat(logs.verdict().first().ranks()).containsExactly(2);
  }

  @Test
  void aLostNodeIsBlamedAsAWhole() {
    Logs logs = new Logs().steps(8, 4);
    for (int rank = 0; rank < 4; rank++) {
      logs.rank(rank, CLOSED);
    }
    logs.file(
        "slurmctld.log",
        "[2026-11-16T10:02:00.000] error: Nodes gpu02 not responding, setting DOWN");
    LogSuspicion first = logs.verdict().first();
    assertThat(first.node()).isEqualTo("gpu02");
    assertThat(first.kind()).isEqualTo(FailureClass.LOST_NODE);
  }

  @Test
  void labelsOfSrunMakeRanksOfOneFile() {
    Logs logs = new Logs();
    for (int rank = 0; rank < 12; rank++) {
      logs.file("slurm-1.out", "%2d: starting".formatted(rank));
    }
    logs.file("slurm-1.out", "11: torch.OutOfMemoryError: CUDA out of memory.", " 3: " + CLOSED);
    LogVerdict verdict = logs.verdict();
    assertThat(verdict.volume().ranks()).isEqualTo(12);
    assertThat(verdict.first().ranks()).containsExactly(11);
  }

  @Test
  void placesOnANodeBecomeRanksWhereLinesTellThem() {
    Logs logs =
        new Logs()
            .file("job_gpu01/attempt_0/0/stderr.log", "[rank0]: starting", CLOSED)
            .file("job_gpu01/attempt_0/1/stderr.log", "[rank1]: starting", CLOSED)
            .file("job_gpu02/attempt_0/0/stderr.log", "[rank2]: starting", CLOSED)
            .file("job_gpu02/attempt_0/1/stdout.log", "hello")
            .file("job_gpu02/attempt_0/1/stderr.log", "[rank3]: MemoryError", "MemoryError: no");
    LogVerdict verdict = logs.verdict();
    assertThat(verdict.first().ranks()).containsExactly(3);
    assertThat(verdict.volume().ranks()).isEqualTo(4);
  }

  @Test
  void whatNcclChoseSilentlyIsAFinding() {
    Logs logs = new Logs();
    for (int rank = 0; rank < 4; rank++) {
      String head = "gpu%02d:4%d:7 [0] NCCL INFO ".formatted(rank + 1, rank);
      logs.rank(
          rank,
          head + "NCCL version 2.2" + (rank == 1 ? "6" : "7") + ".3+cuda12.9",
          head
              + "NET/IB : Using [0]mlx5_0:1/IB [1]mlx5_1:1/IB [RO]; OOB eth0:10.0.0."
              + rank
              + "<0>",
          head
              + "Channel 00/0 : %d[0] -> %d[0] [send] via %s"
                  .formatted(
                      rank,
                      (rank + 1) % 4,
                      rank == 2 ? "NET/Socket/0" : rank == 3 ? "NET/IB/0" : "NET/IB/0/GDRDMA"));
    }
    List<LogFinding> findings = logs.verdict().findings();
    assertThat(findings).anyMatch(one -> one.id().equals("nccl.socket") && one.ranks().equals("2"));
    assertThat(findings).anyMatch(one -> one.id().equals("nccl.no-gdr") && one.ranks().equals("3"));
    assertThat(findings)
        .anyMatch(one -> one.id().equals("nccl.versions") && one.ranks().equals("1"));
    assertThat(findings).noneMatch(one -> one.id().equals("nccl.adapters"));
    assertThat(findings)
        .anyMatch(
            one ->
                one.id().equals("nccl.topology")
                    && one.summary().contains("2 by RDMA with GPUDirect")
                    && one.summary().contains("1 by TCP"));
  }

  /** The lines are those of PyTorch 2.11 and NCCL 2.28.9 with two ranks on one GPU. */
  @Test
  void oneReleaseOfNcclNamedInTwoWaysIsOneVersion() {
    Logs logs =
        new Logs()
            .file(
                "torchrun.log",
                "vm:518:518 [0] NCCL INFO NCCL version 2.28.9+cuda13.0",
                "[2026-11-16 04:47:40] vm:518:518 [0] init.cc:904 NCCL WARN Duplicate GPU detected"
                    + " : rank 0 and rank 1 both on CUDA device 60",
                "[rank0]: torch.distributed.DistBackendError: NCCL error in: NCCLUtils.cpp:94,"
                    + " invalid usage, NCCL version 2.28.9",
                "[rank1]: torch.distributed.DistBackendError: NCCL error in: NCCLUtils.cpp:94,"
                    + " invalid usage, NCCL version 2.28.9");
    LogVerdict verdict = logs.verdict();
    assertThat(verdict.findings()).isEmpty();
    assertThat(verdict.first().rule()).isEqualTo("start.duplicate-gpu");
  }

  @Test
  void torchrunsOwnTracebackIsNoCause() {
    Logs logs = new Logs().steps(4, 4);
    logs.rank(0, CLOSED).rank(1, CLOSED).rank(3, CLOSED);
    logs.file(
        "launcher.log",
        "Traceback (most recent call last):",
        "  File \"torchrun\", line 10, in <module>",
        "torch.distributed.elastic.multiprocessing.errors.ChildFailedError: ");
    assertThat(logs.verdict().first().ranks()).containsExactly(2);
  }

  @Test
  void aHealthyJobBlamesNobodyAndHasNoFindings() {
    LogVerdict verdict = new Logs().steps(8, 4).verdict();
    assertThat(verdict.first().blames()).isFalse();
    assertThat(verdict.first().kind()).isEqualTo(FailureClass.UNKNOWN);
    assertThat(verdict.findings()).isEmpty();
    assertThat(verdict.timeline()).singleElement().matches(one -> one.text().contains("10"));
  }

  @Test
  void aFileThatCannotBeReadIsNoted() {
    LogSource gone =
        new LogSource(
            "rank0.log",
            LogSource.Kind.OUTPUT,
            0,
            -1,
            "",
            0,
            () -> {
              throw new java.io.IOException("Stale file handle");
            });
    assertThat(LogAnalysis.of(List.of(gone)).volume().unreadable())
        .containsExactly("rank0.log: Stale file handle");
  }
}
