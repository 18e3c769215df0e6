package dev.holdfast.control.state;

import java.time.Duration;
import java.time.Instant;

/**
 * How many faults a source from outside may still tell: {@link #BURST} at once, and {@link
 * #PER_MINUTE} in the long run. Its time is that of the records, so that reading the journal again
 * gives the same.
 */
public record Allowance(double left, Instant at) {
  public static final int BURST = 100;
  public static final int PER_MINUTE = 30;

  /** After so long without a word all of it is there again. */
  public static final Duration REFILL = Duration.ofMinutes(BURST / PER_MINUTE + 1);

  static final Allowance FULL = new Allowance(BURST, Instant.EPOCH);

  public boolean spent(Instant now) {
    return filled(now) < 1;
  }

  Allowance spend(Instant now) {
    return new Allowance(Math.max(0, filled(now) - 1), now);
  }

  private double filled(Instant now) {
    double minutes = Math.max(0, Duration.between(at, now).toMillis() / 60_000.0);
    return Math.min(BURST, left + minutes * PER_MINUTE);
  }
}
