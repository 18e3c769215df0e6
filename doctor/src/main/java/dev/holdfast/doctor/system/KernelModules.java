package dev.holdfast.doctor.system;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;

/** Whether the modules of the running kernel are still on the disk. */
public final class KernelModules implements Check {
  private static final String RELEASE = "/proc/sys/kernel/osrelease";
  private static final String LOADED = "/proc/modules";

  private static final CheckInfo INFO =
      CheckInfo.of(
              "system.kernel.modules",
              "Are the modules of the running kernel installed?",
              FaultClass.CONFIGURATION,
              Proof.DOCUMENTED)
          .reads(RELEASE, LOADED, "/lib/modules/RELEASE")
          .meaning(
              "No driver can be loaded any more: after a GPU reset or a driver restart the node has no"
                  + " GPUs until it is rebooted.")
          .remedy("Drain the node and reboot it into the installed kernel");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    String release = exam.node().require(RELEASE).strip();
    boolean modular = exam.node().text(LOADED).filter(text -> !text.isEmpty()).isPresent();
    if (!modular || Identity.of(exam.node()).container()) {
      return;
    }
    String folder = "/lib/modules/" + release;
    if (!exam.node().list(folder).isEmpty()) {
      exam.pass(release);
    } else if (!exam.node().list("/lib/modules").isEmpty()) {
      exam.draft(
              exam.here(),
              Role.severity(exam.node(), Severity.WARNING),
              "the modules of the running kernel " + release + " are gone")
          .evidence(RELEASE, release)
          .evidence("/lib/modules", String.join(" ", exam.node().list("/lib/modules")));
    }
  }
}
