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
    List<Part> inside = new ArrayList<>();
    for (List<Part> parts : List.of(part.memory(), part.children())) {
      for (Part child : parts) {
        Part rest = reduced(child, cpus, nodes);
        if (rest != null) {
          inside.add(rest);
        }
      }
    }
    boolean empty = part.kind().normal() ? leftCpus.isEmpty() : leftNodes.isEmpty();
    if (empty && inside.isEmpty() && part.io().isEmpty()) {
      return null;
    }
    return part.toBuilder()
        .clear()
        .addAll(inside)
        .addAll(part.io())
        .cpus(leftCpus)
        .nodes(leftNodes)
        .build();
  }
}
