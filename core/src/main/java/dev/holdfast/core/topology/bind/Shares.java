package dev.holdfast.core.topology.bind;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** The ways to share things out among takers, in order. */
final class Shares {
  private Shares() {}

  /** How many each of {@code takers} gets of {@code count} things: the first ones get one more. */
  static int[] even(int count, int takers) {
    int[] shares = new int[takers];
    for (int i = 0; i < takers; i++) {
      shares[i] = count / takers + (i < count % takers ? 1 : 0);
    }
    return shares;
  }

  /**
   * Deals things to takers in contiguous blocks; where there are fewer things than takers,
   * neighbours share one.
   */
  static <T> List<List<T>> deal(List<T> things, int takers) {
    List<List<T>> hands = new ArrayList<>(takers);
    if (things.isEmpty()) {
      IntStream.range(0, takers).forEach(_ -> hands.add(List.of()));
    } else if (things.size() >= takers) {
      int at = 0;
      for (int share : even(things.size(), takers)) {
        hands.add(things.subList(at, at + share));
        at += share;
      }
    } else {
      int[] takersOfOne = even(takers, things.size());
      for (int thing = 0; thing < things.size(); thing++) {
        for (int i = 0; i < takersOfOne[thing]; i++) {
          hands.add(List.of(things.get(thing)));
        }
      }
    }
    return hands;
  }

  /**
   * Shares by weight, rounded down; what is left goes to the largest remainders, first ones first.
   */
  static int[] weighted(int count, int[] weights) {
    long total = IntStream.of(weights).asLongStream().sum();
    int[] shares = new int[weights.length];
    long[] remainders = new long[weights.length];
    int left = count;
    for (int i = 0; i < weights.length; i++) {
      long product = (long) count * weights[i];
      shares[i] = (int) (product / total);
      remainders[i] = product % total;
      left -= shares[i];
    }
    IntStream.range(0, weights.length)
        .boxed()
        .sorted(Comparator.comparingLong((Integer i) -> -remainders[i]))
        .limit(left)
        .forEach(i -> shares[i]++);
    return shares;
  }
}
