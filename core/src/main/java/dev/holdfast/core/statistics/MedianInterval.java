package dev.holdfast.core.statistics;

import dev.holdfast.core.text.Json;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where is the true median, going by a few values? Between two of them, counted from both ends:
 * that holds with the chance told whatever the values are distributed like, because each of them is
 * above the median as often as below. Few values allow little confidence, and it is told instead of
 * assumed: the range of three holds the median three times in four.
 *
 * @param confidence the chance that an interval made so holds the median; at least what was wanted,
 *     except where there are too few values for that
 */
public record MedianInterval(double low, double high, double confidence) {
  /** What people mean when they do not say which. */
  public static final double USUAL = 0.95;

  /** The narrowest that is sure enough, or the whole range where none is. */
  public static MedianInterval of(double wanted, double... values) {
    if (values.length == 0) {
      return new MedianInterval(Double.NaN, Double.NaN, 0);
    }
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int outside = 0;
    while (2 * (outside + 2) <= sorted.length && confidence(outside + 1, sorted.length) >= wanted) {
      outside++;
    }
    return new MedianInterval(
        sorted[outside], sorted[sorted.length - 1 - outside], confidence(outside, sorted.length));
  }

  /** The chance that not more than so many values are on the wrong side of the median. */
  private static double confidence(int outside, int count) {
    return 1 - 2 * Binomial.atLeast(count - outside, count, 0.5);
  }

  public Map<String, @Nullable Object> tree() {
    return Json.map("low", low, "high", high, "confidence", confidence);
  }

  /** Whether it is as sure as people usually want. */
  public boolean sure() {
    return confidence >= USUAL;
  }
}
