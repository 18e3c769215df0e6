package dev.holdfast.doctor.system;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.node.Unavailable;
import java.util.ArrayList;
import java.util.List;

/**
 * Services that systemd gave up on. Those a training node lives by are told one by one; the others,
 * of which most machines have some, in one line worth knowing.
 */
public final class FailedServices implements Check {
  private static final List<String> NEEDED =
      List.of(
          "slurmd",
          "munge",
          "nvidia-",
          "nv-",
          "dcgm",
          "openibd",
          "opensm",
          "rdma",
          "mlnx",
          "chrony",
          "ntp",
          "systemd-timesyncd",
          "containerd",
          "docker",
          "kubelet",
          "sssd",
          "autofs",
          "nfs",
          "remote-fs",
          "rasdaemon",
          "lnet",
          "lustre",
          "gpfs",
          "beegfs",
          "weka");

  private static final CheckInfo INFO =
      CheckInfo.of(
              "system.services.failed",
              "Do all services run that should?",
              FaultClass.SOFTWARE,
              Proof.DOCUMENTED)
          .reads("units-failed")
          .meaning(
              "The node lacks something jobs count on: its scheduler daemon, time, name service, a"
                  + " mount or a driver's helper.")
          .remedy("systemctl status UNIT; journalctl -b -u UNIT; then systemctl restart UNIT");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    if (!exam.node().exists("/run/systemd/system")) {
      throw new Unavailable("systemd does not run here");
    }
    List<String> others = new ArrayList<>();
    boolean needed = false;
    for (String line : exam.node().requireProbe("units-failed").split("\n")) {
      String unit = line.strip().split("\\s+", 2)[0];
      if (unit.isEmpty()) {
        continue;
      }
      if (NEEDED.stream().anyMatch(unit::startsWith) || unit.endsWith(".mount")) {
        needed = true;
        exam.draft(
                exam.here().part("service", unit),
                Role.severity(exam.node(), Severity.WARNING),
                unit + " has failed")
            .evidence("systemctl list-units --state=failed", line.strip())
            .remedy(INFO.remedy().replace("UNIT", unit));
      } else {
        others.add(unit);
      }
    }
    if (!others.isEmpty()) {
      exam.info(exam.here(), "failed services that jobs hardly need: " + String.join(", ", others))
          .evidence("systemctl list-units --state=failed", others.size() + " units")
          .remedy("systemctl reset-failed once they are understood");
    }
    if (!needed) {
      exam.pass("none that a training node needs");
    }
  }
}
