package dev.holdfast.store.keys;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Everything known under one key: its value, the clients that wait for it, its queue. A number that
 * is counted up is kept as a number and becomes text when somebody reads it.
 */
final class Entry {
  final byte[] key;
  final int hash;

  /** The next entry in the same bucket of the table. */
  @Nullable Entry next;

  private byte @Nullable [] value;
  private long number;
  private boolean counted;

  @Nullable Waiting firstWaiting;
  @Nullable Waiting lastWaiting;
  @Nullable ArrayDeque<byte[]> queue;

  Entry(byte[] key, int hash) {
    this.key = key;
    this.hash = hash;
  }

  boolean hasValue() {
    return counted || value != null;
  }

  /** Whether a client that waits for the key need not. */
  boolean ready() {
    return hasValue() || queue != null && !queue.isEmpty();
  }

  /** Whether nothing at all is known under the key. */
  boolean idle() {
    return !hasValue() && firstWaiting == null && (queue == null || queue.isEmpty());
  }

  /** The value; empty where there is none. */
  byte[] value() {
    if (counted) {
      return Long.toString(number).getBytes(StandardCharsets.US_ASCII);
    }
    return value == null ? new byte[0] : value;
  }

  int size() {
    return counted ? Long.BYTES : value == null ? 0 : value.length;
  }

  void set(byte[] fresh) {
    value = fresh;
    counted = false;
  }

  void append(byte[] bytes, int from, int to) {
    byte[] old = value();
    byte[] joined = Arrays.copyOf(old, old.length + (to - from));
    System.arraycopy(bytes, from, joined, old.length, to - from);
    set(joined);
  }

  void clear() {
    value = null;
    counted = false;
  }

  /** Adds to the number the value is; throws where it is not one. */
  long add(long delta) {
    if (!counted) {
      number = value == null ? 0 : Decimal.parse(value);
      counted = true;
      value = null;
    }
    number += delta;
    return number;
  }

  /** Tells those who wait for the key; those at a barrier only when it is full. */
  void wakeAll() {
    Waiting at = firstWaiting;
    while (at != null) {
      Waiting next = at.after;
      if (at.barrier == 0 || reached(at.barrier)) {
        at.wake();
      }
      at = next;
    }
  }

  private boolean reached(long barrier) {
    try {
      return Decimal.parse(value()) >= barrier;
    } catch (ArithmeticException notNumber) {
      return false;
    }
  }

  boolean keyEquals(byte[] bytes, int from, int to) {
    return Arrays.equals(key, 0, key.length, bytes, from, to);
  }
}
