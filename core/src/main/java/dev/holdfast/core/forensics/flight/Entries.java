package dev.holdfast.core.forensics.flight;

import java.util.Arrays;

/**
 * The entries of one rank in the order it made them, as columns: some eight million of them are
 * looked at in a job of four thousand ranks.
 */
final class Entries {
  static final byte SCHEDULED = 0;
  static final byte STARTED = 1;
  static final byte COMPLETED = 2;

  long[] record = new long[64];
  int[] group = new int[64];
  long[] sequence = new long[64];
  int[] operation = new int[64];
  int[] sizes = new int[64];
  int[] types = new int[64];
  long[] elements = new long[64];
  byte[] state = new byte[64];
  boolean[] pointToPoint = new boolean[64];
  long[] created = new long[64];
  long[] started = new long[64];
  long[] completed = new long[64];

  /** Which transfer or batch of transfers of its group it is, −1: not told. */
  int[] transfer = new int[64];

  /** Whether it is one of several transfers called as one, which end together. */
  boolean[] batched = new boolean[64];

  /** Whether it only ends a batch and is no call of its own. */
  boolean[] closing = new boolean[64];

  private int size;

  int size() {
    return size;
  }

  /** Room for one more; its number. */
  int add() {
    if (size == record.length) {
      grow(2 * size);
    }
    return size++;
  }

  /** No more comes. */
  void trim() {
    grow(size);
  }

  private void grow(int room) {
    record = Arrays.copyOf(record, room);
    group = Arrays.copyOf(group, room);
    sequence = Arrays.copyOf(sequence, room);
    operation = Arrays.copyOf(operation, room);
    sizes = Arrays.copyOf(sizes, room);
    types = Arrays.copyOf(types, room);
    elements = Arrays.copyOf(elements, room);
    state = Arrays.copyOf(state, room);
    pointToPoint = Arrays.copyOf(pointToPoint, room);
    created = Arrays.copyOf(created, room);
    started = Arrays.copyOf(started, room);
    completed = Arrays.copyOf(completed, room);
    transfer = Arrays.copyOf(transfer, room);
    batched = Arrays.copyOf(batched, room);
    closing = Arrays.copyOf(closing, room);
  }

  boolean ended(int entry) {
    return state[entry] == COMPLETED || completed[entry] > 0;
  }

  /** When the rank was known to have come: on the device where that was recorded. */
  long arrived(int entry) {
    return started[entry] > 0 ? started[entry] : created[entry];
  }
}
