package dev.holdfast.launch.run;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * One thread does everything the watcher does, in order: whoever has news puts them here and goes
 * on. So no state of the watcher needs a lock.
 */
final class Inbox {
  private static final int MOST = 100_000;

  private final BlockingQueue<Runnable> waiting = new LinkedBlockingQueue<>(MOST);
  private boolean open = true;

  /** Has this done soon. News beyond all bounds are a defect and end the process. */
  void post(Runnable news) {
    if (!waiting.offer(news)) {
      throw new IllegalStateException(MOST + " pieces of news wait");
    }
  }

  /** Does what comes, and this each so many milliseconds, until it is closed from inside. */
  void work(long everyMillis, Runnable regularly) throws InterruptedException {
    long next = System.nanoTime();
    while (open) {
      long now = System.nanoTime();
      if (now >= next) {
        regularly.run();
        // Not next + period: after a pause of the whole machine once is enough.
        next = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(everyMillis);
      } else {
        Runnable news = waiting.poll(next - now, TimeUnit.NANOSECONDS);
        if (news != null) {
          news.run();
        }
      }
    }
  }

  void close() {
    open = false;
  }
}
