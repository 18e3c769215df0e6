package dev.holdfast.agent.local;

import java.util.function.LongSupplier;

/** How fast may one user speak? A burst, then a steady rate. */
final class Rate {
  private static final double BURST = 200;
  private static final double PER_SECOND = 50;

  private final LongSupplier nanos;
  private double allowance = BURST;
  private long last;

  Rate(LongSupplier nanos) {
    this.nanos = nanos;
    this.last = nanos.getAsLong();
  }

  synchronized boolean allows() {
    long now = nanos.getAsLong();
    allowance = Math.min(BURST, allowance + (now - last) / 1e9 * PER_SECOND);
    last = now;
    if (allowance < 1) {
      return false;
    }
    allowance--;
    return true;
  }
}
