package dev.holdfast.core.statistics;

/** The bell curve. */
public final class Normal {
  private Normal() {}

  /** The chance of a value above {@code z} standard deviations. */
  public static double above(double z) {
    if (z < 0) {
      return 1 - above(-z);
    }
    if (z < 3) {
      // The series of the integral from 0, which converges fast for small z.
      double term = z;
      double sum = z;
      for (int k = 1; k < 100 && Math.abs(term) > 1e-18 * sum; k++) {
        term *= -z * z / (2 * k);
        sum += term / (2 * k + 1);
      }
      return 0.5 - sum / Math.sqrt(2 * Math.PI);
    }
    // A continued fraction for the tail, from its end.
    double fraction = z;
    for (int k = 60; k >= 1; k--) {
      fraction = z + k / fraction;
    }
    return Math.exp(-z * z / 2) / Math.sqrt(2 * Math.PI) / fraction;
  }
}
