package dev.holdfast.doctor.kernel;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.kernel.KernelEvent;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.check.Needs;
import java.util.List;

/** Errors the processor or the firmware reported; those of memory have checks of their own. */
public final class MachineCheck implements Check {
  private static final CheckInfo INFO =
      CheckInfo.of(
              "kernel.machinecheck",
              "Has the processor or the firmware reported hardware errors?",
              FaultClass.HARDWARE,
              Proof.DOCUMENTED)
          .reads("kernel-log")
          .needs(Needs.SYSLOG)
          .meaning(
              "An uncorrected machine check means wrong data or a crash; many corrected ones stall"
                  + " the cores that handle them and foretell the uncorrected.")
          .remedy("Drain the node; the bank in the line names the part: run the vendor diagnostic")
          .limit("corrected", 10, "lines", "own choice: a single corrected error is ordinary");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    List<KernelEvent> corrected = exam.kernel().require("mce.corrected", "cper.corrected");
    int lines = corrected.stream().mapToInt(KernelEvent::count).sum();
    boolean many = lines >= exam.limit("corrected");
    boolean told =
        new KernelStory(exam)
            .severity(event -> many ? event.severity() : Severity.INFO)
            .tell(corrected);
    told |=
        new KernelStory(exam)
            .neverAges()
            .tell(
                exam.kernel()
                    .require("mce.fatal", "mce.uncorrected", "cper.fatal", "cper.recoverable"));
    if (!told) {
      exam.pass("none in the kernel log");
    }
  }
}
