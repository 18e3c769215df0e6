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

  /**
   * A total, cut into pieces of ever smaller sizes.
   *
   * @param operations the whole at once first
   */
  public record Division(long total, List<Operation> operations) {
    public Division {
      operations = List.copyOf(operations);
    }
  }

  /** More pieces than these would be more steps than a rank has memory for. */
  private static final int MOST_PIECES = 16_384;

  /** An all_reduce of a total in 1, f, f², … pieces, none smaller than asked for. */
  public static Division division(
      long total, long smallest, int factor, Element element, int ranks) {
    if (factor < 2) {
      throw new IllegalArgumentException("--factor: at least 2, not " + factor);
    }
    if (ranks < 2) {
      throw new IllegalArgumentException("--ranks: at least 2 reduce something, not " + ranks);
    }
    List<Integer> counts = new ArrayList<>();
    for (long count = 1; count <= MOST_PIECES && total / count >= smallest; count *= factor) {
      counts.add((int) count);
    }
    if (counts.size() < 2 || smallest < element.bytes()) {
      throw new IllegalArgumentException(
          "%d bytes cannot be cut into pieces of at least %d".formatted(total, smallest));
    }
    long unit = (long) counts.getLast() * element.bytes();
    long whole = total / unit * unit;
    return new Division(
        whole,
        counts.stream()
            .map(
                it ->
                    Operation.of(Collective.ALL_REDUCE, whole / it, element, 0, ranks).inPieces(it))
            .toList());
  }
}
