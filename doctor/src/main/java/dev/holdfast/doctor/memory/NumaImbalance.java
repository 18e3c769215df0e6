package dev.holdfast.doctor.memory;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.text.Bytes;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Draft;
import dev.holdfast.doctor.check.Examination;
import java.util.Comparator;
import java.util.List;

/** Whether the memory is spread evenly over the sockets; a lost module shows without a fleet. */
public final class NumaImbalance implements Check {
  private static final CheckInfo INFO =
      CheckInfo.of(
              "memory.numa.imbalance",
              "Have all NUMA nodes the same amount of memory?",
              FaultClass.HARDWARE,
              Proof.DOCUMENTED)
          .reads(NumaNodes.ROOT + "/node*/meminfo")
          .meaning(
              "A module that was not found at boot, or sits in the wrong slot, leaves one socket with"
                  + " less memory and fewer channels: its ranks are slower and run out first.")
          .remedy("dmidecode -t memory shows the empty slot; reseat or replace the module")
          .limit(
              "share",
              10,
              "% below the largest",
              "own choice: a module of 16 per socket is 6 %, of 8 is 12 %");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    List<NumaNodes.NumaNode> nodes = NumaNodes.read(exam.node());
    if (nodes.size() < 2) {
      return;
    }
    Bytes most =
        nodes.stream().map(NumaNodes.NumaNode::memory).max(Comparator.naturalOrder()).orElseThrow();
    boolean even = true;
    for (NumaNodes.NumaNode node : nodes) {
      if (node.memory().count() < most.count() * (1 - exam.limit("share") / 100)) {
        even = false;
        boolean none = node.memory().count() == 0;
        String summary =
            none
                ? "NUMA " + node.name() + " has processors but no memory"
                : "NUMA %s has %s, another %s".formatted(node.name(), node.memory(), most);
        var part = exam.here().part("numa", node.name().substring("node".length()));
        Draft draft = none ? exam.degraded(part, summary) : exam.warning(part, summary);
        draft.evidence(NumaNodes.ROOT + "/" + node.name() + "/meminfo MemTotal", node.memory());
      }
    }
    if (even) {
      exam.pass(nodes.size() + " nodes of " + most);
    }
  }
}
