package dev.holdfast.control.access;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How often did somebody try lately? Beyond a number he is asked to wait. Wrong tokens are counted
 * by address, and a right token is never held up: on a login node one person's old token must not
 * lock out the others.
 */
public final class Attempts {
  /** So many wrong tokens are answered each in full. */
  public static final int WRONG_TOKENS = 10;

  static final Duration WINDOW = Duration.ofMinutes(1);

  /** Beyond this the address that was wrong longest ago is forgotten. */
  static final int ADDRESSES = 10_000;

  private static final class Count {
    long begun;
    long tries;
  }

  private final Map<String, Count> counts =
      new LinkedHashMap<>(64, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Count> eldest) {
          return size() > ADDRESSES;
        }
      };
  private final int free;
  private long total;

  /**
   * @param free so many in a minute are not too many
   */
  public Attempts(int free) {
    this.free = free;
  }

  /** Counts one; true: it is one too many. */
  public synchronized boolean tooMany(String address, long nanos) {
    total++;
    Count count = counts.computeIfAbsent(address, _ -> new Count());
    if (count.tries == 0 || nanos - count.begun > WINDOW.toNanos()) {
      count.begun = nanos;
      count.tries = 0;
    }
    count.tries++;
    return count.tries > free;
  }

  /** All since the process began. */
  public synchronized long total() {
    return total;
  }
}
