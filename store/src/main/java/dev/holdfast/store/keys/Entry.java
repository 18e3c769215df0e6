package dev.holdfast.store.keys;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Everything known under one key: its value, the clients that wait for it, its queue. A number that
 * is counted up is kept as a number and becomes text when somebody reads it. A value that is
 * appended to keeps room for more, so that a byte more costs a byte and not a copy of them all;
 * bytes that are there stay as they are, so an answer may go on reading them meanwhile.
 */
final class Entry {
  final byte[] key;
  final int hash;

  /** The next entry in the same bucket of the table. */
  @Nullable Entry next;

  private static final byte[] EMPTY = new byte[0];

  private byte @Nullable [] value;

  /** How much of {@link #value} is the value; the rest is room. */
  private int length;

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

  private byte[] text() {
    return Long.toString(number).getBytes(StandardCharsets.US_ASCII);
  }

  /** A copy of the value, for people; empty where there is none. */
  byte[] value() {
    return counted ? text() : value == null ? EMPTY : Arrays.copyOf(value, length);
  }

  /** Answers the value; an empty one where there is none. */
  void answer(Client client) {
    if (counted) {
      byte[] text = text();
      client.answerBytes(text, text.length);
    } else {
      client.answerBytes(value == null ? EMPTY : value, length);
    }
  }

  boolean valueEquals(byte[] bytes, int from, int to) {
    byte[] own = counted ? text() : value == null ? EMPTY : value;
    return Arrays.equals(own, 0, counted ? own.length : length, bytes, from, to);
  }

  /** How long the value is. */
  int length() {
    return counted ? text().length : length;
  }

  /** What it takes, its room included. */
  int size() {
    return counted ? Long.BYTES : value == null ? 0 : value.length;
  }

  void set(byte[] fresh) {
    value = fresh;
    length = fresh.length;
    counted = false;
  }

  /**
   * What it takes when so many bytes are appended: half as much again as it needs then, but no
   * value is longer than {@code most}. A first value has no room.
   */
  int sizeWith(int more, int most) {
    int needed = length() + more;
    if (!hasValue() || value != null && needed <= value.length) {
      return Math.max(needed, size());
    }
    return Math.max(needed, (int) Math.min(most, needed + needed / 2L));
  }

  /** Appends bytes; {@code size} is what {@link #sizeWith} said. Returns how many were moved. */
  int append(byte[] bytes, int from, int to, int size) {
    byte[] all = counted ? text() : value == null ? EMPTY : value;
    int old = counted ? all.length : length;
    boolean grows = size != all.length;
    if (grows) {
      all = Arrays.copyOf(all, size);
    }
    System.arraycopy(bytes, from, all, old, to - from);
    value = all;
    length = old + (to - from);
    counted = false;
    return grows ? old : 0;
  }

  void clear() {
    value = null;
    length = 0;
    counted = false;
  }

  /** Adds to the number the value is; throws where it is not one. */
  long add(long delta) {
    if (!counted) {
      number = value == null ? 0 : Decimal.parse(value, length);
      clear();
      counted = true;
    }
    number += delta;
    return number;
  }

  /**
   * Tells those who wait for the key; those at a barrier only when it is full. Returns how many
   * were looked at.
   */
  int wakeAll() {
    Waiting at = firstWaiting;
    long arrived = -1;
    int looked = 0;
    while (at != null) {
      Waiting next = at.after;
      if (at.barrier != 0 && arrived < 0) {
        arrived = arrived();
      }
      if (at.barrier == 0 || arrived >= at.barrier) {
        at.wake();
      }
      at = next;
      looked++;
    }
    return looked;
  }

  /**
   * How many have come to a barrier, once for all who wait there; none where it is not a number.
   */
  private long arrived() {
    try {
      return Math.max(0, counted ? number : value == null ? 0 : Decimal.parse(value, length));
    } catch (ArithmeticException notNumber) {
      return 0;
    }
  }

  boolean keyEquals(byte[] bytes, int from, int to) {
    return Arrays.equals(key, 0, key.length, bytes, from, to);
  }
}
