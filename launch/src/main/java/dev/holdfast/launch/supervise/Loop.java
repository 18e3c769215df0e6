package dev.holdfast.launch.supervise;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * What the supervisor's one deciding thread has to do next. Everything that happens elsewhere (a
 * child that ended, an order, a signal) is put here and done there, so nothing in the state needs a
 * lock.
 */
final class Loop {
  private final LinkedBlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();

  void post(Runnable task) {
    tasks.add(task);
  }

  /** The next task, or one that does nothing when the time is up. */
  Runnable next(long nanos) {
    try {
      Runnable task = tasks.poll(Math.max(0, nanos), TimeUnit.NANOSECONDS);
      return task == null ? () -> {} : task;
    } catch (InterruptedException ignored) {
      // Nobody ends the supervisor this way.
      return () -> {};
    }
  }
}
