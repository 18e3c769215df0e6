package dev.holdfast.doctor.memory;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.text.Bytes;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;

/** Memory a new process could take without swapping or the OOM killer. */
public final class MemoryAvailable implements Check {
  private static final CheckInfo INFO =
      CheckInfo.of(
              "memory.available",
              "Is there memory left for a new process?",
              FaultClass.SOFTWARE,
              Proof.HARDWARE)
          .reads(MemoryInfo.PATH)
          .meaning(
              "With no memory left the kernel kills a rank or a data loader at random, and the"
                  + " whole job stops with it.")
          .remedy(
              "See who holds it: ps -eo pid,user,rss,comm --sort=-rss | head; stop leftovers of"
                  + " earlier jobs")
          .limit("least", 100, "MiB", "gpud memory component");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    MemoryInfo memory = MemoryInfo.of(exam.node());
    Bytes available = memory.require("MemAvailable");
    Bytes least = Bytes.mebibytes((long) exam.limit("least"));
    if (available.compareTo(least) < 0) {
      exam.degraded(exam.here(), "only " + available + " of memory are available")
          .evidence(MemoryInfo.PATH + " MemAvailable", available)
          .evidence(MemoryInfo.PATH + " MemTotal", memory.require("MemTotal"));
    } else {
      exam.pass(available + " available");
    }
  }
}
