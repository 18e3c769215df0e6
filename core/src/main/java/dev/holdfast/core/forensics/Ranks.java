package dev.holdfast.core.forensics;

import java.util.Collection;
import java.util.TreeSet;

/** Ranks as people write them: {@code 0-3,7}. */
public final class Ranks {
  private static final int MOST_RANGES = 8;

  private Ranks() {}

  public static String show(Collection<Integer> ranks) {
    StringBuilder text = new StringBuilder();
    int ranges = 0;
    Integer from = null;
    int to = 0;
    for (int rank : new TreeSet<>(ranks)) {
      if (from != null && rank == to + 1) {
        to = rank;
        continue;
      }
      if (from != null) {
        append(text, from, to);
        if (++ranges == MOST_RANGES) {
          return text.append(",…").toString();
        }
      }
      from = rank;
      to = rank;
    }
    if (from != null) {
      append(text, from, to);
    }
    return text.toString();
  }

  /** {@code rank 7}, {@code ranks 0-3,7}. */
  public static String named(Collection<Integer> ranks) {
    return (ranks.size() == 1 ? "rank " : "ranks ") + show(ranks);
  }

  private static void append(StringBuilder text, int from, int to) {
    text.append(text.isEmpty() ? "" : ",").append(from);
    if (to > from) {
      text.append('-').append(to);
    }
  }
}
