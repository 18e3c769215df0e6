package dev.holdfast.doctor.system;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;

/** Whether packages were updated that take effect only with a reboot. */
public final class RebootRequired implements Check {
  private static final String PATH = "/run/reboot-required";
  private static final String PACKAGES = "/run/reboot-required.pkgs";
  private static final String DEBIAN = "/etc/debian_version";

  private static final CheckInfo INFO =
      CheckInfo.of(
              "system.reboot.required",
              "Does the node run what is installed on it?",
              FaultClass.CONFIGURATION,
              Proof.DOCUMENTED)
          .reads(PATH, PACKAGES)
          .meaning(
              "The running kernel or driver is older than its files: modules do not load any more,"
                  + " and the node differs from those that were rebooted.")
          .remedy("Drain the node and reboot it");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    if (!exam.node().exists(PATH)) {
      if (exam.node().exists(DEBIAN) && !Identity.of(exam.node()).container()) {
        exam.pass("no package asks for a reboot");
      }
      return;
    }
    String packages =
        String.join(" ", exam.node().text(PACKAGES).orElse("unknown packages").split("\\s+"));
    boolean driver = packages.contains("nvidia") || packages.contains("linux-image");
    exam.draft(
            exam.here(),
            driver ? Role.severity(exam.node(), Severity.WARNING) : Severity.INFO,
            "a reboot is due after an update")
        .evidence(PACKAGES, packages.length() > 300 ? packages.substring(0, 300) + " …" : packages);
  }
}
