package dev.holdfast.doctor.compare;

import dev.holdfast.core.health.Severity;
import java.util.List;
import java.util.Optional;

/**
 * A fact the nodes do not agree on.
 *
 * @param groups the values with the nodes that have them, the most frequent first
 * @param nodes how many nodes were compared
 */
public record Difference(String fact, Severity severity, List<Group> groups, int nodes) {
  /** The value of a node that does not have the fact. */
  public static final String NONE = "(not there)";

  /** One value, or several that are equal for this fact. */
  public record Group(String value, List<String> nodes) {
    public Group {
      nodes = List.copyOf(nodes);
    }
  }

  public Difference {
    groups = List.copyOf(groups);
  }

  /** What more than half of the nodes have, if there is such a value. */
  public Optional<Group> majority() {
    Group first = groups.getFirst();
    return first.nodes().size() * 2 > nodes ? Optional.of(first) : Optional.empty();
  }

  /** Whom the majority makes odd. */
  public List<Group> odd() {
    return majority().isPresent() ? groups.subList(1, groups.size()) : List.of();
  }

  /**
   * How much this says about a node with that value: the weight of the fact, and the fewer share
   * the value, the more.
   */
  public double points(Group group) {
    double weight =
        switch (severity) {
          case FATAL -> 20;
          case DEGRADED -> 10;
          case WARNING -> 3;
          case INFO -> 1;
        };
    return weight * (1 - (group.nodes().size() - 1.0) / nodes);
  }
}
