package dev.holdfast.core.statistics;

import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Do two handfuls of measurements come from the same thing? The test of Mann and Whitney
 * (Wilcoxon's rank sum): it looks only at the order of the values, so neither wild ones nor the
 * shape of the noise mislead it.
 *
 * <p>The chance is exact for small handfuls, ties included: of all ways to deal the same ranks into
 * two hands, how many differ at least as much? Beyond {@value #EXACT} values in all, the normal
 * approximation with corrections for ties and continuity is as good.
 *
 * @param chance that the same thing measured twice differs at least so much, either way
 * @param delta Cliff's: how much more often a value of the second is above one of the first than
 *     below, from -1 (always below) to 1 (always above); 0: no difference
 */
public record MannWhitney(double chance, double delta) {
  private static final int EXACT = 60;

  public static MannWhitney of(double[] first, double[] second) {
    if (first.length == 0 || second.length == 0) {
      return new MannWhitney(1, 0);
    }
    int[] ranks = doubledRanks(first, second);
    long sum = 0;
    for (int i = 0; i < first.length; i++) {
      sum += ranks[i];
    }
    double pairs = (double) first.length * second.length;
    double above = sum / 2.0 - first.length * (first.length + 1) / 2.0;
    double chance =
        ranks.length <= EXACT
            ? exact(ranks, first.length, (int) sum)
            : approximate(ranks, first.length, second.length, above);
    return new MannWhitney(Math.min(1, chance), 1 - 2 * above / pairs);
  }

  /** The smallest chance hands of these sizes can have: below it nothing can ever be told. */
  public static double smallestChance(int first, int second) {
    double ways = 1;
    for (int i = 1; i <= first; i++) {
      ways = ways * (second + i) / i;
    }
    return Math.min(1, 2 / ways);
  }

  /** Ranks from 1, ties sharing their middle; doubled, so that they are whole. */
  private static int[] doubledRanks(double[] first, double[] second) {
    double[] all = new double[first.length + second.length];
    System.arraycopy(first, 0, all, 0, first.length);
    System.arraycopy(second, 0, all, first.length, second.length);
    double[] sorted = all.clone();
    Arrays.sort(sorted);
    int[] ranks = new int[all.length];
    for (int i = 0; i < all.length; i++) {
      int from = lower(sorted, all[i]);
      int to = from;
      while (to + 1 < sorted.length && sorted[to + 1] == all[i]) {
        to++;
      }
      ranks[i] = from + to + 2;
    }
    return ranks;
  }

  private static int lower(double[] sorted, double value) {
    int low = 0;
    int high = sorted.length - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (sorted[middle] < value) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private static double exact(int[] ranks, int hand, int sum) {
    int[] sorted = ranks.clone();
    Arrays.sort(sorted);
    for (int i = 0; i < sorted.length; i++) {
      if (sorted[i] != 2 * (i + 1)) {
        return chances(sorted, hand)[sum];
      }
    }
    return UNTIED.computeIfAbsent(new Sizes(hand, sorted.length), _ -> chances(sorted, hand))[sum];
  }

  /** Without ties the chances depend on the sizes alone. */
  private record Sizes(int hand, int all) {}

  private static final Map<Sizes, double[]> UNTIED = new ConcurrentHashMap<>();

  /**
   * The chance of a hand at least as far from the middle, by its sum of ranks. The ways to draw one
   * are counted rank by rank.
   */
  private static double[] chances(int[] ranks, int hand) {
    int total = Arrays.stream(ranks).sum();
    double[][] ways = new double[hand + 1][total + 1];
    ways[0][0] = 1;
    int reached = 0;
    for (int rank : ranks) {
      reached += rank;
      for (int drawn = hand; drawn >= 1; drawn--) {
        for (int s = reached; s >= rank; s--) {
          ways[drawn][s] += ways[drawn - 1][s - rank];
        }
      }
    }
    double[] below = new double[total + 1];
    double all = 0;
    for (int s = 0; s <= total; s++) {
      all += ways[hand][s];
      below[s] = all;
    }
    double[] chances = new double[total + 1];
    double twiceMean = 2.0 * total * hand / ranks.length;
    for (int s = 0; s <= total; s++) {
      int near = (int) Math.floor(Math.min(s, twiceMean - s) + 1e-9);
      int far = (int) Math.ceil(Math.max(s, twiceMean - s) - 1e-9);
      double low = near < 0 ? 0 : below[near];
      double high = far > total ? 0 : all - (far == 0 ? 0 : below[far - 1]);
      chances[s] = Math.min(1, (low + high) / all);
    }
    return chances;
  }

  private static double approximate(int[] ranks, int first, int second, double above) {
    int[] sorted = ranks.clone();
    Arrays.sort(sorted);
    double ties = 0;
    for (int from = 0; from < sorted.length; ) {
      int to = from;
      while (to < sorted.length && sorted[to] == sorted[from]) {
        to++;
      }
      double same = to - from;
      ties += same * same * same - same;
      from = to;
    }
    double n = ranks.length;
    double variance = first * (double) second / 12 * (n + 1 - ties / (n * (n - 1)));
    if (variance <= 0) {
      return 1;
    }
    double away = Math.max(0, Math.abs(above - first * (double) second / 2) - 0.5);
    return 2 * Normal.above(away / Math.sqrt(variance));
  }
}
