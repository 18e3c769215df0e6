package dev.holdfast.doctor.system;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import java.util.List;

/** On a node that is to serve Slurm: whether its daemons run. */
public final class SlurmDaemon implements Check {
  private static final String WANTED = "/etc/systemd/system/multi-user.target.wants/";

  private record Daemon(String unit, String process) {}

  private static final List<Daemon> DAEMONS =
      List.of(new Daemon("slurmd.service", "slurmd"), new Daemon("munge.service", "munged"));

  private static final CheckInfo INFO =
      CheckInfo.of(
              "system.slurm",
              "Do Slurm's daemons run on this node?",
              FaultClass.SOFTWARE,
              Proof.DOCUMENTED)
          .reads(WANTED + "slurmd.service", "processes")
          .meaning(
              "Without slurmd the controller marks the node down and kills its jobs; without munge nothing is authenticated.")
          .remedy("systemctl restart UNIT; journalctl -b -u UNIT says why it stopped");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    if (Identity.of(exam.node()).container()
        || exam.node().link(WANTED + "slurmd.service").isEmpty()) {
      return;
    }
    Processes processes = Processes.require(exam.node());
    for (Daemon daemon : DAEMONS) {
      if (exam.node().link(WANTED + daemon.unit).isEmpty()) {
        continue;
      }
      if (processes.runs(daemon.process)) {
        exam.pass(daemon.process + " runs");
      } else {
        exam.degraded(
                exam.here().part("service", daemon.unit),
                daemon.process + " is enabled but does not run")
            .evidence(WANTED + daemon.unit, "enabled")
            .evidence("/proc/*/stat", "no process " + daemon.process)
            .remedy(INFO.remedy().replace("UNIT", daemon.unit));
      }
    }
  }
}
