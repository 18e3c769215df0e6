package dev.holdfast.cli.command;

import dev.holdfast.core.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The processes of one run, which end together. The signal that ends us may come while they are
 * still being started: after it none is, so none is left behind.
 */
final class TaskGroup {
  /** How long tasks have to end after the signal that ends us, before they are killed. */
  private static final long GRACE_SECONDS = 10;

  private final List<Process> tasks = new ArrayList<>();
  private boolean ended;

  /** Starts one more, unless the group was ended meanwhile. */
  synchronized void start(Supplier<Process> task) {
    if (!ended) {
      tasks.add(task.get());
    }
  }

  /** The first exit code that is not 0, when all have ended. */
  int await() {
    int code = 0;
    for (Process task : started()) {
      try {
        int ended = task.waitFor();
        code = code == 0 ? ended : code;
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        return ErrorCode.BINDING_REFUSED.kind().exitCode();
      }
    }
    return code;
  }

  /** Asks every task to end and kills those that do not. */
  synchronized void end() {
    ended = true;
    tasks.forEach(Process::destroy);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(GRACE_SECONDS);
    for (Process task : tasks) {
      try {
        if (!task.waitFor(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS)) {
          task.destroyForcibly();
        }
      } catch (InterruptedException interrupted) {
        task.destroyForcibly();
      }
    }
  }

  private synchronized List<Process> started() {
    return List.copyOf(tasks);
  }
}
