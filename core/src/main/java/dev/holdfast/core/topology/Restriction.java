package dev.holdfast.core.topology;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A share of a machine: some of its CPUs, or some of its NUMA nodes with the CPUs local to them. A
 * part that loses all its CPUs goes with its devices; what keeps one stays with all of them.
 *
 * @param of what the numbers are
 */
public record Restriction(Of of, IdSet ids) {
  /** What a restriction names. */
  public enum Of {
    CPUS,
    NODES
  }

  /** Reads {@code 0-7} or {@code cpuset:0-7} (CPUs), {@code nodeset:0,1} (NUMA nodes). */
  public static Restriction parse(String text) {
    int colon = text.indexOf(':');
    String word = colon < 0 ? "cpuset" : text.substring(0, colon).strip().toLowerCase(Locale.ROOT);
    IdSet ids = IdSet.parse(text.substring(colon + 1));
    if (ids.isEmpty()) {
      throw new IllegalArgumentException("'" + text + "' names no CPU and no NUMA node");
    }
    return switch (word) {
      case "cpuset", "cpu", "cpus" -> new Restriction(Of.CPUS, ids);
      case "nodeset", "node", "nodes", "numa", "mem" -> new Restriction(Of.NODES, ids);
      default ->
          throw new IllegalArgumentException(
              "'" + text + "' begins with neither cpuset: nor nodeset:");
    };
  }

  /** The machine as far as the restriction leaves it. */
  public Topology apply(Topology machine) {
    Part root = machine.root();
    IdSet noCpus;
    IdSet noNodes;
    if (of == Of.CPUS) {
      noCpus = root.cpus().without(ids);
      noNodes = IdSet.EMPTY;
    } else {
      noNodes = numbers(machine).without(ids);
      noCpus = remote(root, noNodes);
    }
    if (noCpus.containsAll(root.cpus())) {
      throw new IllegalArgumentException(
          of == Of.CPUS
              ? "no CPU is left: the machine has %s, the restriction allows %s"
                  .formatted(root.cpus(), ids)
              : "no CPU is left: the machine has NUMA nodes %s, the restriction allows %s"
                  .formatted(numbers(machine), ids));
    }
    return machine.withRoot(disallow(root, noCpus, noNodes));
  }

  private static IdSet numbers(Topology machine) {
    BitSet bits = new BitSet();
    machine.numaNodes().stream()
        .filter(node -> node.number() >= 0)
        .forEach(node -> bits.set(node.number()));
    return IdSet.copyOf(bits);
  }

  /** The CPUs all of whose local nodes are gone. */
  private static IdSet remote(Part part, IdSet goneNodes) {
    if (part.kind() == PartKind.PU) {
      return goneNodes.containsAll(part.nodes()) ? part.cpus() : IdSet.EMPTY;
    }
    return IdSet.union(part.children().stream().map(child -> remote(child, goneNodes)).toList());
  }

  /** The tree without some CPUs and nodes, and without what then has none. */
  static Part disallow(Part root, IdSet cpus, IdSet nodes) {
    Part left = reduced(root, cpus, nodes);
    return left == null ? root.toBuilder().clear().cpus(IdSet.EMPTY).build() : left;
  }

  private static @Nullable Part reduced(Part part, IdSet cpus, IdSet nodes) {
    IdSet leftCpus = part.cpus().without(cpus);
    IdSet leftNodes = part.nodes().without(nodes);
    if (part.kind() == PartKind.NUMA_NODE) {
      // Restricted by CPUs, a node without CPUs goes; restricted by nodes, only a named one.
      boolean goes = nodes.isEmpty() ? leftCpus.isEmpty() : nodes.contains(part.number());
      if (goes) {
        return null;
      }
      return part.toBuilder().cpus(leftCpus).nodes(leftNodes).build();
    }
    if (leftCpus.isEmpty() && !part.cpus().isEmpty()) {
      return null;
    }
    List<Part> left = new ArrayList<>();
    part.children().forEach(child -> keep(reduced(child, cpus, nodes), left));
    part.memory().forEach(child -> keep(reduced(child, cpus, nodes), left));
    if (leftCpus.isEmpty() && left.isEmpty()) {
      return null; // a group around memory alone, which is gone
    }
    return part.toBuilder()
        .clear()
        .addAll(left)
        .addAll(part.io())
        .cpus(leftCpus)
        .nodes(leftNodes)
        .build();
  }

  private static void keep(@Nullable Part part, List<Part> list) {
    if (part != null) {
      list.add(part);
    }
  }
}
