package dev.holdfast.core.statistics;

/** How surprising is it that something happened so often? */
public final class Binomial {
  private Binomial() {}

  /**
   * The probability of at least {@code hits} in {@code trials} tries that each succeed with
   * probability {@code chance}; summed in logarithms, so that it stays exact far below 1e-16.
   */
  public static double atLeast(int hits, int trials, double chance) {
    if (trials < 0 || !(chance >= 0 && chance <= 1)) {
      throw new IllegalArgumentException(trials + " tries of chance " + chance);
    }
    if (hits <= 0 || chance == 1) {
      return hits <= trials ? 1 : 0;
    }
    if (hits > trials || chance == 0) {
      return 0;
    }
    double logTerm = logChoose(trials, hits) + hits * Math.log(chance);
    logTerm += (trials - hits) * Math.log1p(-chance);
    double term = 1;
    double sum = 1;
    double odds = chance / (1 - chance);
    for (int k = hits; k < trials && term > sum * 1e-17; k++) {
      term *= odds * (trials - k) / (k + 1);
      sum += term;
    }
    return Math.min(1, Math.exp(logTerm + Math.log(sum)));
  }

  private static double logChoose(int n, int k) {
    double log = 0;
    for (int i = 1; i <= k; i++) {
      log += Math.log((double) (n - k + i) / i);
    }
    return log;
  }
}
