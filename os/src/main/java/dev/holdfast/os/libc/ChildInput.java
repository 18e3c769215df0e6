package dev.holdfast.os.libc;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** A pipe a child reads from and we write to; writing waits while the pipe is full. */
public final class ChildInput extends OutputStream {
  private static final int O_CLOEXEC = 0x80000;
  private static final int INTERRUPTED = -4;

  private final int writeEnd;
  private int readEnd;
  private boolean closed;

  private ChildInput(int readEnd, int writeEnd) {
    this.readEnd = readEnd;
    this.writeEnd = writeEnd;
  }

  public static ChildInput open() throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment pair = arena.allocate(JAVA_INT, 2);
      int result = Libc.pipe(pair, O_CLOEXEC);
      if (result < 0) {
        throw new IOException("no pipe: " + Errno.name(-result));
      }
      return new ChildInput(pair.getAtIndex(JAVA_INT, 0), pair.getAtIndex(JAVA_INT, 1));
    }
  }

  /** The descriptor for the child, until {@link #closeReadEnd}. */
  public int readEnd() {
    return readEnd;
  }

  public synchronized void closeReadEnd() {
    if (readEnd >= 0) {
      Libc.close(readEnd);
      readEnd = -1;
    }
  }

  @Override
  public void write(int single) throws IOException {
    write(new byte[] {(byte) single}, 0, 1);
  }

  /** By one thread, which is also the one that closes. */
  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment segment = arena.allocate(Math.max(1, length));
      MemorySegment.copy(bytes, offset, segment, JAVA_BYTE, 0, length);
      int sent = 0;
      while (sent < length) {
        int count = Libc.write(writeEnd, segment.asSlice(sent), length - sent);
        if (count < 0 && count != INTERRUPTED) {
          throw new IOException("cannot write to the child: " + Errno.name(-count));
        }
        sent += Math.max(0, count);
      }
    }
  }

  @Override
  public synchronized void close() {
    closeReadEnd();
    if (!closed) {
      closed = true;
      Libc.close(writeEnd);
    }
  }
}
