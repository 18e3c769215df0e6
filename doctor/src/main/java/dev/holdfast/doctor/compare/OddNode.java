package dev.holdfast.doctor.compare;

import dev.holdfast.core.health.Severity;
import java.util.List;

/**
 * A node that is not like the majority.
 *
 * @param score the points of all its odd facts
 */
public record OddNode(String node, String place, double score, List<Trait> traits) {
  /**
   * One odd fact of the node.
   *
   * @param sharedBy how many nodes have this value, itself included
   */
  public record Trait(
      String fact, Severity severity, String value, String majority, int sharedBy, double points) {}

  public OddNode {
    traits = List.copyOf(traits);
  }
}
