package dev.holdfast.core.topology;

import java.util.Map;

/**
 * A set of CPUs that something is common to, before it is known what it is inside of.
 *
 * @param number the kernel's, or -1
 */
record Block(PartKind kind, int number, IdSet cpus, Map<String, String> facts) {
  /** Kinds of groups, with the numbers hwloc gives them. */
  static final String CLUSTER = "222:0";

  static final String MEMORY = "1001:0";

  static String distance(int step) {
    return "900:" + step;
  }

  static Block of(PartKind kind, int number, IdSet cpus) {
    return new Block(kind, number, cpus, Map.of());
  }

  static Block group(String groupKind, IdSet cpus) {
    return new Block(PartKind.GROUP, -1, cpus, Map.of(Part.GROUP_KIND, groupKind));
  }

  /** Whether the two overlap and neither is inside the other. */
  boolean crosses(Block other) {
    return cpus.intersects(other.cpus)
        && !cpus.containsAll(other.cpus)
        && !other.cpus.containsAll(cpus);
  }

  Part.Builder part() {
    Part.Builder part = Part.of(kind).number(number).cpus(cpus);
    facts.forEach(part::fact);
    return part;
  }

  @Override
  public String toString() {
    return kind.hwlocName() + " of CPUs " + cpus;
  }
}
