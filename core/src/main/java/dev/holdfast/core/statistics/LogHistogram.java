package dev.holdfast.core.statistics;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How long do such things take? Quantiles of positive numbers (seconds, usually) in constant
 * memory, however many are added.
 *
 * <p>Buckets grow by an eighth of a doubling, so an answer is at most 9 % above the truth and never
 * below it; a limit derived from it errs towards patience. Unlike a P² estimate it can be merged,
 * kept as JSON and asked for any quantile, and its memory (264 counts from 1 ms to 24 days and
 * beyond) is no concern.
 */
public final class LogHistogram {
  private static final double SMALLEST = 1e-3;
  private static final int PER_DOUBLING = 8;
  private static final int BUCKETS = 33 * PER_DOUBLING;
  private static final double LOG_STEP = Math.log(2) / PER_DOUBLING;

  private final long[] counts = new long[BUCKETS];
  private long count;
  private double largest;

  /** Adds one number; one that is not finite or below zero is a defect of the caller. */
  public void add(double value) {
    if (!(value >= 0) || Double.isInfinite(value)) {
      throw new IllegalArgumentException("not a length: " + value);
    }
    counts[bucket(value)]++;
    count++;
    largest = Math.max(largest, value);
  }

  public void add(LogHistogram other) {
    for (int i = 0; i < BUCKETS; i++) {
      counts[i] += other.counts[i];
    }
    count += other.count;
    largest = Math.max(largest, other.largest);
  }

  public long count() {
    return count;
  }

  /** The largest number added, exactly; 0 when there was none. */
  public double largest() {
    return largest;
  }

  /** A number that the given share of all that were added does not exceed; 0: none was. */
  public double quantile(double share) {
    return quantile(share, Double.POSITIVE_INFINITY);
  }

  /** The same among the numbers that are not clearly above {@code most}. */
  public double quantile(double share, double most) {
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException("share " + share);
    }
    int last = most >= largest ? BUCKETS - 1 : bucket(most);
    long among = 0;
    for (int i = 0; i <= last; i++) {
      among += counts[i];
    }
    long below = (long) Math.ceil(share * among);
    long seen = 0;
    for (int i = 0; i <= last; i++) {
      seen += counts[i];
      if (seen >= below && seen > 0) {
        return Math.min(largest, SMALLEST * Math.exp((i + 1) * LOG_STEP));
      }
    }
    return 0;
  }

  public Map<String, @Nullable Object> json() {
    List<Integer> places = new ArrayList<>();
    List<Long> numbers = new ArrayList<>();
    for (int i = 0; i < BUCKETS; i++) {
      if (counts[i] > 0) {
        places.add(i);
        numbers.add(counts[i]);
      }
    }
    return Json.map("largest", largest, "buckets", places, "counts", numbers);
  }

  /** What {@link #json()} wrote; anything else is an {@link IllegalArgumentException}. */
  public static LogHistogram of(Fields fields) {
    LogHistogram histogram = new LogHistogram();
    List<Integer> places = fields.integers("buckets");
    List<Long> numbers = fields.numbers("counts");
    if (places.size() != numbers.size()) {
      throw new IllegalArgumentException("'buckets' and 'counts' differ in length");
    }
    for (int i = 0; i < places.size(); i++) {
      int place = places.get(i);
      long number = numbers.get(i);
      if (place < 0 || place >= BUCKETS || number < 0) {
        throw new IllegalArgumentException("no bucket " + place + " with count " + number);
      }
      histogram.counts[place] += number;
      histogram.count += number;
    }
    double largest = fields.decimal("largest", 0);
    histogram.largest = largest >= 0 && Double.isFinite(largest) ? largest : 0;
    return histogram;
  }

  private static int bucket(double value) {
    if (value <= SMALLEST) {
      return 0;
    }
    return Math.min(BUCKETS - 1, (int) (Math.log(value / SMALLEST) / LOG_STEP));
  }
}
