package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.os.process.Exhaustion;
import dev.holdfast.os.process.Heartbeats;
import dev.holdfast.os.process.OutsideSignals;
import dev.holdfast.os.process.ServiceNotice;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/**
 * How a command that serves until it is stopped lives and ends.
 *
 * <p>A signal interrupts whoever waits in it, so that what is open is closed in order. A second one
 * ends the process at once, and so does the first when closing takes longer than {@link #GRACE}:
 * what was acknowledged is durable by then, so closing saves others time and no data. Before it
 * serves there is nothing to close, and it ends at once.
 */
final class Daemon {
  private static final int SIGNALLED = 128;

  /** Less than any service manager waits before it kills. */
  private static final Duration GRACE = Duration.ofSeconds(2);

  private final Thread worker = Thread.currentThread();
  private final Heartbeats heartbeats = new Heartbeats();
  private final ServiceNotice notice;
  private boolean serves;
  private int came;

  private Daemon(Console console) {
    this.notice = new ServiceNotice(System.getenv(), heartbeats, console::message);
  }

  /** What it does until it is interrupted, or cannot go on. */
  interface Work {
    int run(Daemon daemon) throws InterruptedException, IOException;
  }

  /** The code of the work, or that of programs which a signal ended. */
  static int run(Console console, Work work) throws IOException {
    Daemon daemon = new Daemon(console);
    Exhaustion.endsProcess();
    OutsideSignals.listen(daemon::heard);
    daemon.notice.start();
    try {
      return daemon.code(work.run(daemon));
    } catch (InterruptedException ending) {
      return daemon.code(0);
    } catch (HoldfastException | IOException failed) {
      if (daemon.came() == 0) {
        throw failed;
      }
      console.message("while ending: " + failed.getMessage());
      return daemon.code(0);
    } finally {
      daemon.notice.close();
    }
  }

  private int code(int otherwise) {
    return came() == 0 ? otherwise : SIGNALLED + came();
  }

  /** The threads that must live. */
  Heartbeats heartbeats() {
    return heartbeats;
  }

  /** It does what it was started for; nothing that must be closed is open yet. */
  void ready() {
    notice.ready();
  }

  /** It does what it was started for, and from now on a signal interrupts its thread. */
  void serves() {
    synchronized (this) {
      serves = true;
    }
    ready();
  }

  /** For a command whose threads do all there is to do. */
  void untilInterrupted() throws InterruptedException {
    new CountDownLatch(1).await();
  }

  private synchronized int came() {
    return came;
  }

  private void heard(int signal) {
    boolean closing;
    synchronized (this) {
      if (came != 0) {
        Runtime.getRuntime().halt(SIGNALLED + signal);
      }
      came = signal;
      closing = serves;
    }
    Thread.ofPlatform().name("end").daemon().start(() -> endLate(signal));
    notice.close();
    if (closing) {
      worker.interrupt();
    } else {
      System.exit(SIGNALLED + signal);
    }
  }

  private static void endLate(int signal) {
    try {
      Thread.sleep(GRACE);
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
    Runtime.getRuntime().halt(SIGNALLED + signal);
  }
}
