package dev.holdfast.doctor.nic;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.check.Needs;
import dev.holdfast.doctor.kernel.KernelStory;

/** What the network driver wrote into the kernel's log about the health of its adapters. */
public final class NicDriverLog implements Check {
  private static final CheckInfo INFO =
      CheckInfo.of(
              "nic.driver.log",
              "Does the kernel log say that an adapter or its firmware failed?",
              FaultClass.NETWORK,
              Proof.DOCUMENTED)
          .needs(Needs.SYSLOG)
          .reads("probe kernel-log")
          .meaning(
              "An adapter whose firmware stopped answering looks present and up, but moves no data:"
                  + " the job hangs with no error until its timeout.")
          .remedy("Drain the node and reboot it; update driver and firmware if it comes again");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    var events =
        exam.kernel()
            .require(
                "nic.command-timeout",
                "nic.health",
                "nic.unrecoverable",
                "nic.recovery-failed",
                "nic.lockup",
                "nic.temperature",
                "nic.module",
                "nic.tx-timeout");
    if (!new KernelStory(exam).about("pci").tell(events)) {
      exam.pass("no such line");
    }
  }
}
