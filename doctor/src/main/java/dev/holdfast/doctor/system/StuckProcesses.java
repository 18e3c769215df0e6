package dev.holdfast.doctor.system;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.text.Durations;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.history.Change;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Processes that have waited in the kernel, unkillable, for minutes.
 *
 * <p>A busy process is often seen in that state by chance. One that has not given up the processor
 * by itself a single time since an earlier run, though waiting in both, has really not moved.
 */
public final class StuckProcesses implements Check {
  private static final Duration WINDOW = Duration.ofDays(1);
  private static final int MAX_TOLD = 16;

  private static final CheckInfo INFO =
      CheckInfo.of(
              "system.processes.stuck",
              "Is no process stuck in the kernel?",
              FaultClass.SOFTWARE,
              Proof.DOCUMENTED)
          .reads("processes")
          .meaning(
              "It cannot be killed and may hold a GPU, a file or a lock for good: the next job on"
                  + " this node hangs on the same thing.")
          .remedy("cat /proc/NUMBER/stack as root shows on what; a stuck driver needs a reboot")
          .limit("seconds", 300, "s", "GCM dstate check");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    List<Processes.Entry> waiting = Processes.require(exam.node()).in("D");
    boolean unknown = false;
    int told = 0;
    for (Processes.Entry process : waiting.subList(0, Math.min(MAX_TOLD, waiting.size()))) {
      if (process.switches().isEmpty()) {
        continue;
      }
      String counter = "process." + process.number() + "." + process.start() + ".switches";
      Optional<Change> change = exam.change(counter, process.switches().getAsLong(), WINDOW);
      unknown |= change.isEmpty();
      if (change.isPresent()
          && change.get().increase() == 0
          && change.get().elapsed().toSeconds() >= exam.limit("seconds")) {
        told++;
        tell(exam, process, change.get());
      }
    }
    if (told == 0 && unknown) {
      exam.needsHistory();
    } else if (told == 0) {
      exam.pass(waiting.size() + " waiting for I/O, none for long");
    }
  }

  private static void tell(Examination exam, Processes.Entry process, Change change) {
    String time = Durations.show(change.elapsed());
    exam.degraded(
            exam.here().part("process", process.number()),
            "%s has been stuck in the kernel for at least %s".formatted(process.name(), time))
        .evidence("/proc/" + process.number() + "/stat", "state D")
        .evidence(
            "/proc/" + process.number() + "/status voluntary_ctxt_switches",
            "unchanged for " + time)
        .evidence(
            "/proc/" + process.number() + "/wchan",
            process.where().isEmpty() || process.where().equals("0")
                ? "not readable without CAP_SYS_PTRACE"
                : process.where())
        .since(Optional.of(exam.node().now().minus(change.elapsed())))
        .remedy(INFO.remedy().replace("NUMBER", process.number()));
  }
}
