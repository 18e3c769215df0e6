package dev.holdfast.os.libc;

import dev.holdfast.os.file.Reading;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/**
 * What is in the kernel's log buffer? Read by {@code klogctl}, which needs no device file (there is
 * none in most containers) and never waits.
 */
public final class KernelBuffer {
  private static final int READ_ALL = 3;
  private static final int SIZE_BUFFER = 10;

  private KernelBuffer() {}

  /** The newest {@code limit} bytes of the log, as {@code <priority>[seconds] text} lines. */
  public static Reading read(int limit) {
    int size = Libc.kernelLog(SIZE_BUFFER, MemorySegment.NULL, 0);
    if (size < 0) {
      return failure(-size);
    }
    // The text carries stamps that the buffer does not, so it can be longer than the buffer.
    int room = (int) Math.min(limit, Math.max(4096, size * 2L));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(room);
      int read = Libc.kernelLog(READ_ALL, buffer, room);
      if (read < 0) {
        return failure(-read);
      }
      byte[] bytes = buffer.asSlice(0, read).toArray(ValueLayout.JAVA_BYTE);
      return new Reading.Text(new String(bytes, StandardCharsets.UTF_8));
    }
  }

  private static Reading failure(int errno) {
    return errno == Errno.EPERM || errno == Errno.EACCES
        ? new Reading.Denied(
            "the kernel log may be read only with CAP_SYSLOG, as root, or when"
                + " kernel.dmesg_restrict=0")
        : new Reading.Broken("the kernel log could not be read: " + Errno.name(errno));
  }
}
