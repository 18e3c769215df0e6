package dev.holdfast.store.server;

import dev.holdfast.store.keys.Budget;
import dev.holdfast.store.protocol.Limits;
import java.util.function.LongSupplier;

/**
 * What all stores of one process have in common: who tells, how much memory there is, how many may
 * connect, what time it is.
 */
public final class Shared {
  private final Notices notices;
  private final Budget keys;
  private final Buffers buffers;
  private final Places places;
  private final Garbage garbage;
  private final LongSupplier nanos;

  private Shared(Limits limits, Notices notices, LongSupplier nanos) {
    this.notices = notices;
    this.keys = new Budget(limits.memory());
    this.buffers = new Buffers(limits.buffers());
    this.garbage = new Garbage(keys, buffers);
    this.places = new Places(limits.connections());
    this.nanos = nanos;
  }

  public static Shared of(Limits limits, Notices notices) {
    return of(limits, notices, System::nanoTime);
  }

  static Shared of(Limits limits, Notices notices, LongSupplier nanos) {
    return new Shared(limits, notices, nanos);
  }

  public Notices notices() {
    return notices;
  }

  Budget keys() {
    return keys;
  }

  /** What unread answers and unfinished requests take. */
  public Buffers buffers() {
    return buffers;
  }

  Garbage garbage() {
    return garbage;
  }

  Places places() {
    return places;
  }

  long now() {
    return nanos.getAsLong();
  }
}
