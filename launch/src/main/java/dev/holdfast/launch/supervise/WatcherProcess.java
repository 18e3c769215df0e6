package dev.holdfast.launch.supervise;

import dev.holdfast.os.libc.ChildInput;
import dev.holdfast.os.libc.ChildOutput;
import dev.holdfast.os.libc.Reaper.Ended;
import dev.holdfast.os.libc.Signals;
import dev.holdfast.os.process.Children;
import dev.holdfast.os.process.Children.Child;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * One life of the process beside the supervisor: lines to it, lines from it, its end. Nobody waits
 * for it: lines to it queue up to a bound, and one that does not read them for too long is as good
 * as dead.
 */
final class WatcherProcess {
  private static final int MOST_WAITING = 10_000;
  private static final int STACK = 1 << 18;
  private static final String CLOSE = "";

  private final Children children;
  private final ChildInput input;
  private final ChildOutput output;
  private final LinkedBlockingQueue<String> lines = new LinkedBlockingQueue<>(MOST_WAITING);
  private volatile long writingSince;
  private long pid;
  private boolean outputOver;
  private Optional<Ended> ended = Optional.empty();

  private WatcherProcess(Children children, ChildInput input, ChildOutput output) {
    this.children = children;
    this.input = input;
    this.output = output;
  }

  /** What is told of it, each by a thread of its own. */
  interface Listener {
    void line(WatcherProcess from, String line);

    void garbled(WatcherProcess from, String what);

    /** Both its end was collected and all it wrote was told, or that takes too long. */
    void gone(WatcherProcess which, Ended how);
  }

  /** Starts it, on the thread that may do so. */
  static WatcherProcess start(
      Children children, List<String> command, Environment environment, Listener listener)
      throws IOException {
    ChildInput input = ChildInput.open();
    ChildOutput output;
    try {
      output = ChildOutput.open();
    } catch (IOException problem) {
      input.close();
      throw problem;
    }
    WatcherProcess watcher = new WatcherProcess(children, input, output);
    Child child =
        new Child(
            Environment.words(command),
            environment.lines(),
            new BitSet(),
            input.readEnd(),
            output.writeEnd(),
            2);
    try {
      watcher.pid = children.start(child, end -> watcher.collected(end, listener));
    } catch (IOException problem) {
      input.close();
      output.close();
      throw problem;
    }
    input.closeReadEnd();
    output.closeWriteEnd();
    thread("lines to the watcher", watcher::write);
    thread("orders of the watcher", () -> watcher.read(listener));
    return watcher;
  }

  long pid() {
    return pid;
  }

  /** False when it reads so slowly that it cannot be told any more. */
  boolean send(String line) {
    return lines.offer(line);
  }

  /** How many lines wait for it to read. */
  int waiting() {
    return lines.size();
  }

  /** Since when it has not read a line, by the monotonic clock; 0 when none waits. */
  long silentSince() {
    return writingSince;
  }

  /** Ends its input once it has read what was sent before. */
  void close() {
    lines.offer(CLOSE);
  }

  void kill() {
    children.signal(pid, Signals.KILL, true);
  }

  private void write() {
    try (input) {
      while (true) {
        String line = lines.take();
        if (line.equals(CLOSE)) {
          return;
        }
        writingSince = System.nanoTime();
        input.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        writingSince = 0;
      }
    } catch (IOException | InterruptedException over) {
      // It is gone, which is told by its end.
    } finally {
      writingSince = 0;
    }
  }

  private void read(Listener listener) {
    try {
      LineBuffer.readAll(output, Wire.LONGEST_LINE, this::dead, line -> listener.line(this, line));
    } catch (IllegalArgumentException problem) {
      listener.garbled(this, String.valueOf(problem.getMessage()));
    }
    over(listener);
  }

  private synchronized boolean dead() {
    return ended.isPresent();
  }

  private void collected(Ended end, Listener listener) {
    boolean tell;
    synchronized (this) {
      ended = Optional.of(end);
      tell = outputOver;
    }
    output.wake();
    lines.clear();
    lines.offer(CLOSE);
    if (tell) {
      listener.gone(this, end);
    }
  }

  private void over(Listener listener) {
    Optional<Ended> end;
    synchronized (this) {
      outputOver = true;
      end = ended;
    }
    end.ifPresent(it -> listener.gone(this, it));
  }

  private static void thread(String name, Runnable work) {
    Thread.ofPlatform().name(name).stackSize(STACK).daemon().start(work);
  }
}
