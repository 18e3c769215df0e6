package dev.holdfast.agent.testing;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that a test sets. */
public final class TryClock implements InstantSource {
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");

  @Override
  public synchronized Instant instant() {
    return now;
  }

  public synchronized void pass(Duration time) {
    now = now.plus(time);
  }
}
