package dev.holdfast.launch.supervise;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Lines on their way to the console. One thread writes them, whole; whoever has a line never waits.
 * A console that takes nothing (a terminal stopped with ^S, a reader of a pipe that sleeps) fills
 * the queue up to its bound, then lines are refused; one that is gone for good is left alone.
 */
final class ConsoleQueue {
  private static final long MOST_BYTES = 2 << 20;
  private static final int BATCH = 1 << 15;

  private final Console console;
  private final Consumer<String> trouble;
  private final LinkedBlockingQueue<Line> lines = new LinkedBlockingQueue<>();
  private final AtomicLong waiting = new AtomicLong();
  private volatile boolean broken;

  private record Line(boolean error, byte[] bytes) {}

  ConsoleQueue(Console console, Consumer<String> trouble) {
    this.console = console;
    this.trouble = trouble;
    Thread.ofPlatform().name("console").daemon().start(this::writeForEver);
  }

  /** Whether the line, its end included, will be shown; never waits. */
  boolean offer(boolean error, byte[] line) {
    if (broken || waiting.get() + line.length > MOST_BYTES) {
      return false;
    }
    waiting.addAndGet(line.length);
    return lines.add(new Line(error, line));
  }

  /** Something of our own to the operator. */
  void say(String message) {
    offer(true, ("holdfast: " + message + "\n").getBytes(StandardCharsets.UTF_8));
  }

  /** Waits until all is written, at most so long. */
  void drain(Duration within) throws InterruptedException {
    long end = System.nanoTime() + within.toNanos();
    while (waiting.get() > 0 && !broken && System.nanoTime() < end) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }

  private void writeForEver() {
    byte[] batch = new byte[BATCH];
    while (!broken) {
      try {
        write(lines.take(), batch);
      } catch (InterruptedException ignored) {
        // It ends with the process.
      } catch (IOException problem) {
        broken = true;
        lines.clear();
        trouble.accept("the console cannot be written any more: " + problem.getMessage());
      }
    }
  }

  /** Writes this line and those of the same stream behind it, as far as they fit. */
  private void write(Line first, byte[] batch) throws IOException {
    if (first.bytes().length > batch.length) {
      console.write(first.error(), first.bytes(), first.bytes().length);
      waiting.addAndGet(-first.bytes().length);
      return;
    }
    int length = 0;
    Line line = first;
    while (true) {
      System.arraycopy(line.bytes(), 0, batch, length, line.bytes().length);
      length += line.bytes().length;
      Line next = lines.peek();
      if (next == null
          || next.error() != first.error()
          || length + next.bytes().length > batch.length) {
        break;
      }
      line = lines.remove();
    }
    console.write(first.error(), batch, length);
    waiting.addAndGet(-length);
  }
}
