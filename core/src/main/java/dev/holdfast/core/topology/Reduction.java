package dev.holdfast.core.topology;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Takes CPUs and NUMA nodes out of a tree, and the parts that then hold nothing, with their
 * devices. Parts are put in the order of the first CPU they have left, which is what hwloc does: a
 * core that lost its first thread may come after its neighbours.
 *
 * @param cpus those that go
 * @param nodes those that go
 * @param byNodes whether a part goes when it has no memory left rather than no CPU
 */
record Reduction(IdSet cpus, IdSet nodes, boolean byNodes) {

  /** Without some CPUs and the NUMA nodes that have no others. */
  static Reduction ofCpus(Topology machine, IdSet gone) {
    BitSet nodes = new BitSet();
    for (Part node : machine.numaNodes()) {
      if (node.number() >= 0 && gone.containsAll(node.cpus())) {
        nodes.set(node.number());
      }
    }
    return new Reduction(gone, IdSet.copyOf(nodes), false);
  }

  /** With some NUMA nodes alone, and without the CPUs that have no others. */
  static Reduction ofNodes(Topology machine, IdSet kept) {
    IdSet gone = machine.root().nodes().without(kept);
    BitSet cpus = new BitSet();
    for (Part thread : machine.levels().getLast()) {
      if (thread.kind() == PartKind.PU && gone.containsAll(thread.nodes())) {
        thread.cpus().stream().forEach(cpus::set);
      }
    }
    return new Reduction(IdSet.copyOf(cpus), gone, true);
  }

  Part from(Part root) {
    Part left = reduced(root);
    return left == null ? root.toBuilder().clear().cpus(IdSet.EMPTY).build() : left;
  }

  private @Nullable Part reduced(Part part) {
    IdSet leftCpus = part.cpus().without(cpus);
    IdSet leftNodes = part.nodes().without(nodes);
    List<Part> inside = left(part.children());
    List<Part> memory = left(part.memory());
    boolean empty = byNodes ? leftNodes.isEmpty() : leftCpus.isEmpty();
    if (inside.isEmpty() && memory.isEmpty() && empty) {
      return null;
    }
    if (touches(part)) {
      inside = lostFirstCpu(part.children()) ? ordered(inside) : emptyLast(inside);
    }
    return part.toBuilder()
        .clear()
        .addAll(memory)
        .addAll(inside)
        .addAll(part.io())
        .cpus(leftCpus)
        .nodes(leftNodes)
        .build();
  }

  private boolean touches(Part part) {
    return byNodes
        ? part.nodes().isEmpty() || part.nodes().intersects(nodes)
        : part.cpus().isEmpty() || part.cpus().intersects(cpus);
  }

  private List<Part> left(List<Part> parts) {
    List<Part> left = new ArrayList<>(parts.size());
    for (Part part : parts) {
      Part rest = reduced(part);
      if (rest != null) {
        left.add(rest);
      }
    }
    return left;
  }

  /**
   * Whether the first CPU of a part goes. If not, the order stands: it may be that of CPUs which
   * the owner of the machine disallowed, and which the tree no longer tells.
   */
  private boolean lostFirstCpu(List<Part> parts) {
    for (Part part : parts) {
      if (cpus.contains(part.cpus().first())) {
        return true;
      }
    }
    return false;
  }

  private static List<Part> emptyLast(List<Part> parts) {
    List<Part> all = new ArrayList<>(parts);
    all.removeIf(part -> part.cpus().isEmpty());
    for (Part part : parts.reversed()) {
      if (part.cpus().isEmpty()) {
        all.add(part);
      }
    }
    return all;
  }

  /** By the first CPU; parts without any come last, and hwloc turns their order around. */
  private static List<Part> ordered(List<Part> parts) {
    List<Part> sorted = new ArrayList<>(parts);
    Collections.reverse(sorted);
    sorted.sort(Comparator.comparingInt(Reduction::firstCpu));
    return sorted;
  }

  /** The first CPU, or for a part without any a number beyond all of them. */
  static int firstCpu(Part part) {
    return part.cpus().isEmpty() ? IdSet.MAX_ID + 1 : part.cpus().first();
  }
}
