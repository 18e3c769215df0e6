package dev.holdfast.core.slurm;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What was understood of an answer, and what was not.
 *
 * @param broken how many records could not be read and were left out
 * @param firstBroken what was wrong with the first of them
 * @param unknown words for states no release we know has, and how often each came
 */
public record Parsed<T>(
    List<T> items, int broken, String firstBroken, SortedMap<String, Integer> unknown) {
  public Parsed {
    items = List.copyOf(items);
    unknown = Collections.unmodifiableSortedMap(new TreeMap<>(unknown));
  }

  /** Nothing was asked for. */
  public static <T> Parsed<T> none() {
    return new Parsed<>(List.of(), 0, "", Collections.emptySortedMap());
  }

  /** Whether something missing from it is really not there. */
  public boolean whole() {
    return broken == 0;
  }

  /** Collects while an answer is read. */
  static final class Collector<T> {
    private static final int MOST_WORDS = 50;
    private static final int MOST_LETTERS = 160;

    private final List<T> items = new ArrayList<>();
    private final SortedMap<String, Integer> unknown = new TreeMap<>();
    private int broken;
    private String firstBroken = "";

    void add(T item) {
      items.add(item);
    }

    void broken(String why) {
      if (broken++ == 0) {
        firstBroken = why.substring(0, Math.min(MOST_LETTERS, why.length()));
      }
    }

    /** Counts the words that are not among those known. */
    void judge(java.util.Set<String> states, java.util.Set<String> known) {
      for (String word : states) {
        if (!known.contains(word) && (unknown.size() < MOST_WORDS || unknown.containsKey(word))) {
          unknown.merge(word, 1, Integer::sum);
        }
      }
    }

    Parsed<T> parsed() {
      return new Parsed<>(items, broken, firstBroken, unknown);
    }
  }
}
