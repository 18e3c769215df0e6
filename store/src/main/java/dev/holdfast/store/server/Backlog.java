package dev.holdfast.store.server;

/** Bytes a socket would not take yet, in order. Empty, it holds no memory. */
final class Backlog {
  private static final byte[] NOTHING = new byte[0];
  private static final int FIRST = 256;

  private byte[] bytes = NOTHING;
  private int from;
  private int to;

  boolean isEmpty() {
    return from == to;
  }

  int size() {
    return to - from;
  }

  /** What it takes in memory. */
  int capacity() {
    return bytes.length;
  }

  byte[] bytes() {
    return bytes;
  }

  /** Where the first byte is. */
  int from() {
    return from;
  }

  /** Room for more bytes; returns where in {@link #bytes} they go. */
  int extend(int count) {
    if (count > bytes.length - to) {
      int needed = Math.addExact(size(), count);
      // Moves what is left to the front; doubles only when that is not enough.
      byte[] room =
          needed <= bytes.length / 2
              ? bytes
              : new byte[Math.max(FIRST, Math.max(needed, bytes.length * 2))];
      System.arraycopy(bytes, from, room, 0, size());
      to = size();
      from = 0;
      bytes = room;
    }
    int at = to;
    to += count;
    return at;
  }

  void append(byte[] source, int length) {
    int at = extend(length);
    System.arraycopy(source, 0, bytes, at, length);
  }

  /** The first bytes have been sent. */
  void sent(int count) {
    from += count;
    if (from == to) {
      bytes = NOTHING;
      from = 0;
      to = 0;
    }
  }
}
