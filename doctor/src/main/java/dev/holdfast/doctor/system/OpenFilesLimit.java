package dev.holdfast.doctor.system;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;

/**
 * How many files a process started from here may open. The soft limit a program can raise itself,
 * so the hard one decides.
 */
public final class OpenFilesLimit implements Check {
  private static final CheckInfo INFO =
      CheckInfo.of(
              "system.limits.files",
              "May a process open as many files as a large job needs?",
              FaultClass.CONFIGURATION,
              Proof.HARDWARE)
          .reads(ResourceLimits.PATH + " Max open files")
          .meaning(
              "Every data-loader worker, shared tensor and NCCL socket is an open file: 'too many"
                  + " open files' comes hours into a run, or only at a thousand ranks.")
          .remedy(
              "LimitNOFILE=1048576 in slurmd's or containerd's unit, or nofile in"
                  + " /etc/security/limits.conf; in Docker --ulimit nofile=1048576")
          .limit(
              "least",
              16384,
              "files",
              "16 times the usual default of 1024; NCCL opens several per peer");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    ResourceLimits.Pair files = ResourceLimits.require(exam.node(), "Max open files");
    if (files.hard() < exam.limit("least")) {
      exam.draft(
              exam.here(),
              Role.severity(exam.node(), Severity.WARNING),
              "a process may open at most " + files.hard() + " files")
          .evidence(ResourceLimits.PATH + " Max open files", files.show());
    } else {
      exam.pass(files.show());
    }
  }
}
