package dev.holdfast.doctor.history;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The counters of this run, measured against the history.
 *
 * <p>Growth is told only within one boot, over the longest stretch that fits the window, or since
 * the last run where that is longer ago than the window: the caller compares {@link
 * Change#elapsed}. It is never told over less than {@link #SHORTEST} (two runs in the same second
 * say nothing) nor over more than {@link History#LONGEST} (then the clock was set, or nobody looked
 * for weeks).
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

  /** Notes the value and says how much it grew over {@code window}, as far as that is known. */
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
      boolean usable = !elapsed.isNegative() && elapsed.compareTo(History.LONGEST) <= 0;
      if (!sample.bootId().equals(bootId) || earlier == null || !usable) {
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
