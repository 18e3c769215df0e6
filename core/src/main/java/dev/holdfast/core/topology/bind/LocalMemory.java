package dev.holdfast.core.topology.bind;

import dev.holdfast.core.topology.IdSet;
import dev.holdfast.core.topology.Part;
import dev.holdfast.core.topology.Topology;
import java.util.BitSet;

/** The memory that is near a set of CPUs. */
public final class LocalMemory {
  private LocalMemory() {}

  /** The NUMA nodes that have some of the CPUs. */
  public static IdSet of(Topology machine, IdSet cpus) {
    BitSet nodes = new BitSet();
    for (Part node : machine.numaNodes()) {
      if (node.number() >= 0 && node.cpus().intersects(cpus)) {
        nodes.set(node.number());
      }
    }
    return IdSet.copyOf(nodes);
  }
}
