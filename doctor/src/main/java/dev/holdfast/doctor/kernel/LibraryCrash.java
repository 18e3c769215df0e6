package dev.holdfast.doctor.kernel;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.check.Needs;

/** Crashes of training processes in libraries, as the kernel logs them. */
public final class LibraryCrash implements Check {
  private static final CheckInfo INFO =
      CheckInfo.of(
              "kernel.process.crash",
              "Have processes crashed inside GPU or network libraries?",
              FaultClass.SOFTWARE,
              Proof.DOCUMENTED)
          .reads("kernel-log")
          .needs(Needs.SYSLOG)
          .meaning(
              "A crash inside NCCL, CUDA or verbs points at versions that do not fit together, and comes back with every restart.")
          .remedy(
              "Compare the versions of driver, CUDA, NCCL and rdma-core with a good node: holdfast doctor --compare");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    if (!new KernelStory(exam).tell(exam.kernel().require("process.segfault"))) {
      exam.pass("none in the kernel log");
    }
  }
}
