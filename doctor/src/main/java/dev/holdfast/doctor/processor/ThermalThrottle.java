package dev.holdfast.doctor.processor;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.kernel.KernelEvent;
import dev.holdfast.core.text.Durations;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.history.Change;
import dev.holdfast.doctor.kernel.KernelStory;
import dev.holdfast.doctor.system.Role;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Whether processors were slowed down for heat lately. */
public final class ThermalThrottle implements Check {
  private static final String ROOT = "/sys/devices/system/cpu";
  private static final Duration WINDOW = Duration.ofHours(1);

  private static final CheckInfo INFO =
      CheckInfo.of(
              "processor.throttle",
              "Have processors been slowed down for heat?",
              FaultClass.HARDWARE,
              Proof.DOCUMENTED)
          .reads(ROOT + "/cpu*/thermal_throttle/*_throttle_count", "kernel-log")
          .meaning(
              "A throttled processor drops to a fraction of its clock: host threads of all ranks on"
                  + " the node wait, and with them the job.")
          .remedy("Check fans, filters, airflow and the inlet temperature: ipmitool sdr type fan")
          .limit("degraded", 60, "events per hour", "own choice: one a minute is no accident");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    long events = 0;
    boolean counted = false;
    List<String> processors =
        exam.node().list(ROOT).stream()
            .filter(name -> name.matches("cpu[0-9]{1,4}"))
            .limit(4096)
            .toList();
    for (String processor : processors) {
      String folder = ROOT + "/" + processor + "/thermal_throttle/";
      var core = exam.node().number(folder + "core_throttle_count");
      if (core.isEmpty()) {
        break; // all processors of a machine have the counter, or none
      }
      counted = true;
      events += core.getAsLong();
    }
    List<KernelEvent> lines = exam.kernel().known("cpu.thermal");
    if (!counted) {
      new KernelStory(exam)
          .severity(event -> Role.severity(exam.node(), event.severity()))
          .tell(lines);
      return;
    }
    Optional<Change> change = exam.change("processor.throttle", events, WINDOW);
    if (change.isEmpty()) {
      exam.needsHistory();
    } else if (change.get().increase() == 0) {
      exam.pass("none in the last " + Durations.show(change.get().elapsed()));
    } else {
      // A laptop throttles whenever it works hard, and nobody waits for it.
      boolean often = change.get().perHour() >= exam.limit("degraded") && Role.trains(exam.node());
      String summary =
          "processors were throttled for heat %d times in %s"
              .formatted(change.get().increase(), Durations.show(change.get().elapsed()));
      (often ? exam.degraded(exam.here(), summary) : exam.warning(exam.here(), summary))
          .evidence(ROOT + "/cpu*/thermal_throttle/core_throttle_count, sum", events)
          .event();
    }
  }
}
