package dev.holdfast.launch.supervise;

import java.time.Duration;
import java.util.Optional;

/**
 * Somebody outside asked us to end: what follows, and when? The process beside us decides first; if
 * it has not, the ranks are ended in time before whoever asked kills us. Asked again, all are
 * killed at once; but the same wish delivered twice (to us and to our group, as timeout(1) does) is
 * one.
 */
final class Asking {
  private static final Duration MARGIN = Duration.ofSeconds(2);
  private static final long ECHO = 250_000_000L;

  private final Duration grace;
  private Optional<Integer> signal = Optional.empty();
  private long at;

  /** What to do about a signal. */
  enum Reaction {
    NOTHING,
    TELL,
    KILL
  }

  Asking(Duration grace) {
    this.grace = grace;
  }

  Reaction on(int number, long now) {
    if (signal.isPresent()) {
      return now - at < ECHO ? Reaction.NOTHING : Reaction.KILL;
    }
    signal = Optional.of(number);
    at = now;
    return Reaction.TELL;
  }

  Optional<Integer> signal() {
    return signal;
  }

  /** When we end the ranks ourselves if nobody else has; never, before we were asked. */
  long ownEndAt() {
    return signal.isEmpty() ? Long.MAX_VALUE : at + own().toNanos();
  }

  /** How long the ranks may take for their end by then, from TERM to KILL. */
  Duration lastGrace() {
    return grace.minus(own()).dividedBy(2);
  }

  /** How long the ranks may take when nobody but us can decide. */
  Duration own() {
    Duration half = grace.dividedBy(2);
    Duration early = grace.minus(MARGIN);
    return early.compareTo(half) > 0 ? early : half;
  }
}
