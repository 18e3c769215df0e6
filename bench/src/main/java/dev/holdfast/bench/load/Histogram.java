package dev.holdfast.bench.load;

/**
 * How long did most take? Counts of durations in steps of less than one percent, so that recording
 * one costs a few instructions and a million of them a few kilobytes.
 */
public final class Histogram {
  private static final int STEPS = 128;

  private final long[] counts = new long[(Long.SIZE - 6) * STEPS];
  private long total;

  public void record(long nanos) {
    counts[index(Math.max(0, nanos))]++;
    total++;
  }

  public void add(Histogram other) {
    for (int i = 0; i < counts.length; i++) {
      counts[i] += other.counts[i];
    }
    total += other.total;
  }

  public long total() {
    return total;
  }

  /** The duration that this share of all do not exceed; 0 when there are none. */
  public long quantile(double share) {
    long wanted = Math.max(1, (long) Math.ceil(share * total));
    long seen = 0;
    for (int i = 0; i < counts.length; i++) {
      seen += counts[i];
      if (seen >= wanted) {
        return value(i);
      }
    }
    return 0;
  }

  private static int index(long nanos) {
    if (nanos < STEPS) {
      return (int) nanos;
    }
    int shift = 56 - Long.numberOfLeadingZeros(nanos);
    return (shift + 1) * STEPS + (int) (nanos >>> shift) - STEPS;
  }

  private static long value(int index) {
    if (index < STEPS) {
      return index;
    }
    int shift = index / STEPS - 1;
    return (long) (index % STEPS + STEPS) << shift;
  }
}
