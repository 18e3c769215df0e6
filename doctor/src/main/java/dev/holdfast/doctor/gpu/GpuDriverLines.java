package dev.holdfast.doctor.gpu;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.kernel.KernelEvent;
import dev.holdfast.doctor.accelerator.Accelerator;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.check.Needs;
import java.util.List;

/** What accelerator drivers write to the kernel log in plain words rather than as a code. */
public final class GpuDriverLines implements Check {
  private static final int MOST_FINDINGS = 20;

  private static final String NO_ADAPTER = "gpu.no-adapter";

  private static final CheckInfo INFO =
      CheckInfo.of(
              "gpu.kernel.driver",
              "Has an accelerator's driver reported a fault in the kernel log?",
              FaultClass.HARDWARE,
              Proof.DOCUMENTED)
          .reads("kernel-log NVRM, nvidia-uvm, amdgpu")
          .needs(Needs.SYSLOG)
          .meaning("The driver lost a device, could not start it, or met a fault it names.")
          .remedy("Look at the lines around it: dmesg -T | grep -i -e NVRM -e amdgpu");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    List<KernelEvent> events =
        exam.kernel().require().stream()
            .filter(event -> event.rule().startsWith("gpu.") || event.rule().startsWith("amdgpu."))
            .filter(event -> event.role() == KernelEvent.Role.CAUSE)
            .limit(MOST_FINDINGS)
            .toList();
    if (events.stream().allMatch(event -> event.rule().equals(NO_ADAPTER))) {
      exam.accelerators().requireHardware(); // else a driver waits for a GPU nobody promised
    }
    for (KernelEvent event : events) {
      Subject subject =
          exam.accelerators()
              .at(event.device())
              .map(Accelerator::subject)
              .orElseGet(
                  () ->
                      event.device().isEmpty()
                          ? exam.here()
                          : exam.here().part("pci", event.device()));
      KernelWords.describe(
          exam.draft(subject, event.severity(), KernelWords.summary(event)), event);
    }
    if (events.isEmpty()) {
      exam.pass("no fault in the log since the boot");
    }
  }
}
