package dev.holdfast.agent.local;

import java.util.function.LongSupplier;

/**
 * How fast may one user speak? A burst, then a steady rate, of lines and of bytes: what one user
 * says must not use up what the node may say in an hour.
 */
final class Rate {
  private static final double BURST = 200;
  private static final double PER_SECOND = 50;
  private static final double BYTES_BURST = 4 << 20;
  private static final double BYTES_PER_SECOND = 8 << 10;

  private final LongSupplier nanos;
  private double lines = BURST;
  private double bytes = BYTES_BURST;
  private long last;

  Rate(LongSupplier nanos) {
    this.nanos = nanos;
    this.last = nanos.getAsLong();
  }

  synchronized boolean allows(int length) {
    long now = nanos.getAsLong();
    double seconds = (now - last) / 1e9;
    lines = Math.min(BURST, lines + seconds * PER_SECOND);
    bytes = Math.min(BYTES_BURST, bytes + seconds * BYTES_PER_SECOND);
    last = now;
    if (lines < 1 || bytes < length) {
      return false;
    }
    lines--;
    bytes -= length;
    return true;
  }
}
