package dev.holdfast.doctor.gpu;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.kernel.KernelEvent;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Draft;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.check.Needs;
import java.util.List;

/** The error codes of the NVSwitches, which join the GPUs of one node. */
public final class GpuSxid implements Check {
  private static final int MOST_FINDINGS = 40;

  private static final CheckInfo INFO =
      CheckInfo.of(
              "gpu.kernel.sxid",
              "Has an NVSwitch reported errors (SXid) since the boot?",
              FaultClass.HARDWARE,
              Proof.DOCUMENTED)
          .reads("kernel-log nvidia-nvswitch: SXid")
          .needs(Needs.SYSLOG)
          .meaning(
              "All traffic between the GPUs of the node passes the NVSwitches; a fatal error there"
                  + " stops every job that uses NVLink.")
          .remedy("Drain the node, restart nvidia-fabricmanager; if it comes back, reset all GPUs");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    if (!GpuXid.nvidia(exam)) {
      return;
    }
    List<KernelEvent> events = exam.kernel().require("sxid");
    for (KernelEvent event : events.subList(0, Math.min(events.size(), MOST_FINDINGS))) {
      boolean cause = event.role() == KernelEvent.Role.CAUSE;
      Draft draft =
          exam.draft(
              event.device().isEmpty() ? exam.here() : exam.here().part("pci", event.device()),
              cause ? event.severity() : Severity.INFO,
              KernelWords.summary(event));
      KernelWords.describe(draft, event);
    }
    if (events.isEmpty()) {
      exam.pass("no SXid since the boot");
    }
  }
}
