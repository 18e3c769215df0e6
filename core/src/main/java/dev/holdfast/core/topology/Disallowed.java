package dev.holdfast.core.topology;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Leaves out the CPUs and the memory that the owner of a machine keeps from its users, and parts
 * that hold nothing. Other than under a restriction, memory stays though its CPUs are gone, and so
 * does a part with devices: they can be used all the same.
 */
final class Disallowed {
  private Disallowed() {}

  static Part removed(Part root, IdSet cpus, IdSet nodes) {
    Part left = reduced(root, cpus, nodes);
    return left == null ? root.toBuilder().clear().cpus(IdSet.EMPTY).build() : left;
  }

  private static @Nullable Part reduced(Part part, IdSet cpus, IdSet nodes) {
    IdSet leftCpus = part.cpus().without(cpus);
    IdSet leftNodes = part.nodes().without(nodes);
    List<Part> memory = left(part.memory(), cpus, nodes);
    List<Part> inside = left(part.children(), cpus, nodes);
    boolean empty = part.kind().normal() ? leftCpus.isEmpty() : leftNodes.isEmpty();
    if (empty && inside.isEmpty() && memory.isEmpty() && part.io().isEmpty()) {
      return null;
    }
    boolean same = leftCpus.equals(part.cpus()) && leftNodes.equals(part.nodes());
    if (same && memory == part.memory() && inside == part.children()) {
      return part;
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

  /** What is left of each part; the list itself where nothing changed. */
  private static List<Part> left(List<Part> parts, IdSet cpus, IdSet nodes) {
    List<Part> left = new ArrayList<>(parts.size());
    boolean same = true;
    for (Part part : parts) {
      Part rest = reduced(part, cpus, nodes);
      same &= rest == part;
      if (rest != null) {
        left.add(rest);
      }
    }
    return same ? parts : left;
  }
}
