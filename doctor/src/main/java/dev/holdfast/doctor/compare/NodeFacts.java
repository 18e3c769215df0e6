package dev.holdfast.doctor.compare;

import java.util.Map;

/**
 * All that is kept of one snapshot.
 *
 * @param node how the node is called in the answer
 * @param place the file or folder it came from
 */
public record NodeFacts(String node, String place, Map<String, String> values) {
  public NodeFacts {
    values = Map.copyOf(values);
  }

  NodeFacts called(String name) {
    return new NodeFacts(name, place, values);
  }
}
