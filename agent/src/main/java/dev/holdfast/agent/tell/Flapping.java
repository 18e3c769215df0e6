package dev.holdfast.agent.tell;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/**
 * Does a condition come and go? Then its end is believed only after a while without it, and how
 * often it came meanwhile is counted. Bounded by the number of conditions, which the checks bound.
 */
final class Flapping {
  private static final int MANY = 4;
  private static final Duration WINDOW = Duration.ofMinutes(5);
  private static final Duration STEADY = Duration.ofMinutes(1);

  /** What is known of one condition. */
  private static final class Past {
    final ArrayDeque<Instant> told = new ArrayDeque<>();
    Instant absent = Instant.MAX;
    long returns;
  }

  private final Map<String, Past> pasts = new HashMap<>();

  /** It is there. */
  void seen(String name) {
    Past past = pasts.get(name);
    if (past != null && !past.absent.equals(Instant.MAX)) {
      past.absent = Instant.MAX;
      past.returns++;
    }
  }

  /** How often it came back since it was last told. */
  long swallowed(String name) {
    Past past = pasts.get(name);
    return past == null ? 0 : past.returns;
  }

  /** It was told to begin, to change or to end. */
  void told(String name, Instant now) {
    Past past = pasts.computeIfAbsent(name, _ -> new Past());
    past.told.addLast(now);
    while (past.told.size() > MANY) {
      past.told.removeFirst();
    }
    past.absent = Instant.MAX;
    past.returns = 0;
  }

  /** Whether its absence may be told: at once, unless it came and went often. */
  boolean mayEnd(String name, Instant now) {
    Past past = pasts.get(name);
    if (past == null
        || past.told.size() < MANY
        || past.told.getFirst().isBefore(now.minus(WINDOW))) {
      return true;
    }
    if (past.absent.equals(Instant.MAX)) {
      past.absent = now;
    }
    return !now.isBefore(past.absent.plus(STEADY));
  }
}
