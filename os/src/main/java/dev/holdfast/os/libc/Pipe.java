package dev.holdfast.os.libc;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A pipe of our own, for the output of a child process.
 *
 * <p>The pipes of {@link Process} are emptied by a thread of the JDK when the child ends, without a
 * bound and for as long as anyone writes: a forgotten grandchild that writes without pause fills
 * the heap. A pipe that we own is read by us alone, up to our limit, and closing it ends the
 * writer.
 */
public final class Pipe implements AutoCloseable {
  private static final int O_CLOEXEC = 0x80000;

  private final InputStream readEnd;
  private int writeEnd;

  private Pipe(InputStream readEnd, int writeEnd) {
    this.readEnd = readEnd;
    this.writeEnd = writeEnd;
  }

  public static Pipe open() throws IOException {
    int readDescriptor;
    int writeDescriptor;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment pair = arena.allocate(JAVA_INT, 2);
      int result = Libc.pipe(pair, O_CLOEXEC);
      if (result < 0) {
        throw new IOException("no pipe: " + Errno.name(-result));
      }
      readDescriptor = pair.getAtIndex(JAVA_INT, 0);
      writeDescriptor = pair.getAtIndex(JAVA_INT, 1);
    }
    try {
      return new Pipe(new FileInputStream(descriptor(readDescriptor)), writeDescriptor);
    } catch (IOException problem) {
      Libc.close(writeDescriptor);
      throw problem;
    } finally {
      Libc.close(readDescriptor);
    }
  }

  /** The end to read from; {@link InputStream#available} tells what can be read without waiting. */
  public InputStream readEnd() {
    return readEnd;
  }

  /** A name that opens the end to write to, until {@link #closeWriteEnd}. */
  public File writeEnd() {
    return descriptor(writeEnd);
  }

  public void closeWriteEnd() {
    if (writeEnd >= 0) {
      Libc.close(writeEnd);
      writeEnd = -1;
    }
  }

  @Override
  public void close() throws IOException {
    closeWriteEnd();
    readEnd.close();
  }

  private static File descriptor(int number) {
    return new File("/proc/self/fd/" + number);
  }
}
