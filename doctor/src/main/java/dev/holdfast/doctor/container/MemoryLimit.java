package dev.holdfast.doctor.container;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.text.Bytes;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Draft;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.history.Change;
import dev.holdfast.doctor.node.KeyValues;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** How near the job's control group is to its memory limit, not counting file cache it can drop. */
public final class MemoryLimit implements Check {
  private static final CheckInfo INFO =
      CheckInfo.of(
              "container.cgroup.memory",
              "Is there room below the memory limit of this job or container?",
              FaultClass.USER,
              Proof.HARDWARE)
          .reads(
              "/proc/self/cgroup",
              "/sys/fs/cgroup/**/memory.max",
              "memory.current, memory.stat, memory.events")
          .meaning(
              "At its limit the group is slowed by constant reclaim, then the kernel kills one of its"
                  + " processes, though the node has memory left.")
          .remedy(
              "Ask for more (--mem in Slurm, resources.limits.memory in Kubernetes), or use fewer data-loader workers")
          .limit("warning", 90, "% of the limit", "own choice")
          .limit("degraded", 95, "% of the limit", "own choice");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    ControlGroup group = ControlGroup.require(exam.node(), "memory");
    String limitFile = group.second() ? "memory.max" : "memory.limit_in_bytes";
    Optional<ControlGroup.Bound> limit = group.least(exam.node(), limitFile);
    if (limit.isEmpty()) {
      if (group.shows(exam.node(), limitFile)) {
        exam.pass("no limit");
      }
      return;
    }
    String folder = limit.get().folder();
    OptionalLong held =
        exam.node()
            .number(folder + "/" + (group.second() ? "memory.current" : "memory.usage_in_bytes"));
    if (held.isEmpty()) {
      exam.skip(folder + " does not tell how much memory is in use");
      return;
    }
    kills(exam, group, folder);
    KeyValues statistics =
        KeyValues.parse(exam.node().read(folder + "/memory.stat").text().orElse(""), ' ');
    String prefix = group.second() ? "" : "total_";
    long cache =
        statistics.number(prefix + "inactive_file").orElse(0)
            + statistics.number(prefix + "active_file").orElse(0);
    long used = Math.max(0, held.getAsLong() - cache);
    double percent = used * 100.0 / Math.max(1, limit.get().value());
    String said =
        "%s of %s (%.0f %%) in use"
            .formatted(Bytes.of(used), Bytes.of(limit.get().value()), percent);
    if (percent >= exam.limit("warning")) {
      Draft draft =
          percent >= exam.limit("degraded")
              ? exam.degraded(exam.here(), said)
              : exam.warning(exam.here(), said);
      draft
          .evidence(folder + "/" + limitFile, limit.get().value())
          .evidence(folder + ", in use less cache", used);
    } else {
      exam.pass(said);
    }
  }

  /** Processes killed for the limit since an earlier run. */
  private static void kills(Examination exam, ControlGroup group, String folder) {
    if (!group.second()) {
      return;
    }
    OptionalLong kills =
        KeyValues.parse(exam.node().read(folder + "/memory.events").text().orElse(""), ' ')
            .number("oom_kill");
    if (kills.isEmpty()) {
      return;
    }
    Optional<Change> change =
        exam.change("container.oom." + folder, kills.getAsLong(), Duration.ofDays(1));
    if (change.isPresent() && change.get().increase() > 0) {
      exam.warning(
              exam.here(),
              change.get().increase() + " processes were killed for exceeding the memory limit")
          .evidence(folder + "/memory.events oom_kill", kills.getAsLong())
          .event();
    }
  }
}
