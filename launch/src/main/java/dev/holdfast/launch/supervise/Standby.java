package dev.holdfast.launch.supervise;

import dev.holdfast.os.libc.ChildInput;
import dev.holdfast.os.libc.ChildOutput;
import dev.holdfast.os.libc.Reaper.Ended;
import dev.holdfast.os.libc.Signals;
import dev.holdfast.os.libc.Spawn;
import dev.holdfast.os.process.Children;
import dev.holdfast.os.process.Children.Child;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A process that was started as a rank is, by the same command in the same place, and waits before
 * the program's first line until it becomes one. It is given what is missing of its environment,
 * answers that it has it, and only then is told to go: before that word it has done nothing that
 * anybody could notice, and may be killed without a loss; after it, it is a rank like any other.
 *
 * <p>What it wrote while it got ready stays in its pipes, for the logs of the rank.
 */
final class Standby {
  /** What it is to get ready; see python/sitecustomize/holdfast_warm.py. */
  static final String VARIABLE = "HOLDFAST_STANDBY";

  private static final int LONGEST_LINE = 1 << 14;
  private static final int STACK = 1 << 18;
  private static final String CLOSE = "";

  final RankSpec spec;

  /** What it was started with, as far as a rank of its place has it too. */
  final Environment environment;

  private final Listener listener;
  private final LinkedBlockingQueue<String> lines = new LinkedBlockingQueue<>();
  private @Nullable Children children;
  private @Nullable ChildOutput output;
  private @Nullable ChildOutput errors;
  private volatile long pid;

  // Of the deciding thread.
  boolean ready;
  long readyBy;
  String module = "";
  String why = "";

  // Guarded by this.
  private Optional<Ended> ended = Optional.empty();
  private Optional<Consumer<Ended>> heir = Optional.empty();
  private boolean silent;
  private boolean unwanted;

  /** Who is told; on threads of the standby's own. */
  interface Listener {
    void line(Standby from, String line);

    /** It died without having become a rank, and all it said was handed on. */
    void gone(Standby which, Ended how);
  }

  /** The streams a rank inherits. */
  record Streams(ChildOutput output, ChildOutput errors) {}

  Standby(RankSpec spec, Environment environment, Listener listener) {
    this.spec = spec;
    this.environment = environment;
    this.listener = listener;
  }

  /** Starts it, on the thread that may do so. */
  void begin(Children by, List<byte[]> command, Environment all, BitSet cpus) throws IOException {
    ChildInput orders = ChildInput.open();
    ChildOutput answers = ChildOutput.open();
    ChildOutput out = ChildOutput.open();
    ChildOutput err = ChildOutput.open();
    List<Integer> line = List.of(orders.readEnd(), answers.writeEnd());
    Child child =
        new Child(command, all.lines(), cpus, Spawn.NOTHING, out.writeEnd(), err.writeEnd(), line);
    children = by;
    output = out;
    errors = err;
    try {
      pid = by.start(child, end -> collected(end, answers));
    } catch (IOException | RuntimeException problem) {
      orders.close();
      answers.close();
      out.close();
      err.close();
      throw problem;
    }
    orders.closeReadEnd();
    List.of(answers, out, err).forEach(ChildOutput::closeWriteEnd);
    thread("orders to standby " + spec.localRank(), () -> write(orders));
    thread("answers of standby " + spec.localRank(), () -> read(answers));
    synchronized (this) {
      if (unwanted) {
        kill();
      }
    }
  }

  /** Its process number; 0: not started yet. */
  long pid() {
    return pid;
  }

  void send(String line) {
    lines.add(line);
  }

  /**
   * From now on it is a rank; false when it died before.
   *
   * @param whenEnded told of its end in our place
   */
  synchronized boolean go(Consumer<Ended> whenEnded) {
    if (ended.isPresent() || unwanted) {
      return false;
    }
    heir = Optional.of(whenEnded);
    lines.add("go");
    lines.add(CLOSE);
    return true;
  }

  /** For the rank it became. */
  Streams streams() {
    if (output == null || errors == null) {
      throw new IllegalStateException("not started");
    }
    return new Streams(output, errors);
  }

  /** Ends it, unless it is a rank by now. */
  synchronized void kill() {
    unwanted = true;
    if (pid > 0 && children != null && heir.isEmpty()) {
      children.signal(pid, Signals.KILL, true);
    }
  }

  /** Nobody will read its streams. */
  private void close() {
    if (output != null && errors != null) {
      output.close();
      errors.close();
    }
  }

  private void write(ChildInput orders) {
    try (orders) {
      for (String line = lines.take(); !line.equals(CLOSE); line = lines.take()) {
        orders.write((line + "\n").getBytes(StandardCharsets.UTF_8));
      }
    } catch (IOException | InterruptedException over) {
      // It is gone, which is told by its end.
    }
  }

  private void read(ChildOutput answers) {
    try {
      LineBuffer.readAll(answers, LONGEST_LINE, this::dead, line -> listener.line(this, line));
    } catch (IllegalArgumentException garbled) {
      kill();
    }
    over();
  }

  private synchronized boolean dead() {
    return ended.isPresent();
  }

  private void collected(Ended end, ChildOutput answers) {
    Optional<Consumer<Ended>> told;
    boolean tell;
    synchronized (this) {
      ended = Optional.of(end);
      told = heir;
      tell = silent;
    }
    answers.wake();
    lines.clear();
    lines.add(CLOSE);
    if (told.isPresent()) {
      told.get().accept(end);
    } else if (tell) {
      gone(end);
    }
  }

  private void over() {
    Optional<Ended> end;
    synchronized (this) {
      silent = true;
      end = heir.isPresent() ? Optional.empty() : ended;
    }
    end.ifPresent(this::gone);
  }

  private void gone(Ended how) {
    close();
    listener.gone(this, how);
  }

  private static void thread(String name, Runnable work) {
    Thread.ofPlatform().name(name).stackSize(STACK).daemon().start(work);
  }
}
