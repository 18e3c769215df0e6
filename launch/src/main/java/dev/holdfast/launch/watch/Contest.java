package dev.holdfast.launch.watch;

import dev.holdfast.core.statistics.Binomial;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Who comes out on top more often than chance allows? Each round gives every competitor a number;
 * an ordinary one of {@code n} has the largest in one round of {@code n}. Over the last {@value
 * #WINDOW} rounds the binomial tail, times {@code n} because all are asked, says how surprising
 * somebody's wins are. Asking by ranks rather than by means makes single wild numbers harmless.
 *
 * <p>By how much somebody is on top is counted from the lower median, so that of two the other is
 * the measure.
 */
final class Contest {
  static final int WINDOW = 50;
  private static final double SIGNIFICANT = 1e-4;
  private static final long ALL = (1L << WINDOW) - 1;

  /** One that wins too often: by how much in the middle of the window, and how surprising. */
  record Winner(int competitor, double above, int wins, double probability) {}

  private final double[][] above;
  private final long[] wins;
  private int rounds;

  Contest(int competitors) {
    above = new double[competitors][WINDOW];
    wins = new long[competitors];
  }

  /**
   * @param numbers one each
   */
  void round(double[] numbers) {
    double median = lowerMedian(numbers);
    double largest = Double.NEGATIVE_INFINITY;
    int holders = 0;
    for (double number : numbers) {
      holders = number > largest ? 1 : number == largest ? holders + 1 : holders;
      largest = Math.max(largest, number);
    }
    for (int i = 0; i < numbers.length; i++) {
      boolean won = holders == 1 && numbers[i] == largest;
      above[i][rounds % WINDOW] = numbers[i] - median;
      wins[i] = (wins[i] << 1 | (won ? 1 : 0)) & ALL;
    }
    rounds++;
  }

  /** Those that win too often and by at least this much, the worst first. */
  List<Winner> winners(double least) {
    List<Winner> found = new ArrayList<>();
    int many = wins.length;
    if (rounds < WINDOW || many < 2) {
      return found;
    }
    for (int i = 0; i < many; i++) {
      int count = Long.bitCount(wins[i]);
      if (count * (double) many <= WINDOW) {
        continue;
      }
      double chance = Math.min(1, many * Binomial.atLeast(count, WINDOW, 1.0 / many));
      double middle = chance < SIGNIFICANT ? lowerMedian(above[i]) : 0;
      if (chance < SIGNIFICANT && middle >= least) {
        found.add(new Winner(i, middle, count, chance));
      }
    }
    found.sort((a, b) -> Double.compare(b.above(), a.above()));
    return found;
  }

  static double lowerMedian(double[] numbers) {
    double[] sorted = numbers.clone();
    Arrays.sort(sorted);
    return sorted.length == 0 ? 0 : sorted[(sorted.length - 1) / 2];
  }
}
