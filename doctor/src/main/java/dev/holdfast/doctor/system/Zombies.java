package dev.holdfast.doctor.system;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Draft;
import dev.holdfast.doctor.check.Examination;
import java.util.Comparator;
import java.util.Map;
import java.util.stream.Collectors;

/** Processes that died and whose parent never asked how. */
public final class Zombies implements Check {
  private static final CheckInfo INFO =
      CheckInfo.of(
              "system.processes.zombie",
              "Do parents take leave of their dead processes?",
              FaultClass.SOFTWARE,
              Proof.HARDWARE)
          .reads("processes")
          .meaning(
              "Zombies hold process numbers and, after a GPU job, sometimes the GPU's memory; in"
                  + " containers they mean that PID 1 does not reap.")
          .remedy("Restart the parent: kill PARENT; in containers run an init (docker --init)")
          .limit("warning", 1000, "processes", "gpud os component")
          .limit("degraded", 2000, "processes", "gpud os component");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    Processes processes = Processes.require(exam.node());
    if (processes.zombies() < exam.limit("warning")) {
      exam.pass(processes.zombies() + " of " + processes.total());
      return;
    }
    String parent =
        processes.in("Z").stream()
            .collect(Collectors.groupingBy(Processes.Entry::parent, Collectors.counting()))
            .entrySet()
            .stream()
            .max(Comparator.comparing(Map.Entry::getValue))
            .map(Map.Entry::getKey)
            .orElse("unknown");
    String summary = processes.zombies() + " zombie processes, most of them of parent " + parent;
    Draft draft =
        processes.zombies() >= exam.limit("degraded")
            ? exam.degraded(exam.here(), summary)
            : exam.warning(exam.here(), summary);
    draft
        .evidence("/proc/*/stat, state Z", processes.zombies())
        .remedy(INFO.remedy().replace("PARENT", parent));
  }
}
