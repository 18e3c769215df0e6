package dev.holdfast.control.state;

import java.time.Duration;
import java.time.Instant;

/** Up to where the reports of a source are applied. */
public record Cursor(long epoch, long sequence) {
  public static final Cursor NOTHING = new Cursor(0, 0);

  /** So many lives a source may skip at once. */
  static final long MOST_SKIPPED = 1_000_000;

  private static final Duration AHEAD = Duration.ofDays(1);

  /** Whether that is the very next of its reports. */
  public boolean next(long otherEpoch, long otherSequence) {
    return otherEpoch == epoch
        ? otherSequence == sequence + 1
        : otherEpoch > epoch && otherSequence == 1;
  }

  public boolean applied(long otherEpoch, long otherSequence) {
    return otherEpoch < epoch || otherEpoch == epoch && otherSequence <= sequence;
  }

  /**
   * Whether a life of the source may be called so. Lives are counted, or named by the time in
   * nanoseconds; both leave room above, so that nobody can mute a source for ever by naming the
   * last one.
   */
  public boolean mayBegin(long otherEpoch, Instant now) {
    Instant latest = now.plus(AHEAD);
    long nanos = latest.getEpochSecond() * 1_000_000_000 + latest.getNano();
    return otherEpoch <= nanos || otherEpoch - epoch <= MOST_SKIPPED;
  }
}
