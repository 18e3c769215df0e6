package dev.holdfast.core.topology.bind;

import java.util.Set;

/**
 * What is to be placed on a node by GPUs and rails.
 *
 * @param tasks how many ranks, at least one
 * @param threads threads a rank; 0: as many as it gets cores
 * @param reservedCores how many of the first cores of each NUMA node stay free, for interrupts of
 *     adapters and for agents
 * @param onlyNics the adapters to choose from, by name or PCI address; empty: all that suit
 * @param excludedNics adapters never to use
 */
public record RailRequest(
    int tasks, int threads, int reservedCores, Set<String> onlyNics, Set<String> excludedNics) {
  private static final int MAX_RESERVED = 1024;

  public RailRequest {
    if (tasks < 1 || tasks > TaskRequest.MAX_TASKS) {
      throw new IllegalArgumentException(
          "tasks: " + tasks + " is not in 1-" + TaskRequest.MAX_TASKS);
    }
    if (threads < 0 || threads > TaskRequest.MAX_TASKS) {
      throw new IllegalArgumentException(
          "threads: " + threads + " is not in 0-" + TaskRequest.MAX_TASKS);
    }
    if (reservedCores < 0 || reservedCores > MAX_RESERVED) {
      throw new IllegalArgumentException(
          "reserved cores: " + reservedCores + " is not in 0-" + MAX_RESERVED);
    }
    onlyNics = Set.copyOf(onlyNics);
    excludedNics = Set.copyOf(excludedNics);
  }

  public static RailRequest of(int tasks) {
    return new RailRequest(tasks, 0, 0, Set.of(), Set.of());
  }
}
