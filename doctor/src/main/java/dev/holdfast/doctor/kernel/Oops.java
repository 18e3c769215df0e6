package dev.holdfast.doctor.kernel;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.check.Needs;

/** Faults inside the kernel or a driver. */
public final class Oops implements Check {
  private static final CheckInfo INFO =
      CheckInfo.of(
              "kernel.oops",
              "Has the kernel met a fault of its own?",
              FaultClass.SOFTWARE,
              Proof.DOCUMENTED)
          .reads("kernel-log")
          .needs(Needs.SYSLOG)
          .meaning(
              "After an oops the kernel goes on in a damaged state: locks stay held, and the next job hangs or is corrupted.")
          .remedy(
              "Keep the trace (dmesg > FILE), then reboot the node; update the driver the trace names");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    if (!new KernelStory(exam).tell(exam.kernel().require("kernel.oops", "kernel.panic"))) {
      exam.pass("none in the kernel log");
    }
  }
}
