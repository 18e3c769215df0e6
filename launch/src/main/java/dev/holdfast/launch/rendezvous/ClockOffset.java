package dev.holdfast.launch.rendezvous;

/**
 * By how much is the leader's clock ahead of a member's? A message takes a while, never less than
 * nothing: so the least of many differences between arrival and departure is the offset and the
 * shortest way, which in one cluster is about the same for all members. Taken over the last one to
 * two minutes, because clocks drift.
 */
final class ClockOffset {
  private static final int BUCKET = 60;

  private long least = Long.MAX_VALUE;
  private long before = Long.MAX_VALUE;
  private int count;

  /**
   * @param sentAt by the member's clock, in milliseconds
   * @param now by the leader's
   */
  void heard(long sentAt, long now) {
    if (count == BUCKET) {
      before = least;
      least = Long.MAX_VALUE;
      count = 0;
    }
    least = Math.min(least, now - sentAt);
    count++;
  }

  /** To be added to a member's time; 0 before anything was heard. */
  double seconds() {
    long known = Math.min(least, before);
    return known == Long.MAX_VALUE ? 0 : known / 1e3;
  }
}
