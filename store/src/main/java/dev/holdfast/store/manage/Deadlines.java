package dev.holdfast.store.manage;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Closes a channel whose time is up, which ends whatever waits for it. Channels of the file system
 * have no timeouts of their own, and thousands of threads that each watch a clock are too many.
 */
final class Deadlines {
  private static final ScheduledThreadPoolExecutor TIMER = timer();

  private Deadlines() {}

  private static ScheduledThreadPoolExecutor timer() {
    ScheduledThreadPoolExecutor timer =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("store deadlines").factory());
    timer.setRemoveOnCancelPolicy(true);
    return timer;
  }

  /** What is to be done in time: ended when it is, else the channel is closed. */
  record Guard(ScheduledFuture<?> end) implements AutoCloseable {
    @Override
    public void close() {
      end.cancel(false);
    }

    boolean passed() {
      return end.isDone() && !end.isCancelled();
    }
  }

  static Guard close(Closeable channel, Duration after) {
    return new Guard(
        TIMER.schedule(
            () -> {
              try {
                channel.close();
              } catch (IOException closed) {
                // All that was wanted.
              }
            },
            after.toNanos(),
            TimeUnit.NANOSECONDS));
  }
}
