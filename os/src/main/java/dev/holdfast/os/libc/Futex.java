package dev.holdfast.os.libc;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Sleeping until another process says so, by a word of memory that both share. */
public final class Futex {
  private static final int WAIT = 0;
  private static final int WAKE = 1;
  private static final long SECOND = 1_000_000_000;

  private Futex() {}

  /**
   * Sleeps while the word has this value, until somebody wakes us, at most so long; may return for
   * no reason.
   */
  public static void await(MemorySegment word, int value, long nanos) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment timeout = arena.allocate(ValueLayout.JAVA_LONG, 2);
      timeout.setAtIndex(ValueLayout.JAVA_LONG, 0, nanos / SECOND);
      timeout.setAtIndex(ValueLayout.JAVA_LONG, 1, nanos % SECOND);
      Libc.futex(word, WAIT, value, timeout);
    }
  }

  /** Wakes all who sleep on this word. */
  public static void wake(MemorySegment word) {
    Libc.futex(word, WAKE, Integer.MAX_VALUE, MemorySegment.NULL);
  }
}
