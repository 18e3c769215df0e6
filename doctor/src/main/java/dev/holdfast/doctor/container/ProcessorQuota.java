package dev.holdfast.doctor.container;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.text.Durations;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.history.Change;
import dev.holdfast.doctor.node.KeyValues;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/** Whether a processor quota stops this job's threads. */
public final class ProcessorQuota implements Check {
  private static final Duration WINDOW = Duration.ofHours(1);

  private static final CheckInfo INFO =
      CheckInfo.of(
              "container.cgroup.processor",
              "Do the threads of this job run without being stopped by a quota?",
              FaultClass.CONFIGURATION,
              Proof.HARDWARE)
          .reads("/proc/self/cgroup", "/sys/fs/cgroup/**/cpu.max, cpu.stat")
          .meaning(
              "A group that used up its quota stands still until the period ends, all threads at"
                  + " once: tens of milliseconds in which neither data nor launches reach the GPU.")
          .remedy(
              "Raise or drop the quota (resources.limits.cpu in Kubernetes, --cpus in Docker); keep requests")
          .limit("share", 10, "% of periods", "own choice");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    ControlGroup group = ControlGroup.require(exam.node(), "cpu");
    String file = group.second() ? "cpu.max" : "cpu.cfs_quota_us";
    String folder = limited(exam, group, file);
    if (folder.isEmpty()) {
      if (group.shows(exam.node(), file)) {
        exam.pass("no quota");
      }
      return;
    }
    KeyValues statistics =
        KeyValues.parse(exam.node().read(folder + "/cpu.stat").text().orElse(""), ' ');
    OptionalLong periods = statistics.number("nr_periods");
    OptionalLong throttled = statistics.number("nr_throttled");
    if (periods.isEmpty() || throttled.isEmpty()) {
      exam.skip(folder + "/cpu.stat does not tell about the quota");
      return;
    }
    Optional<Change> passed =
        exam.change("container.periods." + folder, periods.getAsLong(), WINDOW);
    Optional<Change> stopped =
        exam.change("container.throttled." + folder, throttled.getAsLong(), WINDOW);
    if (passed.isEmpty() || stopped.isEmpty()) {
      exam.needsHistory();
      return;
    }
    double share = 100.0 * stopped.get().increase() / Math.max(1, passed.get().increase());
    String said =
        String.format(
            Locale.ROOT,
            "stopped in %.0f %% of the periods of the last %s",
            share,
            Durations.show(passed.get().elapsed()));
    if (share >= exam.limit("share") && passed.get().increase() >= 100) {
      exam.warning(exam.here(), "the processor quota " + said)
          .evidence(folder + "/" + file, exam.node().text(folder + "/" + file).orElse(""))
          .evidence(folder + "/cpu.stat", "nr_throttled " + throttled.getAsLong());
    } else {
      exam.pass(said);
    }
  }

  /** The innermost group with a quota; version 2 writes {@code max}, version 1 -1 for none. */
  private static String limited(Examination exam, ControlGroup group, String file) {
    for (String folder : group.folders()) {
      String quota = exam.node().text(folder + "/" + file).orElse("max");
      if (!quota.startsWith("max") && !quota.startsWith("-")) {
        return folder;
      }
    }
    return "";
  }
}
