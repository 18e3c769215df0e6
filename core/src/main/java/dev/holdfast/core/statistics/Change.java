package dev.holdfast.core.statistics;

import java.util.Arrays;
import java.util.Random;

/**
 * By how much did positive measurements change, and is it more than chance?
 *
 * <p>A change counts when the test of Mann and Whitney gives it a chance of at most {@value
 * #CHANCE} and it is at least {@value #RELEVANT} of the value: significance alone says nothing
 * about size, and size alone nothing about luck. Otherwise nobody can tell, and then it matters
 * which change would have been noticed: that is found by planting changes into what was measured.
 *
 * @param ratio of the second to the first: the middle of the ratios of all pairs (Hodges and
 *     Lehmann)
 * @param low where the ratio lies at least, with 95 % confidence
 * @param high where the ratio lies at most, with 95 % confidence
 * @param chance as {@link MannWhitney} says
 * @param delta as {@link MannWhitney} says
 * @param told whether it counts
 */
public record Change(
    double ratio, double low, double high, double chance, double delta, boolean told) {
  /** A change that luck makes more often than this is none. */
  public static final double CHANCE = 0.01;

  /** A change smaller than this share is none worth a word. */
  public static final double RELEVANT = 0.01;

  private static final int TRIES = 200;
  private static final double NOTICED = 0.95;

  /** Fewer rounds on either side cannot tell anything, whatever they are. */
  public static final int FEWEST = 5;

  public static Change between(double[] first, double[] second) {
    MannWhitney test = MannWhitney.of(first, second);
    double[] ratios = ratios(first, second);
    double ratio = Robust.median(ratios);
    int off = offset(first.length, second.length);
    return new Change(
        ratio,
        ratios.length == 0 ? Double.NaN : ratios[Math.min(off, ratios.length - 1)],
        ratios.length == 0 ? Double.NaN : ratios[Math.max(0, ratios.length - 1 - off)],
        test.chance(),
        test.delta(),
        first.length >= FEWEST
            && second.length >= FEWEST
            && test.chance() <= CHANCE
            && Math.abs(Math.log(ratio)) >= Math.log1p(RELEVANT));
  }

  /**
   * The smallest loss that would have been noticed in 95 of 100 such comparisons, as a share; not a
   * number when even losing nine tenths would not.
   */
  public static double smallestNoticed(double[] first, double[] second) {
    return smallestNoticed(first, second, CHANCE);
  }

  /**
   * The same where luck may make such a change only so often; not a number also when so few rounds
   * can never be that sure.
   *
   * @param chance at most {@value #CHANCE}
   */
  public static double smallestNoticed(double[] first, double[] second, double chance) {
    if (first.length < FEWEST
        || second.length < FEWEST
        || MannWhitney.smallestChance(first.length, second.length) > chance) {
      return Double.NaN;
    }
    double[] noise = residuals(first, second);
    double low = 0;
    double high = 0.9;
    if (!noticed(noise, first.length, second.length, high, chance)) {
      return Double.NaN;
    }
    for (int step = 0; step < 12; step++) {
      double middle = (low + high) / 2;
      if (noticed(noise, first.length, second.length, middle, chance)) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return high;
  }

  /** How many rounds each side needs before any change can be that sure. */
  public static int roundsNeeded(double chance) {
    int rounds = FEWEST;
    while (MannWhitney.smallestChance(rounds, rounds) > chance) {
      rounds++;
    }
    return rounds;
  }

  private static boolean noticed(
      double[] noise, int first, int second, double loss, double chance) {
    Random random = new Random(noise.length);
    int noticed = 0;
    for (int i = 0; i < TRIES; i++) {
      double[] before = drawn(noise, first, 1, random);
      double[] after = drawn(noise, second, 1 - loss, random);
      Change change = between(before, after);
      noticed += change.told() && change.chance() <= chance && change.ratio() < 1 ? 1 : 0;
    }
    return noticed >= NOTICED * TRIES;
  }

  private static double[] drawn(double[] noise, int count, double scale, Random random) {
    double[] values = new double[count];
    for (int i = 0; i < count; i++) {
      // A little of its own, so that the same value drawn twice is no tie that was never measured.
      double own = 1 + 1e-9 * random.nextDouble();
      values[i] = noise[random.nextInt(noise.length)] * scale * own;
    }
    return values;
  }

  /** What both measured, each over its own middle. */
  private static double[] residuals(double[] first, double[] second) {
    double one = Robust.median(first);
    double other = Robust.median(second);
    double[] noise = new double[first.length + second.length];
    for (int i = 0; i < first.length; i++) {
      noise[i] = first[i] / one;
    }
    for (int i = 0; i < second.length; i++) {
      noise[first.length + i] = second[i] / other;
    }
    return noise;
  }

  private static double[] ratios(double[] first, double[] second) {
    double[] ratios = new double[first.length * second.length];
    int at = 0;
    for (double one : first) {
      for (double other : second) {
        ratios[at++] = other / one;
      }
    }
    Arrays.sort(ratios);
    return ratios;
  }

  /** How many of the sorted ratios lie outside on each side. */
  private static int offset(int first, int second) {
    double pairs = (double) first * second;
    double deviation = Math.sqrt(pairs * (first + second + 1) / 12);
    return (int) Math.max(0, Math.floor(pairs / 2 - 1.96 * deviation));
  }
}
