package dev.holdfast.os.libc;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A pipe a child writes to and one thread of ours reads from, which can be called away from
 * waiting. A blocking read could not: a forgotten grandchild that holds the pipe would hold the
 * thread with it.
 */
public final class ChildOutput implements AutoCloseable {
  static final int O_CLOEXEC = 0x80000;
  static final int O_NONBLOCK = 0x800;
  static final int F_SETFL = 4;
  static final short POLLIN = 1;
  static final int POLLED_BYTES = 8;
  private static final int AGAIN = -11;
  private static final int INTERRUPTED = -4;

  private final Arena arena = Arena.ofShared();
  private final MemorySegment polled = arena.allocate(2L * POLLED_BYTES, 8);
  private final MemorySegment counter = arena.allocate(8, 8);
  private final int readEnd;
  private final int wakeUp;
  private int writeEnd;
  private boolean closed;

  private ChildOutput(int readEnd, int writeEnd, int wakeUp) {
    this.readEnd = readEnd;
    this.writeEnd = writeEnd;
    this.wakeUp = wakeUp;
  }

  public static ChildOutput open() throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment pair = arena.allocate(JAVA_INT, 2);
      require(Libc.pipe(pair, O_CLOEXEC));
      int readEnd = pair.getAtIndex(JAVA_INT, 0);
      int writeEnd = pair.getAtIndex(JAVA_INT, 1);
      // Of our end alone: the child's end is another one and stays as programs expect it.
      int wakeUp = Libc.event(O_CLOEXEC | O_NONBLOCK);
      if (wakeUp < 0 || Libc.control(readEnd, F_SETFL, O_NONBLOCK) < 0) {
        Libc.close(readEnd);
        Libc.close(writeEnd);
        throw new IOException("no pipe: " + Errno.name(-wakeUp));
      }
      return new ChildOutput(readEnd, writeEnd, wakeUp);
    }
  }

  /** The descriptor for the child, until {@link #closeWriteEnd}. */
  public int writeEnd() {
    return writeEnd;
  }

  public synchronized void closeWriteEnd() {
    if (writeEnd >= 0) {
      Libc.close(writeEnd);
      writeEnd = -1;
    }
  }

  /** How many bytes were read; 0: none there now, −1: nobody will write any more. */
  public int read(MemorySegment buffer) {
    while (true) {
      int count = Libc.read(readEnd, buffer, (int) buffer.byteSize());
      if (count > 0) {
        return count;
      }
      if (count == AGAIN) {
        return 0;
      }
      if (count != INTERRUPTED) {
        return -1;
      }
    }
  }

  /** Waits until there is something to read, the end included, {@link #wake} or the time is up. */
  public void await(int milliseconds) {
    polled.set(JAVA_INT, 0, readEnd);
    polled.set(JAVA_SHORT, 4, POLLIN);
    polled.set(JAVA_INT, POLLED_BYTES, wakeUp);
    polled.set(JAVA_SHORT, POLLED_BYTES + 4, POLLIN);
    Libc.poll(polled, 2, milliseconds);
    Libc.read(wakeUp, counter, 8);
  }

  /** Ends the wait of the reading thread, or its next one. */
  public synchronized void wake() {
    if (!closed) {
      try (Arena scratch = Arena.ofConfined()) {
        MemorySegment one = scratch.allocate(8, 8);
        one.set(JAVA_LONG, 0, 1);
        Libc.write(wakeUp, one, 8);
      }
    }
  }

  /** By the reading thread, once it will not read again. */
  @Override
  public synchronized void close() {
    closeWriteEnd();
    if (!closed) {
      closed = true;
      Libc.close(readEnd);
      Libc.close(wakeUp);
      arena.close();
    }
  }

  private static void require(int result) throws IOException {
    if (result < 0) {
      throw new IOException("no pipe: " + Errno.name(-result));
    }
  }
}
