package dev.holdfast.doctor.memory;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.text.Bytes;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;

/** Whether the kernel refuses address space that is reserved but never touched. */
public final class Overcommit implements Check {
  private static final String PATH = "/proc/sys/vm/overcommit_memory";
  private static final int STRICT = 2;

  private static final CheckInfo INFO =
      CheckInfo.of(
              "memory.overcommit",
              "May programs reserve more address space than there is memory?",
              FaultClass.CONFIGURATION,
              Proof.HARDWARE)
          .reads(PATH, MemoryInfo.PATH + " CommitLimit, Committed_AS")
          .meaning(
              "Training programs reserve far more than they touch: under strict accounting forking"
                  + " data loaders and large allocations fail while memory is free.")
          .remedy("sysctl vm.overcommit_memory=0, and in /etc/sysctl.d to make it stay");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    String mode = exam.node().require(PATH).strip();
    MemoryInfo memory = MemoryInfo.of(exam.node());
    Bytes limit = memory.require("CommitLimit");
    if (mode.equals(Integer.toString(STRICT)) && limit.compareTo(memory.require("MemTotal")) < 0) {
      exam.warning(exam.here(), "strict accounting lets programs reserve only " + limit)
          .evidence(PATH, mode)
          .evidence(MemoryInfo.PATH + " CommitLimit", limit)
          .evidence(MemoryInfo.PATH + " Committed_AS", memory.require("Committed_AS"));
    } else {
      exam.pass("mode " + mode);
    }
  }
}
