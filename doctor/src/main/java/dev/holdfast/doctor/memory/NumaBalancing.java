package dev.holdfast.doctor.memory;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.system.Role;

/** Whether the kernel moves pages between sockets behind the back of bound processes. */
public final class NumaBalancing implements Check {
  private static final String PATH = "/proc/sys/kernel/numa_balancing";

  private static final CheckInfo INFO =
      CheckInfo.of(
              "memory.numa.balancing",
              "Does the kernel leave bound processes' memory where it is?",
              FaultClass.CONFIGURATION,
              Proof.DOCUMENTED)
          .reads(PATH, NumaNodes.ROOT)
          .meaning(
              "Automatic balancing unmaps pages to see who uses them and moves them between sockets:"
                  + " page faults in the host threads of bound ranks, and stalls of GPUs that use host"
                  + " memory.")
          .remedy("sysctl kernel.numa_balancing=0, and in /etc/sysctl.d to make it stay");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    int nodes = NumaNodes.read(exam.node()).size();
    var mode = exam.node().number(PATH);
    if (mode.isEmpty() || nodes == 0) {
      return;
    }
    if (mode.getAsLong() != 0 && nodes > 1) {
      exam.draft(
              exam.here(),
              Role.severity(exam.node(), Severity.WARNING),
              "automatic NUMA balancing is on, over " + nodes + " NUMA nodes")
          .evidence(PATH, mode.getAsLong());
    } else {
      exam.pass(nodes == 1 ? "a single NUMA node" : "off");
    }
  }
}
