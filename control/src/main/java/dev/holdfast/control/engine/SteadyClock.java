package dev.holdfast.control.engine;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.function.LongSupplier;

/**
 * The machine's clock, less its jumps. Time never runs back. When the clock is set by more than
 * {@link #SLACK}, time goes on as it did before and nears the clock slowly, at most a fifth faster
 * or slower than real time: a clock that is a day ahead must not make every wait end at once, nodes
 * fall silent and faults expire. A restart takes the clock as it is.
 */
public final class SteadyClock extends Clock {
  /** What a clock daemon may set at once. */
  static final Duration SLACK = Duration.ofSeconds(5);

  private static final int NEAR = 5;

  private final Clock clock;
  private final LongSupplier nanos;
  private Instant last;
  private long lastNanos;

  public SteadyClock(Clock clock) {
    this(clock, System::nanoTime);
  }

  /**
   * @param nanos counts on whatever the clock does
   */
  SteadyClock(Clock clock, LongSupplier nanos) {
    this.clock = clock;
    this.nanos = nanos;
    this.last = clock.instant();
    this.lastNanos = nanos.getAsLong();
  }

  @Override
  public synchronized Instant instant() {
    long now = nanos.getAsLong();
    Duration passed = Duration.ofNanos(now - lastNanos);
    lastNanos = now;
    Instant expected = last.plus(passed);
    Instant shown = clock.instant();
    Duration off = Duration.between(expected, shown);
    Instant time;
    if (off.abs().compareTo(SLACK) <= 0) {
      time = shown;
    } else if (off.isNegative()) {
      time = expected.minus(passed.dividedBy(NEAR));
    } else {
      time = expected.plus(passed.dividedBy(NEAR));
    }
    last = time.isBefore(last) ? last : time;
    return last;
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    return this;
  }
}
