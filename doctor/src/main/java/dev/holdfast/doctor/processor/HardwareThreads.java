package dev.holdfast.doctor.processor;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.system.Sysfs;
import java.util.Map;
import java.util.TreeMap;

/** Whether every core has the same number of hardware threads. */
public final class HardwareThreads implements Check {
  private static final String ROOT = "/sys/devices/system/cpu/";
  private static final String HYBRID = "/sys/devices/cpu_atom/cpus";

  private static final CheckInfo INFO =
      CheckInfo.of(
              "processor.threads",
              "Have all cores the same number of hardware threads?",
              FaultClass.CONFIGURATION,
              Proof.HARDWARE)
          .reads(ROOT + "cpu*/topology/thread_siblings_list", ROOT + "smt/control")
          .meaning(
              "When only some cores have their second thread, ranks bound to equal core counts get"
                  + " unequal machines, and binding masks written for the fleet do not fit here.")
          .remedy("echo on > /sys/devices/system/cpu/smt/control (or off, on all nodes alike)");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    ProcessorList online =
        ProcessorList.parse(Sysfs.require(exam.node(), ROOT + "online")).orElse(null);
    if (online == null) {
      exam.skip(ROOT + "online is not a list of processors");
      return;
    }
    Map<Integer, Integer> sizes = new TreeMap<>();
    for (int number : online.numbers()) {
      exam.node()
          .text(ROOT + "cpu" + number + "/topology/thread_siblings_list")
          .flatMap(ProcessorList::parse)
          .ifPresent(siblings -> sizes.merge(siblings.size(), 1, Integer::sum));
    }
    String control = exam.node().text(ROOT + "smt/control").orElse("unknown");
    if (sizes.isEmpty() || exam.node().exists(HYBRID)) {
      return;
    }
    if (sizes.size() > 1) {
      exam.warning(exam.here(), "cores differ in their number of hardware threads: " + sizes(sizes))
          .evidence(ROOT + "cpu*/topology/thread_siblings_list", sizes(sizes))
          .evidence(ROOT + "smt/control", control);
    } else {
      exam.pass(sizes.keySet().iterator().next() + " per core, control " + control);
    }
  }

  private static String sizes(Map<Integer, Integer> sizes) {
    return String.join(
        ", ",
        sizes.entrySet().stream()
            .map(entry -> entry.getValue() + " processors with " + entry.getKey() + " per core")
            .toList());
  }
}
