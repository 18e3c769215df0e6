package dev.holdfast.doctor.history;

import java.time.Duration;

/** How much a counter grew, and over how long. */
public record Change(long increase, Duration elapsed) {
  public double perSecond() {
    return increase / Math.max(0.001, elapsed.toMillis() / 1000.0);
  }

  public double perMinute() {
    return perSecond() * 60;
  }

  public double perHour() {
    return perSecond() * 3600;
  }
}
