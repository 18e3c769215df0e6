package dev.holdfast.os.net;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Closes a channel whose time is up, which ends whatever waits for it. Channels of the file system
 * have no timeouts of their own, and thousands of threads that each watch a clock are too many.
 */
public final class Deadline implements AutoCloseable {
  private static final ScheduledThreadPoolExecutor TIMER = timer();

  private final Future<?> end;

  /** Set before the channel is closed: whoever waited for it may look at once. */
  private volatile boolean passed;

  private Deadline(Closeable channel, Duration after) {
    end = TIMER.schedule(() -> pass(channel), after.toNanos(), TimeUnit.NANOSECONDS);
  }

  private static ScheduledThreadPoolExecutor timer() {
    ScheduledThreadPoolExecutor timer =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("deadlines").factory());
    timer.setRemoveOnCancelPolicy(true);
    return timer;
  }

  /** Closes the channel after this time, unless this deadline is closed before. */
  public static Deadline of(Closeable channel, Duration after) {
    return new Deadline(channel, after);
  }

  private void pass(Closeable channel) {
    passed = true;
    try {
      channel.close();
    } catch (IOException closed) {
      // All that was wanted.
    }
  }

  public boolean passed() {
    return passed;
  }

  @Override
  public void close() {
    end.cancel(false);
  }
}
