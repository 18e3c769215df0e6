package dev.holdfast.bench.logs;

import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** The fault happens, and those around it suffer. */
final class LogPlot {
  private static final long SECOND = 1_000_000;
  private static final long MILLI = 1_000;

  private final LogMaker job;
  private final SplittableRandom random;
  private final Scribe scribe;
  private final int culprit;
  private final int node;
  private final long fault;
  private final Map<Integer, Map<Long, String>> kernels = new TreeMap<>();

  /** The scheduler or the launcher says how the culprit ended. */
  boolean endTold;

  LogPlot(LogMaker job, long now) {
    this.job = job;
    random = job.random;
    scribe = job.scribe;
    culprit = job.culprit;
    node = job.nodeOf(culprit);
    fault = now + SECOND + random.nextLong(2 * SECOND);
  }

  Map<Long, String> kernel(int number) {
    return kernels.getOrDefault(number, Map.of());
  }

  void happen() {
    switch (job.fault) {
      case HANG -> timeouts(culprit, "ALLREDUCE", 0);
      case STUCK_DEVICE -> {
        timeouts(culprit, "ALLREDUCE", 0);
        watchdog(culprit, fault + 598 * SECOND, 411, "ALLREDUCE");
      }
      case MISMATCH -> {
        timeouts(culprit, "ALLREDUCE", 0);
        watchdog(culprit, fault + 600 * SECOND, 412, "_ALLGATHER_BASE");
      }
      case CRASH -> {
        ended(random.nextBoolean() ? "Segmentation fault (core dumped)" : "Killed");
        broken(false);
      }
      case GPU_MEMORY -> {
        trace(
            culprit,
            fault,
            "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 3.50 GiB. GPU 3 has a total capacity of 79.11 GiB");
        broken(false);
      }
      case HOST_MEMORY -> {
        kernel(
            fault,
            "Memory cgroup out of memory: Killed process %d (python3) total-vm:91234567kB, anon-rss:6543210kB"
                .formatted(job.pid(culprit)));
        ended("Out Of Memory");
        broken(false);
      }
      case ECC -> {
        kernel(
            fault - 300 * MILLI,
            "NVRM: Xid (PCI:0000:%s:00): 48, pid=%d, name=python3, DBE (double bit error) ECC Error"
                .formatted(job.bus(culprit), job.pid(culprit)));
        trace(
            culprit,
            fault,
            "torch.AcceleratorError: CUDA error: uncorrectable ECC error encountered");
        broken(false);
      }
      case LOST_GPU -> {
        kernel(
            fault - 300 * MILLI,
            "NVRM: Xid (PCI:0000:%s:00): 79, pid=%d, name=python3, GPU has fallen off the bus."
                .formatted(job.bus(culprit), job.pid(culprit)));
        trace(culprit, fault, "RuntimeError: CUDA error: unspecified launch failure");
        broken(false);
      }
      case NETWORK -> {
        kernel(fault - SECOND, "mlx5_core 0000:5c:00.0 ens1f0np0: Link down");
        broken(true);
      }
      case STORAGE -> {
        trace(culprit, fault, "OSError: [Errno 5] Input/output error: '/data/shard-0412.bin'");
        broken(false);
      }
      case EXCEPTION -> {
        trace(culprit, fault, "ValueError: sample 881213 has 0 tokens");
        broken(false);
      }
      case LOST_NODE -> {
        endTold = random.nextBoolean();
        if (endTold) {
          scribe.launcher(fault + 90 * SECOND, "srun: error: Node failure on " + Scribe.node(node));
        }
        broken(true);
      }
      case PREEMPTED ->
          scribe.launcher(
              fault,
              "slurmstepd: error: *** STEP 4711.0 ON %s CANCELLED AT 2026-11-16T05:13:31 DUE TO PREEMPTION ***"
                  .formatted(Scribe.node(0)));
      case NONE -> {}
    }
  }

  private void kernel(long time, String line) {
    kernels.computeIfAbsent(node, _ -> new TreeMap<>()).put(time, line);
  }

  private void trace(int rank, long time, String exception) {
    String label = "[rank" + rank + "]: ";
    scribe.raw(rank, time, label + "Traceback (most recent call last):");
    scribe.raw(rank, time + 1, label + "  File \"/app/train.py\", line 412, in <module>");
    scribe.raw(rank, time + 2, label + "    loss = step(batch)");
    scribe.raw(rank, time + 3, label + exception);
  }

  /** Somebody who holds the process says how it ended. */
  private void ended(String how) {
    endTold = random.nextInt(10) < 7;
    if (endTold) {
      scribe.launcher(
          fault + SECOND,
          "srun: error: %s: task %d: %s".formatted(Scribe.node(node), culprit, how));
    }
  }

  private void watchdog(int rank, long time, int number, String operation) {
    scribe.torch(
        rank,
        time,
        "[Rank %d] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=%d, OpType=%s, NumelIn=1048576, NumelOut=1048576, Timeout(ms)=600000) ran for %d milliseconds before timing out."
            .formatted(rank, number, operation, 600_000 + random.nextInt(90)));
  }

  /** All but one wait in a collective until the time is up; some are ended before they say so. */
  private void timeouts(int without, String operation, int more) {
    boolean cut = random.nextInt(5) == 0;
    for (int rank = 0; rank < job.ranks; rank++) {
      if (rank == without) {
        continue;
      }
      if (cut && random.nextInt(6) == 0) {
        job.cutOff.add(rank);
        continue;
      }
      long time = fault + 600 * SECOND + random.nextLong(900 * MILLI);
      watchdog(rank, time, 412 + more, operation);
      if (random.nextBoolean()) {
        scribe.raw(
            rank,
            time + SECOND,
            "[rank"
                + rank
                + "]: torch.distributed.DistBackendError: NCCL communicator was aborted on rank "
                + rank);
      }
    }
  }

  /** Connections to whoever is gone break, at once for most. */
  private void broken(boolean wholeNode) {
    for (int rank = 0; rank < job.ranks; rank++) {
      boolean gone =
          rank == culprit && job.fault != LogFault.NETWORK
              || wholeNode && job.fault == LogFault.LOST_NODE && job.nodeOf(rank) == node;
      if (gone) {
        continue;
      }
      long time = fault + 200 * MILLI + random.nextLong(5 * SECOND);
      int other =
          job.nodeOf(rank) == node ? (node + 1 + random.nextInt(job.nodes - 1)) % job.nodes : node;
      String head =
          "%s:%d:%d [%d] "
              .formatted(
                  Scribe.node(job.nodeOf(rank)),
                  job.pid(rank),
                  job.pid(rank) + 9,
                  rank % job.perNode);
      if (job.fault == LogFault.NETWORK) {
        scribe.raw(
            rank,
            time,
            head
                + "transport/net_ib.cc:1296 NCCL WARN NET/IB : Got completion from peer %s<33092> with status=12 opcode=0 len=0 vendor err 129"
                    .formatted(job.address(other)));
      } else {
        scribe.raw(
            rank,
            time,
            head
                + "misc/socket.cc:484 NCCL WARN socketProgress: Connection closed by remote peer %s<51234>"
                    .formatted(job.address(node)));
      }
      scribe.raw(
          rank,
          time + SECOND,
          "[rank%d]: torch.distributed.DistBackendError: NCCL error: remote process exited or there was a network error"
              .formatted(rank));
    }
  }
}
