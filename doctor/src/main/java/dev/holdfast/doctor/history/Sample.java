package dev.holdfast.doctor.history;

import java.time.Instant;
import java.util.Map;

/** All counters at one moment of one boot. */
public record Sample(Instant time, String bootId, Map<String, Long> values) {
  public Sample {
    values = Map.copyOf(values);
  }

  /** Whether every counter of the other sample is here too. */
  boolean knowsAllOf(Sample other) {
    return values.keySet().containsAll(other.values.keySet());
  }
}
