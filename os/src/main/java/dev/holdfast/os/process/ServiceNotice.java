package dev.holdfast.os.process;

import dev.holdfast.os.libc.LocalDatagram;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Tells whoever started this service how it is, as {@code sd_notify(3)} says: that it serves, that
 * it goes on, that it ends. That it goes on is said only while all threads live that must, so one
 * that does not has the service started again.
 *
 * <p>Its thread is also the witness the {@link Heartbeats} need, with or without a service manager.
 */
public final class ServiceNotice implements AutoCloseable {
  private static final Duration PACE = Duration.ofSeconds(1);

  private final String socket;
  private final boolean watched;
  private final Heartbeats heartbeats;
  private final Consumer<String> messages;
  private final Thread witness;
  private volatile boolean serves;
  private boolean told;
  private String said = "";
  private boolean unheard;
  private boolean ending;

  /**
   * @param environment names the socket, if there is one, and whether it waits to hear of us
   * @param messages for who watches the process
   */
  public ServiceNotice(
      Map<String, String> environment, Heartbeats heartbeats, Consumer<String> messages) {
    this.socket = environment.getOrDefault("NOTIFY_SOCKET", "");
    String who = environment.getOrDefault("WATCHDOG_PID", "");
    this.watched =
        !environment.getOrDefault("WATCHDOG_USEC", "").isEmpty()
            && (who.isEmpty() || who.equals(Long.toString(ProcessHandle.current().pid())));
    this.heartbeats = heartbeats;
    this.messages = messages;
    this.witness = Thread.ofPlatform().name("witness").daemon().unstarted(this::work);
  }

  public void start() {
    heartbeats.expect("witness", witness);
    witness.start();
  }

  /** From now on it does what it was started for. */
  public void ready() {
    serves = true;
    look();
  }

  private void work() {
    try {
      while (true) {
        look();
        Thread.sleep(PACE);
      }
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
    }
  }

  /** Looks at the threads once and says what follows. */
  synchronized void look() {
    if (ending) {
      return;
    }
    List<Heartbeats.Late> late = heartbeats.late();
    String now = late.stream().map(Heartbeats.Late::thread).collect(Collectors.joining(", "));
    if (!now.equals(said)) {
      messages.accept(
          late.isEmpty()
              ? "all threads make progress again"
              : late.stream().map(Object::toString).collect(Collectors.joining("; ")));
      said = now;
    }
    if (serves && !told) {
      told = say("READY=1");
    }
    if (watched && late.isEmpty()) {
      say("WATCHDOG=1");
    }
  }

  private boolean say(String what) {
    if (socket.isEmpty()) {
      return true;
    }
    try {
      LocalDatagram.send(socket, what);
      return true;
    } catch (IOException problem) {
      if (!unheard) {
        messages.accept("the service manager does not hear " + what + ": " + problem.getMessage());
        unheard = true;
      }
      return false;
    }
  }

  /** It ends, and so do its threads. */
  @Override
  public synchronized void close() {
    if (!ending) {
      ending = true;
      witness.interrupt();
      say("STOPPING=1");
    }
  }
}
