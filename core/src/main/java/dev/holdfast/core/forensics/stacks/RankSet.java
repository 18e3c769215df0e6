package dev.holdfast.core.forensics.stacks;

import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * Ranks as runs: a million ranks that do the same are one run, and ranks mostly come in order, so
 * that adding one is quick.
 */
public final class RankSet {
  /** First and last of each run by turns, ascending, with a gap between runs. */
  private int[] runs = new int[2];

  private int used;

  /** These, in whatever order. */
  public static RankSet of(Iterable<Integer> ranks) {
    RankSet set = new RankSet();
    ranks.forEach(set::add);
    return set;
  }

  /** Whether any rank is in both. */
  boolean meets(RankSet other) {
    int i = 0;
    int j = 0;
    while (i < used && j < other.used) {
      if (runs[i + 1] < other.runs[j]) {
        i += 2;
      } else if (other.runs[j + 1] < runs[i]) {
        j += 2;
      } else {
        return true;
      }
    }
    return false;
  }

  /** Whether the rank was not in it yet. */
  boolean add(int rank) {
    if (used > 0 && rank == runs[used - 1] + 1) {
      runs[used - 1] = rank;
      return true;
    }
    if (used == 0 || rank > runs[used - 1]) {
      insert(used, rank, rank);
      return true;
    }
    return addInside(rank);
  }

  private boolean addInside(int rank) {
    int low = 0;
    int high = used / 2 - 1;
    while (low < high) {
      int middle = (low + high) / 2;
      if (runs[2 * middle + 1] < rank) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    int at = 2 * low;
    if (runs[at] <= rank) {
      return false;
    }
    boolean joinsBefore = at > 0 && runs[at - 1] == rank - 1;
    boolean joinsAfter = runs[at] == rank + 1;
    if (joinsBefore && joinsAfter) {
      runs[at - 1] = runs[at + 1];
      System.arraycopy(runs, at + 2, runs, at, used - at - 2);
      used -= 2;
    } else if (joinsBefore) {
      runs[at - 1] = rank;
    } else if (joinsAfter) {
      runs[at] = rank;
    } else {
      insert(at, rank, rank);
    }
    return true;
  }

  private void insert(int at, int from, int to) {
    if (used == runs.length) {
      runs = Arrays.copyOf(runs, 2 * used);
    }
    System.arraycopy(runs, at, runs, at + 2, used - at);
    runs[at] = from;
    runs[at + 1] = to;
    used += 2;
  }

  public int size() {
    int size = 0;
    for (int i = 0; i < used; i += 2) {
      size += runs[i + 1] - runs[i] + 1;
    }
    return size;
  }

  /** The smallest; −1 where there is none. */
  public int first() {
    return used == 0 ? -1 : runs[0];
  }

  /** The largest; −1 where there is none. */
  int last() {
    return used == 0 ? -1 : runs[used - 1];
  }

  void each(IntConsumer consumer) {
    for (int i = 0; i < used; i += 2) {
      for (int rank = runs[i]; rank <= runs[i + 1]; rank++) {
        consumer.accept(rank);
      }
    }
  }

  /** As STAT writes it: {@code [0-3,5]}. */
  @Override
  public String toString() {
    return text(Integer.MAX_VALUE);
  }

  /** At most this many runs, then an ellipsis. */
  public String text(int most) {
    StringBuilder text = new StringBuilder("[");
    for (int i = 0; i < used; i += 2) {
      text.append(i == 0 ? "" : ",");
      if (i / 2 == most) {
        return text.append("…]").toString();
      }
      text.append(runs[i]);
      if (runs[i + 1] > runs[i]) {
        text.append('-').append(runs[i + 1]);
      }
    }
    return text.append(']').toString();
  }

  /**
   * The set written by {@link #toString()}; pairs such as {@code 0-1,2-3} are read, too.
   *
   * @throws IllegalArgumentException if it is something else
   */
  static RankSet parse(String text, int most) {
    RankSet set = new RankSet();
    if (!text.startsWith("[") || !text.endsWith("]")) {
      throw new IllegalArgumentException("not a list of ranks: " + cut(text));
    }
    String inner = text.substring(1, text.length() - 1);
    for (String part : inner.isEmpty() ? new String[0] : inner.split(",", -1)) {
      int dash = part.indexOf('-');
      try {
        int from = Integer.parseInt(dash < 0 ? part : part.substring(0, dash));
        int to = dash < 0 ? from : Integer.parseInt(part.substring(dash + 1));
        if (from < 0 || to < from || to > most) {
          throw new IllegalArgumentException("not a list of ranks: " + cut(text));
        }
        set.addRun(from, to);
      } catch (NumberFormatException notANumber) {
        throw new IllegalArgumentException("not a list of ranks: " + cut(text), notANumber);
      }
    }
    return set;
  }

  private void addRun(int from, int to) {
    if (used == 0 || from > runs[used - 1] + 1) {
      insert(used, from, to);
    } else if (from == runs[used - 1] + 1) {
      runs[used - 1] = to;
    } else {
      for (int rank = from; rank <= to; rank++) {
        add(rank);
      }
    }
  }

  private static String cut(String text) {
    return text.length() > 60 ? text.substring(0, 60) + "…" : text;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RankSet set && Arrays.equals(runs, 0, used, set.runs, 0, set.used);
  }

  @Override
  public int hashCode() {
    int hash = 1;
    for (int i = 0; i < used; i++) {
      hash = 31 * hash + runs[i];
    }
    return hash;
  }
}
