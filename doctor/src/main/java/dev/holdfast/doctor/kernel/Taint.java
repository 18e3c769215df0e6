package dev.holdfast.doctor.kernel;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import java.util.List;
import java.util.OptionalLong;

/**
 * What the kernel itself remembers of this boot. Needs no right and outlives the log, which wraps.
 * Out-of-tree and proprietary modules taint every GPU node and are not told.
 */
public final class Taint implements Check {
  private static final String PATH = "/proc/sys/kernel/tainted";

  private record Mark(int bit, Severity severity, String summary) {}

  private static final List<Mark> MARKS =
      List.of(
          new Mark(4, Severity.WARNING, "a processor reported a machine check since boot"),
          new Mark(5, Severity.DEGRADED, "the kernel met a damaged page since boot"),
          new Mark(7, Severity.DEGRADED, "the kernel met a fault of its own (oops) since boot"),
          new Mark(14, Severity.WARNING, "a processor was stuck (soft lockup) since boot"));

  private static final CheckInfo INFO =
      CheckInfo.of(
              "kernel.taint",
              "Does the kernel consider itself sound?",
              FaultClass.SOFTWARE,
              Proof.HARDWARE)
          .reads(PATH)
          .meaning(
              "After an oops or a damaged page the kernel runs on in a state nobody tested; the next"
                  + " job may hang or be corrupted for no reason of its own.")
          .remedy("Look for the cause in dmesg or journalctl -k, then reboot the node");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    OptionalLong taint = exam.node().number(PATH);
    if (taint.isEmpty()) {
      exam.skip(PATH + " is not readable as a number");
      return;
    }
    boolean sound = true;
    for (Mark mark : MARKS) {
      if ((taint.getAsLong() >>> mark.bit & 1) != 0) {
        sound = false;
        exam.draft(exam.here(), mark.severity, mark.summary)
            .evidence(PATH, taint.getAsLong() + " (bit " + mark.bit + ")");
      }
    }
    if (sound) {
      exam.pass("no mark of a fault (" + taint.getAsLong() + ")");
    }
  }
}
