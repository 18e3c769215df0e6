package dev.holdfast.store.keys;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Bytes that several share: the keyspaces of one process, the buffers of all its connections. Safe
 * for several threads.
 */
public final class Budget {
  private final long most;
  private final AtomicLong used = new AtomicLong();

  public Budget(long most) {
    this.most = most;
  }

  public long most() {
    return most;
  }

  public long used() {
    return used.get();
  }

  /** Takes so many bytes if there are as many. */
  boolean take(long bytes) {
    if (used.addAndGet(bytes) > most) {
      used.addAndGet(-bytes);
      return false;
    }
    return true;
  }

  /** Counts bytes that are taken already, or given back when below zero; whether all still fit. */
  public boolean count(long bytes) {
    return used.addAndGet(bytes) <= most;
  }
}
