package dev.holdfast.control.api.gate;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The room one answer takes of the budget of all. It is given back once, by whoever is first: the
 * thread that sends the answer, or the gate when it sends the reader away.
 */
final class Share {
  private final AtomicLong budget;
  private final AtomicLong room;

  Share(AtomicLong budget, long room) {
    this.budget = budget;
    this.room = new AtomicLong(room);
  }

  long room() {
    return room.get();
  }

  void giveBack() {
    budget.addAndGet(-room.getAndSet(0));
  }
}
