package dev.holdfast.core.topology;

import java.util.Locale;

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
    Reduction less =
        of == Of.CPUS
            ? Reduction.ofCpus(machine, root.cpus().without(ids))
            : Reduction.ofNodes(machine, ids);
    if (less.cpus().containsAll(root.cpus())) {
      throw new IllegalArgumentException(
          of == Of.CPUS
              ? "no CPU is left: the machine has %s, the restriction allows %s"
                  .formatted(root.cpus(), ids)
              : "no CPU is left: the machine has NUMA nodes %s, the restriction allows %s"
                  .formatted(machine.root().nodes(), ids));
    }
    return machine.withRoot(less.from(root));
  }
}
