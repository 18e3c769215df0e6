package dev.holdfast.doctor.kernel;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.check.Needs;

/** Processes the kernel saw waiting without a sign of life. */
public final class HungTask implements Check {
  private static final CheckInfo INFO =
      CheckInfo.of(
              "kernel.hungtask",
              "Has a process been stuck in the kernel for minutes?",
              FaultClass.SOFTWARE,
              Proof.DOCUMENTED)
          .reads("kernel-log")
          .needs(Needs.SYSLOG)
          .meaning(
              "A rank that waits in the kernel for storage or a driver cannot be killed; the other ranks wait for it until their timeout.")
          .remedy(
              "Look at the stack after the line in dmesg: it names the file system or driver; a stuck driver needs a reboot");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    if (!new KernelStory(exam).tell(exam.kernel().require("task.hung"))) {
      exam.pass("none in the kernel log");
    }
  }
}
