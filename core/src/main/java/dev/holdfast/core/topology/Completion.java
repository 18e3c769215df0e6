package dev.holdfast.core.topology;

import java.util.ArrayList;
import java.util.List;

/**
 * Makes a tree whole that a source told only in part: leaves out what the machine's owner may not
 * use, tells every part its local memory, and gives a machine without NUMA one node for all. What
 * was done is noted.
 */
final class Completion {
  private Completion() {}

  static Part complete(Part root, List<String> notes) {
    if (root.cpus().isEmpty()) {
      throw new IllegalArgumentException("the machine has no CPUs");
    }
    Part whole = root;
    List<Part> nodes = new ArrayList<>();
    collect(root, nodes);
    if (nodes.isEmpty()) {
      notes.add("the source tells of no NUMA node; the whole machine is taken as one");
      Part node =
          Part.of(PartKind.NUMA_NODE).number(0).cpus(root.cpus()).nodes(IdSet.of(0)).build();
      whole = root.toBuilder().add(node).build();
    }
    return localMemory(whole, IdSet.EMPTY);
  }

  private static void collect(Part part, List<Part> nodes) {
    part.children().forEach(child -> collect(child, nodes));
    for (Part memory : part.memory()) {
      if (memory.kind() == PartKind.NUMA_NODE) {
        nodes.add(memory);
      }
      collect(memory, nodes);
    }
  }

  /** Local to a part are the nodes inside it and those of the parts around it. */
  static Part localMemory(Part part, IdSet around) {
    if (part.kind().io()) {
      return part;
    }
    IdSet own = part.memory().isEmpty() ? around : around.or(nodesOf(part.memory()));
    List<IdSet> sets = new ArrayList<>(List.of(own));
    List<Part> inside = new ArrayList<>(part.children().size());
    boolean same = !part.nodes().isEmpty();
    for (Part child : part.children()) {
      Part done = localMemory(child, own);
      sets.add(done.nodes());
      inside.add(done);
      same &= done == child;
    }
    if (same) {
      return part;
    }
    return part.toBuilder()
        .clear()
        .addAll(inside)
        .addAll(part.memory())
        .addAll(part.io())
        .nodes(part.nodes().isEmpty() ? IdSet.union(sets) : part.nodes())
        .build();
  }

  private static IdSet nodesOf(List<Part> memories) {
    List<IdSet> sets = new ArrayList<>();
    for (Part memory : memories) {
      sets.add(
          memory.kind() == PartKind.NUMA_NODE && memory.number() >= 0
              ? IdSet.of(memory.number())
              : nodesOf(memory.memory()));
    }
    return IdSet.union(sets);
  }
}
