package dev.holdfast.core.network;

import dev.holdfast.core.statistics.Robust;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How long one call took, in seconds. What the source does not tell is not a number.
 *
 * @param mean over calls back to back; of the median round where there are several, so that
 *     bandwidths follow from it
 * @param p50 the median
 * @param p99 99 of 100 calls were no slower, by nearest rank
 */
public record Latency(double mean, double min, double p50, double p99, double max) {
  public static final Latency UNKNOWN =
      new Latency(Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN);

  /** Where only the mean is known. */
  public static Latency ofMean(double seconds) {
    return new Latency(seconds, Double.NaN, Double.NaN, Double.NaN, Double.NaN);
  }

  /** Of calls that were each timed. */
  public static Latency of(double... seconds) {
    if (seconds.length == 0) {
      return UNKNOWN;
    }
    double[] sorted = seconds.clone();
    Arrays.sort(sorted);
    int p99 = (int) Math.ceil(0.99 * sorted.length) - 1;
    return new Latency(
        Arrays.stream(sorted).average().orElse(Double.NaN),
        sorted[0],
        Robust.median(sorted),
        sorted[p99],
        sorted[sorted.length - 1]);
  }

  Latency withMean(double seconds) {
    return new Latency(seconds, min, p50, p99, max);
  }

  /** The median if it is known, else the mean. */
  public double typical() {
    return Double.isNaN(p50) ? mean : p50;
  }

  Map<String, @Nullable Object> tree() {
    return Json.map(
        "meanSeconds", known(mean),
        "minSeconds", known(min),
        "p50Seconds", known(p50),
        "p99Seconds", known(p99),
        "maxSeconds", known(max));
  }

  static Latency read(Fields fields) {
    return new Latency(
        fields.decimal("meanSeconds", Double.NaN),
        fields.decimal("minSeconds", Double.NaN),
        fields.decimal("p50Seconds", Double.NaN),
        fields.decimal("p99Seconds", Double.NaN),
        fields.decimal("maxSeconds", Double.NaN));
  }

  static @Nullable Double known(double value) {
    return Double.isFinite(value) ? value : null;
  }
}
