package dev.holdfast.launch.supervise;

/** How long may the ranks live without a word from the process beside us? */
final class Lease {
  private long deadline = Long.MAX_VALUE;
  private long validity;

  /** When it runs out; never, as long as there was none. */
  long deadline() {
    return deadline;
  }

  void renew(long until, long now) {
    validity = Math.max(validity, until - now);
    deadline = until;
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
