package dev.holdfast.doctor.processor;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.kernel.KernelEvent;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.system.Role;
import dev.holdfast.doctor.system.Sysfs;
import java.util.Set;

/**
 * Where the kernel gets the time from: a register of the core, or a device everybody queues for.
 */
public final class ClockSource implements Check {
  private static final String CURRENT =
      "/sys/devices/system/clocksource/clocksource0/current_clocksource";
  private static final String AVAILABLE =
      "/sys/devices/system/clocksource/clocksource0/available_clocksource";
  private static final Set<String> SLOW = Set.of("hpet", "acpi_pm", "jiffies", "refined-jiffies");

  private static final CheckInfo INFO =
      CheckInfo.of(
              "processor.clocksource",
              "Is the time read from a fast clock?",
              FaultClass.CONFIGURATION,
              Proof.HARDWARE)
          .reads(CURRENT, AVAILABLE, "kernel-log")
          .meaning(
              "Every time stamp becomes a system call and a slow read of one shared device: profilers,"
                  + " CUDA and NCCL ask for the time millions of times a second.")
          .remedy(
              "The kernel gave the TSC up: look for 'Marking clocksource' in dmesg, update firmware,"
                  + " then: echo tsc > "
                  + CURRENT);

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    String current = Sysfs.require(exam.node(), CURRENT).strip();
    if (!SLOW.contains(current)) {
      exam.pass(current);
      return;
    }
    boolean trains = Role.trains(exam.node());
    var draft =
        exam.draft(
                exam.here(),
                trains ? Severity.DEGRADED : Severity.WARNING,
                "the time is read from the slow clock " + current)
            .evidence(CURRENT, current)
            .evidence(AVAILABLE, exam.node().text(AVAILABLE).orElse("unknown"));
    for (KernelEvent event : exam.kernel().known("cpu.clocksource")) {
      draft.evidence("kernel log", event.line()).since(event.first());
    }
  }
}
