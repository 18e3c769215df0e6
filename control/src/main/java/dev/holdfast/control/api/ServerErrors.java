package dev.holdfast.control.api;

import dev.holdfast.os.process.Exhaustion;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * What becomes of an error in a thread of the web server, outside of our own code? Helidon ends the
 * connection and keeps the error to its debug log, where this looks for those that end the process:
 * a server whose every read fails for want of memory looks alive and is not.
 */
final class ServerErrors extends Handler {
  /** Held on to, or its level is forgotten. */
  private static final Logger HELIDON = Logger.getLogger("io.helidon");

  private static final Logger TASKS =
      Logger.getLogger("io.helidon.webserver.ThreadPerTaskExecutor$ThreadBoundFuture");

  private static final ServerErrors ONLY = new ServerErrors();

  private ServerErrors() {}

  /** From now on Helidon logs nothing, each start, stop and taken port included, and is heard. */
  static synchronized void listen() {
    HELIDON.setLevel(Level.OFF);
    TASKS.setLevel(Level.FINE);
    TASKS.setUseParentHandlers(false);
    TASKS.removeHandler(ONLY);
    TASKS.addHandler(ONLY);
  }

  @Override
  public void publish(LogRecord event) {
    Exhaustion.endIfExhausted(event.getThrown());
  }

  @Override
  public void flush() {}

  @Override
  public void close() {}
}
