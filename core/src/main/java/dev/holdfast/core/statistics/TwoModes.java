package dev.holdfast.core.statistics;

import dev.holdfast.core.text.Json;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Do values come in two kinds? Then a median is the median of one of them, and which one is luck:
 * where processes come to lie makes some runs twice as fast as others.
 *
 * <p>Two kinds are told apart by a gap that is several times as wide as either kind. That needs six
 * values, two of each kind at least; a single odd one is an outlier and no kind.
 *
 * @param low the median of the lower kind
 * @param below how many are of the lower kind
 */
public record TwoModes(double low, double high, int below, int above) {
  static final int FEWEST = 6;

  private static final int FEWEST_OF_A_KIND = 2;

  /** So many times as wide as either kind is the gap; few values lie close together by luck. */
  private static final double GAP_OF_WIDTHS = 2.3;

  private static final double GAP_OF_WIDTHS_OF_FEW = 4;
  private static final int FEW = 8;

  /** A smaller difference hurts nobody. */
  private static final double GAP_OF_MEDIAN = 0.1;

  public static Optional<TwoModes> of(double... values) {
    if (values.length < FEWEST) {
      return Optional.empty();
    }
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int split = FEWEST_OF_A_KIND;
    for (int i = split; i <= sorted.length - FEWEST_OF_A_KIND; i++) {
      split = gap(sorted, i) > gap(sorted, split) ? i : split;
    }
    double widths =
        Math.max(sorted[split - 1] - sorted[0], sorted[sorted.length - 1] - sorted[split]);
    double gap = gap(sorted, split);
    double least = sorted.length < FEW ? GAP_OF_WIDTHS_OF_FEW : GAP_OF_WIDTHS;
    if (gap < least * widths || gap < GAP_OF_MEDIAN * Math.abs(Robust.median(sorted))) {
      return Optional.empty();
    }
    return Optional.of(
        new TwoModes(
            Robust.median(Arrays.copyOf(sorted, split)),
            Robust.median(Arrays.copyOfRange(sorted, split, sorted.length)),
            split,
            sorted.length - split));
  }

  public Map<String, @Nullable Object> tree() {
    return Json.map("low", low, "high", high, "below", below, "above", above);
  }

  /** Between a value and the one before it. */
  private static double gap(double[] sorted, int at) {
    return sorted[at] - sorted[at - 1];
  }
}
