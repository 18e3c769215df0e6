package dev.holdfast.core.forensics.logs;

import dev.holdfast.core.forensics.FailureRules;
import dev.holdfast.core.text.MarkerIndex;
import java.util.ArrayList;
import java.util.List;

/**
 * Which lines are worth a second look? One automaton for all: the pieces of the failure rules, and
 * below them the few words by which steps, NCCL's own lines, waits and ends are known.
 */
final class Marks {
  private static final int RULES = FailureRules.all().size();

  /** A step was done. */
  static final int STEP = RULES;

  /** NCCL speaks. */
  static final int NCCL = RULES + 1;

  /** The watchdog of PyTorch tells in which collective a rank waits. */
  static final int WAIT = RULES + 2;

  /** Scheduler or launcher tell how a process ended. */
  static final int END = RULES + 3;

  /** The rank was asked to end. */
  static final int ASKED = RULES + 4;

  /** Somebody thought it worth the word. */
  static final int NOTABLE = RULES + 5;

  /** A kernel may have written it. */
  static final int KERNEL = RULES + 6;

  /** Work was done. */
  static final int PROGRESS = RULES + 7;

  /** The program says that it goes on. */
  static final int DEALT = RULES + 8;

  private static final MarkerIndex INDEX = new MarkerIndex(markers());

  private Marks() {}

  private static List<List<String>> markers() {
    List<List<String>> markers = new ArrayList<>(FailureRules.markers());
    markers.add(List.of("step", "Step", "iteration", "Iteration"));
    markers.add(List.of("NCCL INFO", "NCCL version", "NCCL WARN"));
    markers.add(List.of("WorkNCCL(", "last enqueued"));
    markers.add(
        List.of(
            "srun: error:",
            "slurmstepd: ",
            "Root Cause (first observed failure)",
            "(exitcode: ",
            "exits with return code",
            "exited on signal",
            "died with <Signals.",
            "terminated with signal",
            "terminated with exit code",
            "Process name: [[",
            "-- Process ",
            "Exception ignored in",
            "RUNNING AT",
            "Exit code:",
            "EXIT CODE:",
            "KILLED BY SIGNAL:",
            "exitcode  :",
            "rank      :",
            "host      :",
            "time      :",
            "not responding, setting DOWN",
            "Node failure on "));
    markers.add(
        List.of(
            "SIGTERM",
            "got signal: 15",
            "Received signal 15",
            "CANCELLED AT",
            "signal: Terminated"));
    markers.add(
        List.of(
            "ERROR", "Error", "error:", "WARN", "FATAL", "Fatal", "Exception", "failed", "Killed"));
    markers.add(
        List.of(
            "NVRM: ",
            "nvidia-nvswitch",
            " kernel",
            "kernel: ",
            "Out of memory: Kill",
            "emory cgroup out of memory",
            "oom-kill:",
            "amdgpu",
            "mlx5_core",
            "EDAC ",
            "mce: ",
            "AER: ",
            "I/O error",
            "blocked for more than",
            "lockup"));
    markers.add(
        List.of(
            "oss",
            "poch",
            "atch",
            "teration",
            "it/s",
            "s/it",
            "heckpoint",
            "hroughput",
            "tokens/s",
            "samples/s",
            "MFU",
            "TFLOP",
            " 200 "));
    markers.add(List.of("kipping", "kipped", "etrying", "gnoring"));
    return markers;
  }

  static int words() {
    return INDEX.words();
  }

  static boolean scan(byte[] bytes, int from, int end, long[] hits) {
    return INDEX.scan(bytes, from, end, hits);
  }

  static boolean has(long[] hits, int mark) {
    return (hits[mark >>> 6] & 1L << mark) != 0;
  }

  /** Whether a failure rule may fit. */
  static boolean rules(long[] hits) {
    for (int word = 0; word * 64 < RULES; word++) {
      long mask = RULES - word * 64 >= 64 ? -1L : (1L << (RULES - word * 64)) - 1;
      if ((hits[word] & mask) != 0) {
        return true;
      }
    }
    return false;
  }
}
