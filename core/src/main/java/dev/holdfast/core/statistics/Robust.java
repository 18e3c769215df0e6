package dev.holdfast.core.statistics;

import java.util.Arrays;

/** The middle of numbers and their spread, told so that a few wild ones change neither. */
public final class Robust {
  /** Makes the median absolute deviation of normal noise equal to its standard deviation. */
  private static final double NORMAL = 1.4826;

  private Robust() {}

  /** The median; not a number when there is none. */
  public static double median(double... values) {
    if (values.length == 0) {
      return Double.NaN;
    }
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /** The spread around the median, in the unit of a standard deviation. */
  public static double spread(double... values) {
    double median = median(values);
    double[] away = new double[values.length];
    for (int i = 0; i < values.length; i++) {
      away[i] = Math.abs(values[i] - median);
    }
    return NORMAL * median(away);
  }
}
