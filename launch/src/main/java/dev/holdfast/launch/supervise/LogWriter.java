package dev.holdfast.launch.supervise;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Between the thread that empties a rank's pipe and a file that may be slow or hang for ever (a
 * file server that is gone): a few buffers and a thread of its own. While the file is slow the rank
 * waits with it, as it would if it wrote there itself; when a write does not come back for seconds
 * the rank goes on and its output is lost, counted and told.
 */
final class LogWriter {
  private static final int BUFFERS = 8;
  private static final int BYTES = 1 << 16;
  private static final int STACK = 1 << 18;
  static final long HANGS = 5_000_000_000L;

  private final LogFile file;
  private final LinkedBlockingDeque<ByteBuffer> free = new LinkedBlockingDeque<>();
  private final LinkedBlockingQueue<Object> work = new LinkedBlockingQueue<>();
  private final AtomicInteger outstanding = new AtomicInteger();
  private int made;
  private volatile long writingSince;

  /** Ends the thread. */
  private enum End {
    END
  }

  LogWriter(LogFile file, String name) {
    this.file = file;
    // Nothing to write: the file is there from the start, and what is wrong with it is told then.
    write(ByteBuffer.allocate(0));
    Thread.ofPlatform().name(name).stackSize(STACK).daemon().start(this::writeForEver);
  }

  /**
   * A buffer to fill and {@link #write}, after a time if all are on their way to the file; none
   * when the file hangs.
   */
  Optional<ByteBuffer> buffer() {
    ByteBuffer buffer = free.pollFirst();
    if (buffer == null && made < BUFFERS) {
      made++;
      buffer = ByteBuffer.allocateDirect(BYTES);
    }
    long start = System.nanoTime();
    while (buffer == null && !hangs() && System.nanoTime() - start < HANGS) {
      try {
        buffer = free.pollFirst(100, TimeUnit.MILLISECONDS);
      } catch (InterruptedException ignored) {
        // Nobody ends the reading thread this way.
      }
    }
    return Optional.ofNullable(buffer);
  }

  private boolean hangs() {
    long since = writingSince;
    return since != 0 && System.nanoTime() - since > HANGS;
  }

  /** Takes a buffer back with what is to be written. */
  void write(ByteBuffer filled) {
    outstanding.incrementAndGet();
    work.add(filled);
  }

  /** Gives a buffer back that has nothing in it. */
  void giveBack(ByteBuffer unused) {
    free.addFirst(unused);
  }

  /** These bytes were read and are lost, because the file hangs. */
  void lose(int bytes) {
    file.lose(bytes);
  }

  /** Runs this when all that was given before is written, here and now if it is already. */
  void afterwards(Runnable then) {
    if (outstanding.get() == 0) {
      then.run();
    } else {
      work.add(then);
    }
  }

  void end() {
    work.add(End.END);
  }

  private void writeForEver() {
    try {
      while (true) {
        switch (work.take()) {
          case ByteBuffer bytes -> {
            writingSince = System.nanoTime();
            file.write(bytes, writingSince);
            writingSince = 0;
            outstanding.decrementAndGet();
            if (bytes.isDirect()) {
              free.addFirst(bytes.clear());
            }
          }
          case Runnable then -> then.run();
          default -> {
            file.close();
            return;
          }
        }
      }
    } catch (InterruptedException ignored) {
      file.close();
    }
  }
}
