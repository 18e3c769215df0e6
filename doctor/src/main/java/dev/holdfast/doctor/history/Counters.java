package dev.holdfast.doctor.history;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The counters of this run, measured against the history.
 *
 * <p>Growth is told only within one boot, over the longest stretch that fits the window, and never
 * over less than {@link #SHORTEST}: the first sample after a boot is not a rate, and two runs in
 * the same second say nothing.
 */
public final class Counters {
  public static final String NEEDS_HISTORY =
      "needs history: run doctor again in a few minutes (counters of this run were noted)";

  private static final Duration SHORTEST = Duration.ofSeconds(10);

  private final History history;
  private final Instant now;
  private final String bootId;
  private final Map<String, Long> values = new ConcurrentSkipListMap<>();

  public Counters(History history, Instant now, String bootId) {
    this.history = history;
    this.now = now;
    this.bootId = bootId;
  }

  /** Notes the value and says how much it grew over at most {@code window}. */
  public Optional<Change> observe(String counter, long value, Duration window) {
    values.put(counter, value);
    long grown = 0;
    Optional<Change> change = Optional.empty();
    long later = value;
    // Walk back through the samples, adding up each step, so that a reset costs only one step.
    for (Sample sample : history.samples().reversed()) {
      Duration elapsed = Duration.between(sample.time(), now);
      Long earlier = sample.values().get(counter);
      if (elapsed.compareTo(window) > 0 && change.isPresent()) {
        break;
      }
      if (!sample.bootId().equals(bootId) || earlier == null || elapsed.isNegative()) {
        continue;
      }
      grown += later >= earlier ? later - earlier : later;
      later = earlier;
      if (elapsed.compareTo(SHORTEST) >= 0) {
        change = Optional.of(new Change(grown, elapsed));
      }
    }
    return change;
  }

  /** The history to keep for the next run. */
  public History next() {
    return values.isEmpty() ? history : history.with(new Sample(now, bootId, values));
  }
}
