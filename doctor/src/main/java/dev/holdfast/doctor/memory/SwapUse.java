package dev.holdfast.doctor.memory;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.text.Bytes;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;

/** Whether memory was pushed out to disk. Having swap is a site's choice; using it hurts. */
public final class SwapUse implements Check {
  private static final String SWAPPINESS = "/proc/sys/vm/swappiness";

  private static final CheckInfo INFO =
      CheckInfo.of(
              "memory.swap",
              "Is memory kept out of swap?",
              FaultClass.CONFIGURATION,
              Proof.HARDWARE)
          .reads(MemoryInfo.PATH + " SwapTotal, SwapFree", SWAPPINESS)
          .meaning(
              "A page that was swapped out comes back in milliseconds instead of nanoseconds; a rank"
                  + " that touches some stalls all others.")
          .remedy(
              "Stop what filled memory; once MemAvailable exceeds what is swapped out: swapoff -a &&"
                  + " swapon -a; sysctl vm.swappiness=1")
          .limit("used", 1024, "MiB", "own choice: idle daemons' pages are below that");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    MemoryInfo memory = MemoryInfo.of(exam.node());
    Bytes total = memory.require("SwapTotal");
    Bytes used = Bytes.of(Math.max(0, total.count() - memory.require("SwapFree").count()));
    if (used.compareTo(Bytes.mebibytes((long) exam.limit("used"))) > 0) {
      exam.warning(exam.here(), used + " of memory are swapped out")
          .evidence(MemoryInfo.PATH + " SwapTotal", total)
          .evidence(MemoryInfo.PATH + " SwapFree", memory.require("SwapFree"))
          .evidence(SWAPPINESS, exam.node().text(SWAPPINESS).orElse("unknown"));
    } else {
      exam.pass(total.count() == 0 ? "no swap" : used + " of " + total + " used");
    }
  }
}
