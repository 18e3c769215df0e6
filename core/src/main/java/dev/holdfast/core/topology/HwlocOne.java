package dev.holdfast.core.topology;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Turns the tree of hwloc 1, where a NUMA node contains packages or is contained in one, into that
 * of hwloc 2, where it is memory beside the part that has the same CPUs. Where the part around it
 * has other CPUs, a group takes its place; groups that turn out to add nothing go later.
 *
 * <p>What the file says of local memory is forgotten: hwloc 1 counted it in another way.
 */
final class HwlocOne {
  private static final String MCDRAM = "MCDRAM";

  private HwlocOne() {}

  static Part convert(Part root) {
    return Completion.localMemory(converted(root), IdSet.EMPTY);
  }

  private static Part converted(Part part) {
    Part.Builder fresh = part.toBuilder().clear().nodes(IdSet.EMPTY).addAll(part.io());
    List<Part> inside = new ArrayList<>();
    for (Part child : part.children()) {
      inside.add(converted(child));
    }
    for (Part node : part.memory()) {
      Part bare = bare(node);
      if (node.cpus().isEmpty() && node.subtype().equals(MCDRAM)) {
        // The fast memory of a Knights Landing, told without the CPUs it is near.
        fresh.add(bare.toBuilder().cpus(part.cpus()).build());
      } else if (node.cpus().equals(part.cpus())) {
        Part within = converted(node);
        fresh.add(bare).addAll(within.memory()).addAll(within.io());
        inside.addAll(within.children());
      } else {
        inside.add(group(bare, converted(node)));
      }
    }
    inside.sort(Comparator.comparingInt(Reduction::firstCpu));
    return fresh.addAll(inside).build();
  }

  private static Part bare(Part node) {
    IdSet own = node.number() < 0 ? IdSet.EMPTY : IdSet.of(node.number());
    return node.toBuilder().clear().nodes(own).build();
  }

  private static Part group(Part node, Part within) {
    return Part.of(PartKind.GROUP)
        .fact(Part.GROUP_KIND, "numa")
        .cpus(node.cpus())
        .add(node)
        .addAll(within.memory())
        .addAll(within.children())
        .addAll(within.io())
        .build();
  }
}
