package dev.holdfast.os.libc;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** How long this process has had processors, by the kernel's own clocks. */
public final class CpuTime {
  private static final int OF_PROCESS = 2;
  private static final int OF_THREAD = 3;
  private static final long SECOND = 1_000_000_000;

  private CpuTime() {}

  /** Nanoseconds that all threads but the calling one have used so far: compilers, for one. */
  public static long ofOthers() {
    // The thread first: what it uses meanwhile must not make the difference smaller than it is.
    long own = read(OF_THREAD);
    return read(OF_PROCESS) - own;
  }

  private static long read(int clock) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment time = arena.allocate(JAVA_LONG, 2);
      int result = Libc.clock(clock, time);
      if (result < 0) {
        throw new IllegalStateException("clock_gettime: " + Errno.name(-result));
      }
      return time.getAtIndex(JAVA_LONG, 0) * SECOND + time.getAtIndex(JAVA_LONG, 1);
    }
  }
}
