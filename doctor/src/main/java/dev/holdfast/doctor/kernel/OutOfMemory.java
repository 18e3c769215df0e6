package dev.holdfast.doctor.kernel;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.check.Needs;

/** Processes killed by the kernel to get memory back. */
public final class OutOfMemory implements Check {
  private static final CheckInfo INFO =
      CheckInfo.of(
              "kernel.oom",
              "Has the kernel killed processes for want of memory?",
              FaultClass.SOFTWARE,
              Proof.DOCUMENTED)
          .reads("kernel-log")
          .needs(Needs.SYSLOG)
          .meaning(
              "The killed process is a rank, a data loader or a daemon the node needs; the job dies with it, often far from the cause.")
          .remedy(
              "Find who used the memory: dmesg lists all processes at the time; ask for more memory or use fewer data-loader workers");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    if (!new KernelStory(exam)
        .tell(exam.kernel().require("oom.host", "oom.cgroup", "oom.killed"))) {
      exam.pass("none in the kernel log");
    }
  }
}
