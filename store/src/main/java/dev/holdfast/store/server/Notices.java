package dev.holdfast.store.server;

import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a store has to say, said by a thread of its own: those that serve never wait for a terminal
 * or a full pipe. Of each kind a few lines are said at once and the rest are counted, so that a
 * port scan or a thousand ranks that are killed together do not bury what matters.
 */
public final class Notices implements AutoCloseable {
  private static final int LINES = 5;
  private static final long WINDOW_NANOS = 10_000_000_000L;
  private static final int QUEUED = 256;
  private static final String WAKE_UP = "";

  private final Consumer<String> log;
  private final LongSupplier nanos;
  private final BlockingQueue<String> queue = new ArrayBlockingQueue<>(QUEUED);
  private final Map<String, Window> windows = new ConcurrentHashMap<>();
  private final CompletableFuture<Throwable> failure = new CompletableFuture<>();
  private final Thread thread;
  private volatile boolean closing;

  /** What was said of one kind since a moment, and how much was only counted. */
  private static final class Window {
    private long since;
    private int said;
    private long more;

    synchronized boolean mayBeSaid(long now) {
      if (more == 0 && now - since >= WINDOW_NANOS) {
        since = now;
        said = 0;
      }
      if (said < LINES) {
        said++;
        return true;
      }
      more++;
      return false;
    }

    synchronized void uncounted() {
      more++;
    }

    /** How many were counted, once the time is up, and begins anew. */
    synchronized long counted(long now, boolean atOnce) {
      if (more == 0 || !atOnce && now - since < WINDOW_NANOS) {
        return 0;
      }
      long count = more;
      more = 0;
      // While it goes on, one count after the other and no more examples.
      since = now;
      return count;
    }
  }

  public Notices(Consumer<String> log, LongSupplier nanos) {
    this.log = log;
    this.nanos = nanos;
    // Loads the class now: without a free descriptor, which is one thing to tell of, it cannot be.
    windows.put("", fresh());
    this.thread = Thread.ofPlatform().daemon().name("store log").start(this::run);
  }

  /** Has a line said, or counted where there were many of its kind; never waits. */
  public void tell(String kind, Supplier<String> line) {
    Window window = windows.computeIfAbsent(kind, _ -> fresh());
    if (window.mayBeSaid(nanos.getAsLong()) && !queue.offer(line.get())) {
      window.uncounted();
    }
  }

  private Window fresh() {
    Window window = new Window();
    window.since = nanos.getAsLong();
    return window;
  }

  private void run() {
    try {
      while (!closing) {
        say(queue.poll(1, TimeUnit.SECONDS));
        sayCounts(false);
      }
      for (String line = queue.poll(); line != null; line = queue.poll()) {
        say(line);
      }
      sayCounts(true);
    } catch (InterruptedException nobodyDoes) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error defect) {
      failure.complete(defect);
    }
  }

  private void say(@Nullable String line) {
    if (line != null && !line.equals(WAKE_UP)) {
      log.accept(line);
    }
  }

  private void sayCounts(boolean atOnce) {
    windows.forEach(
        (kind, window) -> {
          long count = window.counted(nanos.getAsLong(), atOnce);
          if (count > 0) {
            log.accept("and %d more like it (%s)".formatted(count, kind));
          }
        });
  }

  /** Completed when the log itself fails: a store nobody hears is not one to trust. */
  public CompletableFuture<Throwable> failure() {
    return failure;
  }

  /** Says what is left, within five seconds. */
  @Override
  public void close() {
    closing = true;
    queue.offer(WAKE_UP);
    try {
      thread.join(5000);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
