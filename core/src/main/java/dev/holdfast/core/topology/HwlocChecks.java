package dev.holdfast.core.topology;

import dev.holdfast.core.text.XmlTree.Element;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * Refuses a file that contradicts itself, with the line: one made by hand or damaged on the way. By
 * a tree in which a CPU stands twice, two tasks would be bound to it.
 */
final class HwlocChecks {
  private final BitSet threads = new BitSet();
  private final BitSet nodes = new BitSet();

  /** Memory and parts with CPUs are in parts with CPUs; devices in those or in other devices. */
  static void nesting(Element element, PartKind kind, PartKind around, int version) {
    boolean fits =
        switch (around) {
          case NUMA_NODE -> version == 1 || kind == PartKind.MISC;
          case MEMORY_CACHE -> !kind.normal() && !kind.io();
          case MISC -> kind == PartKind.MISC;
          case PU -> !kind.normal();
          default -> around.normal() || kind.io() || kind == PartKind.MISC;
        };
    if (!fits) {
      throw wrong(element, "a " + kind.hwlocName() + " inside a " + around.hwlocName());
    }
  }

  /** The one CPU of a PU. */
  IdSet thread(Element element, int number, Optional<IdSet> told) {
    if (number < 0) {
      throw wrong(element, "a PU without its number: neither os_index nor cpuset tell it");
    }
    IdSet cpus = IdSet.of(number);
    if (told.isPresent() && !told.get().equals(cpus)) {
      throw wrong(
          element, "the PU with os_index %d has the cpuset %s".formatted(number, told.get()));
    }
    if (threads.get(number)) {
      throw wrong(element, "the PU with os_index " + number + " stands here a second time");
    }
    threads.set(number);
    return cpus;
  }

  /** The one node of a NUMA node. */
  IdSet node(Element element, int number) {
    if (number < 0) {
      throw wrong(element, "a NUMANode without its number: expected os_index from 0 to 65535");
    }
    if (nodes.get(number)) {
      throw wrong(element, "the NUMANode with os_index " + number + " stands here a second time");
    }
    nodes.set(number);
    return IdSet.of(number);
  }

  /** What is inside shares no CPU among itself and has none from outside. */
  static void apart(Element element, PartKind kind, IdSet cpus, List<Part> inside) {
    if (inside.isEmpty()) {
      return;
    }
    int count = 0;
    for (Part part : inside) {
      count += part.cpus().count();
    }
    IdSet all = union(inside, IdSet.EMPTY);
    if (all.count() < count) {
      throw wrong(element, "parts of this " + kind.hwlocName() + " share CPUs");
    }
    if (!cpus.containsAll(all)) {
      throw wrong(
          element,
          "this %s has the CPUs %s, but parts inside it have %s"
              .formatted(kind.hwlocName(), Shown.of(cpus), Shown.of(all.without(cpus))));
    }
  }

  static IdSet union(List<Part> parts, IdSet otherwise) {
    if (parts.isEmpty()) {
      return otherwise;
    }
    List<IdSet> sets = new ArrayList<>(parts.size());
    parts.forEach(part -> sets.add(part.cpus()));
    return IdSet.union(sets);
  }

  static IllegalArgumentException wrong(Element element, String what) {
    return new IllegalArgumentException("line " + element.line() + ": " + what);
  }
}
