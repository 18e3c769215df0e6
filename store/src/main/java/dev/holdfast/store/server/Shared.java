package dev.holdfast.store.server;

import dev.holdfast.store.keys.Budget;
import dev.holdfast.store.protocol.Limits;

/**
 * What all stores of one process have in common: who tells, and how much memory there is.
 *
 * @param keys bytes of keys and values
 * @param buffers bytes of unread answers and unfinished requests
 */
public record Shared(Notices notices, Budget keys, Budget buffers) {
  public static Shared of(Limits limits, Notices notices) {
    return new Shared(notices, new Budget(limits.memory()), new Budget(limits.buffers()));
  }
}
