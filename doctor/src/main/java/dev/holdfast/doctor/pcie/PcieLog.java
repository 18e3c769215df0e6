package dev.holdfast.doctor.pcie;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.check.Needs;
import dev.holdfast.doctor.kernel.KernelStory;

/**
 * What the kernel's log says of PCIe devices that failed or were lost. Corrected errors are left to
 * {@link PcieErrors}, which knows their rate.
 */
public final class PcieLog implements Check {
  private static final CheckInfo INFO =
      CheckInfo.of(
              "pcie.log",
              "Does the kernel log tell of lost PCIe devices or uncorrected errors?",
              FaultClass.HARDWARE,
              Proof.DOCUMENTED)
          .needs(Needs.SYSLOG)
          .reads("probe kernel-log")
          .meaning(
              "An uncorrected PCIe error takes the GPU, NIC or drive behind it away from a running"
                  + " job, and a link that failed once tends to fail again.")
          .remedy("Drain the node, reseat the card or riser, update its firmware");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    var events =
        exam.kernel()
            .require(
                "pcie.aer.fatal",
                "pcie.aer.nonfatal",
                "pcie.aer.recovery-failed",
                "pcie.dpc",
                "pcie.slot");
    if (!new KernelStory(exam).about("pci").tell(events)) {
      exam.pass("no such line");
    }
  }
}
