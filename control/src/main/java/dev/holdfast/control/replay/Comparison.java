package dev.holdfast.control.replay;

import java.time.Instant;
import java.util.List;

/**
 * Two policies on the same history.
 *
 * @param recorded decisions in the record that no person made
 * @param reproduced how many of them the first run made again: what the comparison can be trusted
 * @param unmatchedWishes what people said of decisions that the new policy does not make
 */
public record Comparison(
    Instant from,
    Instant until,
    long batches,
    int recorded,
    int reproduced,
    long unmatchedWishes,
    Summary before,
    Summary after,
    List<Difference> differences) {
  public Comparison {
    differences = List.copyOf(differences);
  }

  /**
   * All of one run.
   *
   * @param takenOut times a node was taken out of service
   * @param restarts times a job was asked to leave a node while it ran
   */
  public record Summary(int decisions, int takenOut, int restarts, Cost cost) {}
}
