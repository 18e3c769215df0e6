package dev.holdfast.core.statistics;

/**
 * Rare events that come by themselves, counted over a time: how many are too many, and how many may
 * there be where none was seen.
 */
public final class Poisson {
  private static final double SMALL = 1e-17;

  private Poisson() {}

  /** The chance of at most {@code n} where {@code mean} are expected. */
  public static double atMost(long n, double mean) {
    if (mean <= 0) {
      return 1;
    }
    double sum = 0;
    double log = -mean;
    for (long i = 0; i <= n; i++) {
      sum += Math.exp(log);
      log += Math.log(mean) - Math.log(i + 1.0);
    }
    return Math.min(1, sum);
  }

  /**
   * The largest mean that {@code n} events still agree with, by the given confidence: with a larger
   * one so few would be rarer than {@code 1 − confidence}. It is exact; without any event and with
   * 95 % it is 3.0.
   */
  public static double upper(long n, double confidence) {
    double low = n;
    double high = n + 10 + 10 * Math.sqrt(n + 1.0);
    for (int i = 0; i < 100; i++) {
      double middle = (low + high) / 2;
      if (atMost(n, middle) > 1 - confidence) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }

  /**
   * The chance that one of many has {@code n} events or more within {@code time}, if it is like the
   * others, who had {@code others} within {@code othersTime} together. The rate of the others is
   * itself known only from what they had (a Gamma distribution, begun from Jeffreys' prior), so
   * that a few quiet neighbours accuse nobody.
   */
  public static double atLeast(long n, double time, long others, double othersTime) {
    if (n <= 0 || time <= 0) {
      return 1;
    }
    if (othersTime <= 0) {
      return 1;
    }
    double shape = others + 0.5;
    double share = time / (othersTime + time);
    double log = shape * Math.log1p(-share) + n * Math.log(share);
    for (long i = 0; i < n; i++) {
      log += Math.log(shape + i) - Math.log(i + 1.0);
    }
    double term = Math.exp(log);
    double sum = 0;
    for (long i = n; term > sum * SMALL && term > 0; i++) {
      sum += term;
      term *= share * (shape + i) / (i + 1.0);
    }
    return Math.min(1, sum);
  }
}
