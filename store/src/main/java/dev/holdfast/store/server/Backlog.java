package dev.holdfast.store.server;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * Answers a socket would not take yet, in order. Small ones are gathered in chunks; a large value
 * is lent by the keys and not copied, so that a thousand who read the same value slowly cost its
 * memory once. Empty, it holds no memory.
 */
final class Backlog {
  private static final int FIRST_CHUNK = 256;
  private static final int LARGEST_CHUNK = 64 << 10;

  private static final class Piece {
    final byte[] bytes;
    final boolean lent;
    final long sinceNanos;
    int from;
    int to;
    @Nullable Piece next;

    Piece(byte[] bytes, boolean lent, long sinceNanos) {
      this.bytes = bytes;
      this.lent = lent;
      this.sinceNanos = sinceNanos;
    }
  }

  private final Buffers buffers;
  private @Nullable Piece first;
  private @Nullable Piece last;
  private long size;
  private long chunks;
  private long lent;

  Backlog(Buffers buffers) {
    this.buffers = buffers;
  }

  boolean isEmpty() {
    return size == 0;
  }

  /** Bytes still to be sent. */
  long size() {
    return size;
  }

  /** What it takes in memory of its own. */
  long chunks() {
    return chunks;
  }

  /** Bytes of the values it has been lent, their room included. */
  long lent() {
    return lent;
  }

  /** Since when the first byte has been waiting; only while it is not empty. */
  long sinceNanos() {
    return first == null ? 0 : first.sinceNanos;
  }

  /** Copies bytes to its end. */
  void append(MemorySegment source, long at, int length, long now) {
    int done = 0;
    while (done < length) {
      Piece chunk = last;
      if (chunk == null || chunk.lent || chunk.to == chunk.bytes.length) {
        int previous = chunk == null || chunk.lent ? 0 : chunk.bytes.length;
        int wanted = Math.max(FIRST_CHUNK, Math.max(previous * 2, length - done));
        chunk = new Piece(new byte[Math.min(LARGEST_CHUNK, wanted)], false, now);
        chunks += chunk.bytes.length;
        link(chunk);
      }
      int step = Math.min(length - done, chunk.bytes.length - chunk.to);
      MemorySegment.copy(source, ValueLayout.JAVA_BYTE, at + done, chunk.bytes, chunk.to, step);
      chunk.to += step;
      size += step;
      done += step;
    }
  }

  /** Puts the first bytes of a value at its end, which nobody changes any more. */
  void lend(byte[] value, int length, long now) {
    Piece piece = new Piece(value, true, now);
    piece.to = length;
    size += length;
    lent += value.length;
    buffers.lend(value);
    link(piece);
  }

  private void link(Piece piece) {
    if (last == null) {
      first = piece;
    } else {
      last.next = piece;
    }
    last = piece;
  }

  /** Copies its first bytes, as many as there is room for; returns how many. */
  int copyTo(MemorySegment target, int most) {
    int done = 0;
    for (Piece piece = first; piece != null && done < most; piece = piece.next) {
      int step = Math.min(most - done, piece.to - piece.from);
      MemorySegment.copy(piece.bytes, piece.from, target, ValueLayout.JAVA_BYTE, done, step);
      done += step;
    }
    return done;
  }

  /** The first bytes have been sent. */
  void sent(int count) {
    size -= count;
    int left = count;
    for (Piece piece = first; piece != null; piece = first) {
      int step = Math.min(left, piece.to - piece.from);
      piece.from += step;
      left -= step;
      if (piece.from < piece.to) {
        return;
      }
      drop(piece);
    }
  }

  private void drop(Piece piece) {
    first = piece.next;
    if (first == null) {
      last = null;
    }
    if (piece.lent) {
      lent -= piece.bytes.length;
      buffers.giveBack(piece.bytes);
    } else {
      chunks -= piece.bytes.length;
    }
  }

  /** Forgets what was not sent. */
  void clear() {
    for (Piece piece = first; piece != null; piece = first) {
      drop(piece);
    }
    size = 0;
  }
}
