package dev.holdfast.store.server;

import dev.holdfast.store.keys.Budget;

/**
 * How much of the heap is garbage, and when is it time to collect it? Large arrays live among the
 * old objects, where the serial collector looks only once the heap has grown to its limit: without
 * this, a few gigabytes of large values that came and went would make the process as large as it
 * may be, however little of it is in use. What is in use is known here: keys, buffers, and
 * everything else that was left after the last collection.
 */
final class Garbage {
  private static final long MOST = 384L << 20;

  private final Budget keys;
  private final Buffers buffers;
  private volatile long others;

  Garbage(Budget keys, Buffers buffers) {
    this.keys = keys;
    this.buffers = buffers;
    this.others = beside();
  }

  /** What of the used heap is neither keys nor buffers. */
  private long beside() {
    Runtime here = Runtime.getRuntime();
    return here.totalMemory() - here.freeMemory() - keys.used() - buffers.used();
  }

  /** Has it collected when there is much of it; costs next to nothing when there is not. */
  void look() {
    if (beside() - others > MOST) {
      collect();
    }
  }

  private synchronized void collect() {
    if (beside() - others > MOST) { // else another thread was first
      System.gc();
      others = beside();
    }
  }
}
