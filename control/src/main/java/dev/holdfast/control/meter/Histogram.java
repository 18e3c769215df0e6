package dev.holdfast.control.meter;

import dev.holdfast.core.text.MetricsText;
import java.math.BigDecimal;
import java.util.concurrent.atomic.LongAdder;

/** How long something took, in bounds that fit disks and people; counted without a lock. */
public final class Histogram {
  private static final double[] BOUNDS = {
    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10
  };
  private static final double NANOS = 1e9;

  private final LongAdder[] counts = new LongAdder[BOUNDS.length + 1];
  private final LongAdder nanos = new LongAdder();

  public Histogram() {
    for (int i = 0; i < counts.length; i++) {
      counts[i] = new LongAdder();
    }
  }

  public void add(long took) {
    double seconds = Math.max(0, took) / NANOS;
    int bucket = 0;
    while (bucket < BOUNDS.length && seconds > BOUNDS[bucket]) {
      bucket++;
    }
    counts[bucket].increment();
    nanos.add(Math.max(0, took));
  }

  /** The series of a histogram; each bucket holds those before it, too. */
  public void write(MetricsText text, String name, String help) {
    text.metric(name, "histogram", help);
    long sum = 0;
    for (int i = 0; i < BOUNDS.length; i++) {
      sum += counts[i].sum();
      text.value(
          name + "_bucket",
          sum,
          "le",
          new BigDecimal(Double.toString(BOUNDS[i])).stripTrailingZeros().toPlainString());
    }
    sum += counts[BOUNDS.length].sum();
    text.value(name + "_bucket", sum, "le", "+Inf");
    text.value(name + "_sum", nanos.sum() / NANOS);
    text.value(name + "_count", sum);
  }
}
