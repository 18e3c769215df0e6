package dev.holdfast.core.topology;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Sorts the parts with CPUs into levels, as hwloc does: a level holds parts of one kind; the next
 * one is of the kind that is outermost among what is left. Machines whose halves differ get levels
 * that do not span the whole machine.
 */
final class Levels {
  private static final int MAX_LEVELS = 128;

  private Levels() {}

  static List<List<Part>> of(Part root) {
    List<List<Part>> levels = new ArrayList<>();
    levels.add(List.of(root));
    List<Part> left = new ArrayList<>(root.children());
    while (!left.isEmpty()) {
      Part top = topmost(left);
      List<Part> level = new ArrayList<>();
      List<Part> rest = new ArrayList<>();
      for (Part part : left) {
        if (sameLevel(part, top)) {
          level.add(part);
          rest.addAll(part.children());
        } else {
          rest.add(part);
        }
      }
      levels.add(List.copyOf(level));
      left = rest;
      if (levels.size() > MAX_LEVELS) {
        throw new IllegalArgumentException(
            "the machine has more than " + MAX_LEVELS + " levels of parts; no machine has");
      }
    }
    return List.copyOf(levels);
  }

  /** A part that has no part of its own kind inside another of the list. */
  private static Part topmost(List<Part> parts) {
    Part top =
        parts.stream()
            .filter(part -> part.kind() != PartKind.PU)
            .findFirst()
            .orElse(parts.getFirst());
    for (Part part : parts) {
      if (!sameLevel(part, top) && contains(part, top)) {
        top = part;
      }
    }
    return top;
  }

  private static boolean contains(Part part, Part wanted) {
    for (Part child : part.children()) {
      if (sameLevel(child, wanted) || contains(child, wanted)) {
        return true;
      }
    }
    return false;
  }

  static boolean sameLevel(Part one, Part other) {
    return one.kind() == other.kind()
        && (one.kind() != PartKind.GROUP
            || Objects.equals(one.fact(Part.GROUP_KIND), other.fact(Part.GROUP_KIND)));
  }
}
