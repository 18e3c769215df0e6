package dev.holdfast.core.topology;

/**
 * Turns the tree of hwloc 1, where a NUMA node contains packages or is contained in one, into that
 * of hwloc 2, where it is memory beside the part that has the same CPUs.
 */
final class HwlocOne {
  private HwlocOne() {}

  static Part convert(Part part) {
    Part.Builder fresh = part.toBuilder().clear().addAll(part.io());
    for (Part child : part.children()) {
      fresh.add(convert(child));
    }
    for (Part node : part.memory()) {
      attach(part, node, fresh);
    }
    return ordered(fresh.build());
  }

  private static void attach(Part outer, Part node, Part.Builder into) {
    Part bare = node.toBuilder().clear().build();
    if (node.children().isEmpty() && node.memory().isEmpty()) {
      into.add(bare).addAll(node.io());
      return;
    }
    Part inner = convert(node.toBuilder().build());
    boolean onlyOne = inner.children().size() == 1;
    if (onlyOne && inner.children().getFirst().cpus().equals(node.cpus())) {
      // The one part inside has the same CPUs: the memory is that part's.
      Part child = inner.children().getFirst();
      into.add(
          child.toBuilder()
              .clear()
              .add(bare)
              .addAll(child.memory())
              .addAll(child.children())
              .addAll(inner.io())
              .addAll(child.io())
              .build());
    } else if (outer.cpus().equals(node.cpus())) {
      into.add(bare).addAll(inner.memory()).addAll(inner.children()).addAll(inner.io());
    } else {
      into.add(
          Part.of(PartKind.GROUP)
              .fact(Part.GROUP_KIND, "numa")
              .cpus(node.cpus())
              .nodes(node.nodes())
              .add(bare)
              .addAll(inner.memory())
              .addAll(inner.children())
              .addAll(inner.io())
              .build());
    }
  }

  /** Children by their first CPU: memory and other children were kept apart above. */
  private static Part ordered(Part part) {
    return part.toBuilder()
        .clear()
        .addAll(part.memory())
        .addAll(
            part.children().stream()
                .sorted(java.util.Comparator.comparingInt(child -> child.cpus().first()))
                .toList())
        .addAll(part.io())
        .build();
  }
}
