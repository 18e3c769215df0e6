package dev.holdfast.launch.supervise;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * The supervisor as the process beside it sees it: events come in on standard input, orders go out
 * on standard output. The end of the input means that the supervisor is gone.
 */
public final class SupervisorLink {
  private static final int CHUNK = 1 << 16;

  private final InputStream input;
  private final OutputStream output;
  private final Wire wire = new Wire();
  private final LineBuffer buffer = new LineBuffer(Wire.LONGEST_LINE);
  private final Deque<String> lines = new ArrayDeque<>();
  private final ReentrantLock sending = new ReentrantLock();

  /**
   * @param input standard input, from the start on
   * @param output standard output; nothing else may be written there
   */
  public SupervisorLink(InputStream input, OutputStream output) {
    this.input = input;
    this.output = output;
  }

  /** What the supervisor was given for us, before all events; waits for it. */
  public String firstLine() throws IOException {
    while (lines.isEmpty()) {
      if (!more()) {
        throw new IOException("the supervisor ended before it said what to do");
      }
    }
    return lines.removeFirst();
  }

  /**
   * Hands every event to the consumer, one at a time, from a thread of its own; then, once, tells
   * that the supervisor is gone. A line that is no event counts as that too. The thread keeps the
   * process alive until that was told: whatever else fails, what is left of the ranks can be ended.
   */
  public void listen(Consumer<Event> consumer, Consumer<String> gone) {
    Thread.ofPlatform().name("events of the supervisor").start(() -> read(consumer, gone));
  }

  private void read(Consumer<Event> consumer, Consumer<String> gone) {
    String why = "the supervisor is gone";
    try {
      do {
        while (!lines.isEmpty()) {
          hand(wire.event(lines.removeFirst()), consumer);
        }
      } while (more());
    } catch (IOException | IllegalArgumentException problem) {
      why = "the supervisor cannot be understood: " + problem.getMessage();
    }
    gone.accept(why);
  }

  /** A consumer that fails is told of like any thread that does, and hears the next event too. */
  private static void hand(Event event, Consumer<Event> consumer) {
    try {
      consumer.accept(event);
    } catch (RuntimeException problem) {
      Thread self = Thread.currentThread();
      self.getUncaughtExceptionHandler().uncaughtException(self, problem);
    }
  }

  private boolean more() throws IOException {
    byte[] chunk = new byte[CHUNK];
    int count = input.read(chunk);
    if (count < 0) {
      return false;
    }
    lines.addAll(buffer.add(chunk, count));
    return true;
  }

  /** Sends an order; any thread may. Fails when the supervisor is gone. */
  public void send(Order order) throws IOException {
    sending.lock();
    try {
      output.write((wire.line(order) + "\n").getBytes(StandardCharsets.UTF_8));
      output.flush();
    } finally {
      sending.unlock();
    }
  }
}
