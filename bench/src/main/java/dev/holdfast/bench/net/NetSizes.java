package dev.holdfast.bench.net;

import dev.holdfast.core.network.Collective;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Which operations a sweep of sizes means. */
public record NetSizes(long smallest, long largest, double factor) {
  public NetSizes {
    if (smallest < 1 || largest < smallest) {
      throw new IllegalArgumentException(
          "sizes from %d to %d bytes are none".formatted(smallest, largest));
    }
    if (!(factor > 1)) {
      throw new IllegalArgumentException("--factor: more than 1, not " + factor);
    }
  }

  /** Sizes that nccl-tests' rules make equal, or empty, are measured once, or not. */
  public List<Operation> of(Collective collective, Element element, int root, int ranks) {
    if (root < 0 || root >= ranks) {
      throw new IllegalArgumentException("--root: there is no rank " + root);
    }
    if (collective == Collective.BARRIER) {
      return List.of(Operation.of(collective, 0, element, root, ranks));
    }
    Set<Operation> operations = new LinkedHashSet<>();
    for (double size = smallest; size <= largest; size *= factor) {
      Operation operation = Operation.of(collective, (long) size, element, root, ranks);
      if (operation.bytes() > 0) {
        operations.add(operation);
      }
    }
    return new ArrayList<>(operations);
  }
}
