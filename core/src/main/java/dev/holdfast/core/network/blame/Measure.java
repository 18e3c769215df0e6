package dev.holdfast.core.network.blame;

import java.util.List;

/** Whoever can send traffic between endpoints. */
@FunctionalInterface
public interface Measure {
  /**
   * Measures all pairs at the same time. No endpoint is in two of them.
   *
   * @param round from 1
   * @return an outcome for each pair, in their order
   */
  List<Outcome> round(int round, List<Pair> pairs);
}
