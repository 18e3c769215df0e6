package dev.holdfast.doctor.processor;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.node.Unavailable;
import dev.holdfast.doctor.system.Sysfs;

/**
 * Processors that are there but switched off. Sysfs also lists as offline what was never plugged in
 * (most virtual machines), so only those present count; with hardware threads switched off on
 * purpose half of them are.
 */
public final class OfflineProcessors implements Check {
  private static final String ROOT = "/sys/devices/system/cpu/";

  private static final CheckInfo INFO =
      CheckInfo.of(
              "processor.offline",
              "Are all processors of the node switched on?",
              FaultClass.HARDWARE,
              Proof.HARDWARE)
          .reads(ROOT + "present", ROOT + "online", ROOT + "smt/control")
          .meaning(
              "Ranks and data loaders share fewer cores than the scheduler counts on; the kernel"
                  + " also takes a core offline after hardware errors.")
          .remedy("echo 1 > /sys/devices/system/cpu/cpuN/online; look for machine checks first");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    ProcessorList present = list(exam, "present");
    ProcessorList online = list(exam, "online");
    String control = exam.node().text(ROOT + "smt/control").orElse("unknown");
    int off = present.size() - present.within(online).size();
    boolean threadsOff = control.equals("off") || control.equals("forceoff");
    if (off == 0) {
      exam.pass(online.size() + " of " + present.size() + " online");
    } else if (threadsOff && off == online.size()) {
      exam.pass(online.size() + " online, their second threads switched off");
    } else {
      exam.warning(exam.here(), off + " of " + present.size() + " processors are offline")
          .evidence(ROOT + "present", present)
          .evidence(ROOT + "online", online)
          .evidence(ROOT + "smt/control", control);
    }
  }

  private static ProcessorList list(Examination exam, String name) {
    return ProcessorList.parse(Sysfs.require(exam.node(), ROOT + name))
        .orElseThrow(() -> new Unavailable(ROOT + name + " is not a list of processors"));
  }
}
