package dev.holdfast.launch.supervise;

import java.time.Duration;

/** How long may the ranks live without a word from the process beside us? */
final class Lease {
  private long deadline = Long.MAX_VALUE;
  private long validity;

  /** When it runs out; never, as long as there was none. */
  long deadline() {
    return deadline;
  }

  void renew(Duration more, long now) {
    validity = Math.max(validity, more.toNanos());
    deadline = now + more.toNanos();
  }

  /** Whether it has run out, told once. */
  boolean lost(long now) {
    if (now < deadline) {
      return false;
    }
    deadline = Long.MAX_VALUE;
    return true;
  }

  /** New ranks after a loss have the time of one lease until the next must have come. */
  void renewAfterLoss(long now) {
    if (validity > 0 && deadline == Long.MAX_VALUE) {
      deadline = now + validity;
    }
  }
}
