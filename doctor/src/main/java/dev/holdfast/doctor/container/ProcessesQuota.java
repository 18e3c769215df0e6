package dev.holdfast.doctor.container;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Draft;
import dev.holdfast.doctor.check.Examination;
import java.util.Optional;
import java.util.OptionalLong;

/** How near the job's control group is to its limit of processes and threads. */
public final class ProcessesQuota implements Check {
  private static final CheckInfo INFO =
      CheckInfo.of(
              "container.cgroup.pids",
              "Is there room below the limit of processes of this job or container?",
              FaultClass.CONFIGURATION,
              Proof.DOCUMENTED)
          .reads("/proc/self/cgroup", "/sys/fs/cgroup/**/pids.max, pids.current")
          .meaning(
              "Threads count: NCCL, data loaders and OpenMP start hundreds for each rank; at the"
                  + " limit a rank dies with 'resource temporarily unavailable'.")
          .remedy(
              "Raise it: --pids-limit in Docker, podPidsLimit of the kubelet, TasksMax= in a unit")
          .limit("warning", 80, "% of the limit", "gpud os component")
          .limit("degraded", 95, "% of the limit", "gpud os component");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    ControlGroup group = ControlGroup.require(exam.node(), "pids");
    Optional<ControlGroup.Bound> limit = group.least(exam.node(), "pids.max");
    if (limit.isEmpty()) {
      if (group.shows(exam.node(), "pids.max") || group.shows(exam.node(), "pids.current")) {
        exam.pass("no limit");
      }
      return;
    }
    OptionalLong current = exam.node().number(limit.get().folder() + "/pids.current");
    if (current.isEmpty()) {
      exam.skip(limit.get().folder() + " does not tell how many processes there are");
      return;
    }
    long percent = current.getAsLong() * 100 / Math.max(1, limit.get().value());
    String said = current.getAsLong() + " threads of at most " + limit.get().value();
    if (percent >= exam.limit("warning")) {
      Draft draft =
          percent >= exam.limit("degraded")
              ? exam.degraded(exam.here(), said)
              : exam.warning(exam.here(), said);
      draft
          .evidence(limit.get().folder() + "/pids.max", limit.get().value())
          .evidence(limit.get().folder() + "/pids.current", current.getAsLong());
    } else {
      exam.pass(said);
    }
  }
}
