package dev.holdfast.launch.rendezvous;

/**
 * Until when may this node's ranks live, and how long has it been without a lease? It counts from
 * when the renewal was sent that the leader answered.
 */
final class OwnLease {
  private final Core core;
  private final long millis;
  private long until = Peer.NEVER;

  /** How long a process that was started again lets ranks live under a lease it cannot know. */
  private long resumedUntil = Peer.NEVER;

  private long tickedAt;
  private long without;

  OwnLease(Core core) {
    this.core = core;
    tickedAt = core.now;
    millis = core.setup.timings().lease().toMillis();
  }

  void resume() {
    resumedUntil = core.now + millis;
  }

  long until() {
    return until;
  }

  boolean holds() {
    return core.now <= until;
  }

  /** Whether ranks must end now. */
  boolean ranOut() {
    return core.now > Math.max(until, resumedUntil) && !core.setup.isAlone();
  }

  /** Whether this launcher never had one. */
  boolean never() {
    return Math.max(until, resumedUntil) == Peer.NEVER;
  }

  /** For how long it has been without one. */
  long without() {
    return without;
  }

  void tick() {
    // A launcher that was itself stopped for a while has not been waiting meanwhile.
    without = holds() ? 0 : without + Math.min(core.now - tickedAt, 1000);
    tickedAt = core.now;
  }

  /** Whether the answer to a renewal sent then makes it longer. */
  boolean granted(long sentAt) {
    if (sentAt + millis <= until) {
      return false;
    }
    until = sentAt + millis;
    return true;
  }

  /** Lets the ranks live so long. */
  void extend() {
    if (!core.setup.isAlone()) {
      core.effects.add(new Effect.Lease(until));
    }
  }
}
