package dev.holdfast.core.topology.bind;

import dev.holdfast.core.topology.Link;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Gives every GPU an adapter so that all together are as near as can be and no adapter has more
 * GPUs than its share: the assignment problem, solved with shortest augmenting paths.
 *
 * <p>Among answers that are equally near, the one with even load is taken, and among those the one
 * that keeps order: of GPUs and adapters that look alike, the k-th GPU gets the k-th adapter. So
 * every node of a cluster comes to the same rails.
 */
final class RailAssignment {
  static final int MAX_GPUS = 128;
  static final int MAX_NICS = 512;

  /** Bits for what counts less: the order (24 bits, 128 GPUs), then the load (13 bits). */
  private static final int ORDER_BITS = 31;

  private static final int LOAD_BITS = 14;
  private static final int SCALE = 4096;

  private final Link[][] links;
  private final Rank[] gpus;
  private final Rank[] nics;

  /** The place of one among those that look alike. */
  private record Rank(int place, int of) {}

  private RailAssignment(Link[][] links, int columnCount) {
    this.links = links;
    this.gpus = ranks(Arrays.stream(links).map(List::of).toList());
    List<List<Link>> columns =
        java.util.stream.IntStream.range(0, columnCount)
            .mapToObj(nic -> Arrays.stream(links).map(row -> row[nic]).toList())
            .toList();
    this.nics = ranks(columns);
  }

  /**
   * The adapter of each GPU.
   *
   * @param links what lies between a GPU (row) and an adapter (column)
   * @param taken how many GPUs an adapter has already
   * @param limit how many it may have in all; there must be room for every GPU
   */
  static int[] solve(Link[][] links, int[] taken, int limit) {
    if (links.length > MAX_GPUS || taken.length > MAX_NICS) {
      throw new IllegalArgumentException(
          "%d GPUs and %d adapters: more than %d and %d are not matched"
              .formatted(links.length, taken.length, MAX_GPUS, MAX_NICS));
    }
    return links.length == 0
        ? new int[0]
        : new RailAssignment(links, taken.length).solve(taken, limit);
  }

  /** How much worse than the best; far links are so costly that two middling ones are better. */
  static int weight(Link link) {
    return switch (link) {
      case SELF, NV -> 0;
      case PIX -> 1;
      case PXB -> 2;
      case PHB -> 5;
      case NODE -> 6;
      case SYS, UNKNOWN -> 14;
    };
  }

  private static Rank[] ranks(List<List<Link>> rows) {
    Map<List<Link>, Integer> sizes = new HashMap<>();
    rows.forEach(row -> sizes.merge(row, 1, Integer::sum));
    Map<List<Link>, Integer> seen = new HashMap<>();
    Rank[] ranks = new Rank[rows.size()];
    for (int i = 0; i < ranks.length; i++) {
      int place = seen.merge(rows.get(i), 1, Integer::sum) - 1;
      ranks[i] = new Rank(place, sizes.getOrDefault(rows.get(i), 1));
    }
    return ranks;
  }

  /** How far from order: the k-th to the k-th, or in proportion where adapters are fewer. */
  private static long apart(Rank gpu, Rank nic) {
    if (nic.of >= gpu.of) {
      return Math.min(SCALE, Math.abs(gpu.place - nic.place) * (SCALE / MAX_GPUS));
    }
    return Math.abs(gpu.place * SCALE / gpu.of - nic.place * SCALE / nic.of);
  }

  private long cost(int gpu, int nic, int load) {
    long apart = apart(gpus[gpu], nics[nic]);
    return ((long) weight(links[gpu][nic]) << ORDER_BITS + LOAD_BITS)
        + ((long) load << ORDER_BITS)
        + apart * apart;
  }

  private int[] solve(int[] taken, int limit) {
    // One column for each GPU that an adapter still has room for.
    int[] nicOf = new int[1 + Arrays.stream(taken).map(t -> Math.max(0, limit - t)).sum()];
    int[] loadOf = new int[nicOf.length];
    int columns = 0;
    for (int nic = 0; nic < taken.length; nic++) {
      for (int load = taken[nic]; load < limit; load++) {
        nicOf[++columns] = nic;
        loadOf[columns] = load;
      }
    }
    int rows = links.length;
    if (columns < rows) {
      throw new IllegalArgumentException("no room for %d GPUs".formatted(rows));
    }
    long[] rowPrice = new long[rows + 1];
    long[] columnPrice = new long[columns + 1];
    int[] rowOf = new int[columns + 1];
    for (int row = 1; row <= rows; row++) {
      int[] from = new int[columns + 1];
      long[] shortest = new long[columns + 1];
      boolean[] done = new boolean[columns + 1];
      Arrays.fill(shortest, Long.MAX_VALUE);
      rowOf[0] = row;
      int at = 0;
      do {
        done[at] = true;
        int next = 0;
        long least = Long.MAX_VALUE;
        for (int c = 1; c <= columns; c++) {
          if (done[c]) {
            continue;
          }
          long reduced =
              cost(rowOf[at] - 1, nicOf[c], loadOf[c]) - rowPrice[rowOf[at]] - columnPrice[c];
          if (reduced < shortest[c]) {
            shortest[c] = reduced;
            from[c] = at;
          }
          if (shortest[c] < least) {
            least = shortest[c];
            next = c;
          }
        }
        for (int c = 0; c <= columns; c++) {
          if (done[c]) {
            rowPrice[rowOf[c]] += least;
            columnPrice[c] -= least;
          } else {
            shortest[c] -= least;
          }
        }
        at = next;
      } while (rowOf[at] != 0);
      while (at != 0) {
        rowOf[at] = rowOf[from[at]];
        at = from[at];
      }
    }
    int[] answer = new int[rows];
    for (int c = 1; c <= columns; c++) {
      if (rowOf[c] > 0) {
        answer[rowOf[c] - 1] = nicOf[c];
      }
    }
    return answer;
  }
}
