package dev.holdfast.store.keys;

import org.jspecify.annotations.Nullable;

/**
 * One client waiting for one key: a link in the key's list of waiters, which can be taken out
 * without looking at the others. A client that waits for several keys has one for each, chained.
 */
final class Waiting {
  /** What a client is told when all it waited for is there. */
  static final int STOP_WAITING = 0;

  final Wait wait;
  final Entry entry;

  /** For a barrier: the count at which it opens; 0 for a plain wait. */
  final long barrier;

  @Nullable Waiting before;
  @Nullable Waiting after;

  /** The next of the same client. */
  final @Nullable Waiting sibling;

  boolean linked;

  Waiting(Wait wait, Entry entry, long barrier, @Nullable Waiting sibling) {
    this.wait = wait;
    this.entry = entry;
    this.barrier = barrier;
    this.sibling = sibling;
  }

  void link() {
    linked = true;
    before = entry.lastWaiting;
    if (before == null) {
      entry.firstWaiting = this;
    } else {
      before.after = this;
    }
    entry.lastWaiting = this;
  }

  void unlink() {
    if (!linked) {
      return;
    }
    linked = false;
    if (before == null) {
      entry.firstWaiting = after;
    } else {
      before.after = after;
    }
    if (after == null) {
      entry.lastWaiting = before;
    } else {
      after.before = before;
    }
  }

  /** The key is there: one less to wait for, and the client is told when it was the last. */
  void wake() {
    unlink();
    wait.missing--;
    if (wait.missing == 0) {
      wait.keyspace.woken(wait);
    }
  }
}
