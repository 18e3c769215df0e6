package dev.holdfast.store.protocol;

import static dev.holdfast.store.protocol.Operation.*;

import org.jspecify.annotations.Nullable;

/**
 * Which code means what. PyTorch renumbered its operations twice; a client of today says so in its
 * first bytes (VALIDATE with a magic number), the older ones say nothing.
 */
public enum Dialect {
  /** PyTorch up to 2.0. */
  A(SET, COMPARE_SET, GET, ADD, CHECK, WAIT, COUNT_KEYS, WATCH_KEY, DELETE_KEY),
  /** PyTorch 2.1. */
  B(
      SET,
      COMPARE_SET,
      GET,
      ADD,
      CHECK,
      WAIT,
      COUNT_KEYS,
      DELETE_KEY,
      APPEND,
      MULTI_GET,
      MULTI_SET,
      CANCEL_WAIT),
  /** PyTorch from 2.2 on; later versions added to its end. */
  C(
      VALIDATE,
      SET,
      COMPARE_SET,
      GET,
      ADD,
      CHECK,
      WAIT,
      COUNT_KEYS,
      DELETE_KEY,
      APPEND,
      MULTI_GET,
      MULTI_SET,
      CANCEL_WAIT,
      PING,
      QUEUE_PUSH,
      QUEUE_POP,
      QUEUE_LENGTH,
      LIST_KEYS,
      BARRIER);

  /** What a client of dialect C sends after the code of VALIDATE. */
  public static final int MAGIC = 0x3C85F7CE;

  private final Operation[] operations;

  Dialect(Operation... operations) {
    this.operations = operations;
  }

  /** The operation with this code, or null. */
  public @Nullable Operation operation(int code) {
    return code >= 0 && code < operations.length ? operations[code] : null;
  }
}
