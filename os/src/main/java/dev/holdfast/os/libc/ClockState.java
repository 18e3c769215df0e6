package dev.holdfast.os.libc;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;

/**
 * Is the wall clock steered, and how far off may it be? The answer of {@code adjtimex}, asked
 * without changing anything.
 *
 * @param synchronised a time daemon steers the clock and has said so to the kernel
 * @param offset what the kernel still has to correct
 * @param maximumError the bound the daemon gave, growing since it last spoke
 * @param estimatedError the daemon's estimate
 * @param status the bits of {@code timex.status}
 */
public record ClockState(
    boolean synchronised,
    Duration offset,
    Duration maximumError,
    Duration estimatedError,
    int status) {
  /** The layout of {@code struct timex} on 64-bit Linux. */
  static final int SIZE = 208;

  static final int OFFSET = 8;
  static final int MAXIMUM_ERROR = 24;
  static final int ESTIMATED_ERROR = 32;
  static final int STATUS = 40;

  private static final int TIME_ERROR = 5;
  private static final int STA_UNSYNC = 0x0040;
  private static final int STA_NANO = 0x2000;

  public static ClockState read() throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment timex = arena.allocate(SIZE, 8);
      int state = Libc.adjustTime(timex);
      if (state < 0) {
        throw new IOException("adjtimex: " + Errno.name(-state));
      }
      int status = timex.get(JAVA_INT, STATUS);
      long offset = timex.get(JAVA_LONG, OFFSET);
      return new ClockState(
          state != TIME_ERROR && (status & STA_UNSYNC) == 0,
          (status & STA_NANO) != 0 ? Duration.ofNanos(offset) : micros(offset),
          micros(timex.get(JAVA_LONG, MAXIMUM_ERROR)),
          micros(timex.get(JAVA_LONG, ESTIMATED_ERROR)),
          status);
    }
  }

  private static Duration micros(long count) {
    return Duration.ofSeconds(count / 1_000_000, count % 1_000_000 * 1000);
  }
}
