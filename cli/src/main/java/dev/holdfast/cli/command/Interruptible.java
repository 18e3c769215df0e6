package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.cli.console.Failures;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.os.process.OutsideSignals;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Work that Ctrl-C or a scheduler's signal ends early, not without a trace: whoever waits in it is
 * interrupted and answers with what there is. A second signal ends the program at once, and so does
 * the first one if nothing is answered in time.
 */
final class Interruptible {
  private static final int SIGNALLED = 128;

  /** Ranks have seven seconds to go; schedulers wait thirty before they kill. */
  private static final long GRACE_SECONDS = 20;

  /** A program has one command. */
  private static final AtomicReference<@Nullable Interruptible> CURRENT = new AtomicReference<>();

  private final Thread worker = Thread.currentThread();
  private final CountDownLatch over = new CountDownLatch(1);
  private boolean answering;
  private int came;

  private Interruptible() {}

  /** The exit code. */
  interface Work {
    int run() throws IOException;
  }

  /** The code of the work, or that of programs which a signal ended. */
  static int run(Console console, Work work) throws IOException {
    Interruptible whole = new Interruptible();
    CURRENT.set(whole);
    OutsideSignals.listen(whole::heard);
    try {
      int code = work.run();
      return whole.came() == 0 ? code : SIGNALLED + whole.came();
    } catch (HoldfastException failed) {
      return whole.ended(console, failed, failed.detail());
    } catch (IOException failed) {
      return whole.ended(console, failed, Failures.why(failed));
    } catch (UncheckedIOException failed) {
      IOException cause = Objects.requireNonNull(failed.getCause());
      return whole.ended(console, cause, Failures.why(cause));
    } finally {
      whole.over.countDown();
    }
  }

  /**
   * From now on the work only answers: a signal still counts, but interrupts nobody, so that
   * nothing is cut short which is written to a file.
   */
  static void answering() {
    Interruptible whole = CURRENT.get();
    if (whole != null) {
      synchronized (whole) {
        whole.answering = true;
        Thread.interrupted();
      }
    }
  }

  private <E extends Exception> int ended(Console console, E failed, String why) throws E {
    if (came() == 0) {
      throw failed;
    }
    console.message(why);
    return SIGNALLED + came();
  }

  private synchronized int came() {
    return came;
  }

  private synchronized boolean first(int signal) {
    boolean first = came == 0 && over.getCount() > 0;
    came = signal;
    if (first && !answering) {
      worker.interrupt();
    }
    return first;
  }

  private void heard(int signal) {
    if (first(signal)) {
      try {
        if (over.await(GRACE_SECONDS, TimeUnit.SECONDS)) {
          return;
        }
      } catch (InterruptedException ending) {
        Thread.currentThread().interrupt();
      }
    }
    System.exit(SIGNALLED + signal);
  }
}
