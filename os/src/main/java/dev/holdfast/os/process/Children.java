package dev.holdfast.os.process;

import dev.holdfast.os.libc.CpuAffinity;
import dev.holdfast.os.libc.Reaper;
import dev.holdfast.os.libc.Reaper.Ended;
import dev.holdfast.os.libc.Signals;
import dev.holdfast.os.libc.Spawn;
import java.io.IOException;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;

/**
 * All children of this process: who starts them, who is told how they ended, who may signal them.
 *
 * <p>One thread starts them and never ends, because the kernel sends a parent-death signal when the
 * thread that started a child ends. Another collects every child that dies, also those the kernel
 * hands us because their parent died (we may be the first process of a container). A number is
 * given to nobody else until the dead child is collected, and a child is collected under the lock
 * under which it is started and signalled: no signal can reach a stranger.
 *
 * <p>Nothing else in a process that has this may start children: their ends would be taken away.
 */
public final class Children {
  private final LinkedBlockingQueue<Runnable> work = new LinkedBlockingQueue<>();
  private final Map<Long, Consumer<Ended>> listeners = new HashMap<>();
  private final Object lock = new Object();

  /**
   * A program to start.
   *
   * @param words the absolute path of the program and its arguments
   * @param environment all of it, as {@code name=value}
   * @param cpus where it may run; empty: as this process
   * @param input which descriptor it gets, {@link Spawn#NOTHING} for none
   * @param more further descriptors it gets, as 3, 4 and so on
   */
  public record Child(
      List<byte[]> words,
      List<byte[]> environment,
      BitSet cpus,
      int input,
      int output,
      int error,
      List<Integer> more) {
    public Child {
      more = List.copyOf(more);
    }

    public Child(
        List<byte[]> words,
        List<byte[]> environment,
        BitSet cpus,
        int input,
        int output,
        int error) {
      this(words, environment, cpus, input, output, error, List.of());
    }
  }

  private Children() {}

  /** Takes charge of all children of this process; once in its life. */
  public static Children take() {
    Children children = new Children();
    Thread.ofPlatform().name("children start").daemon().start(children::startForEver);
    Thread.ofPlatform().name("children end").daemon().start(children::collectForEver);
    return children;
  }

  /** Has something done by the thread that starts children, and nothing else meanwhile. */
  public <T> CompletableFuture<T> onStarter(Starting<T> starting) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    work.add(
        () -> {
          try {
            answer.complete(starting.run());
          } catch (IOException | RuntimeException | Error problem) {
            answer.completeExceptionally(problem);
          }
        });
    return answer;
  }

  /** What may start children. */
  @FunctionalInterface
  public interface Starting<T> {
    T run() throws IOException;
  }

  /**
   * Starts a child, inside {@link #onStarter} only.
   *
   * @param ended told once, from the thread that collects; must return at once
   */
  public long start(Child child, Consumer<Ended> ended) throws IOException {
    Optional<BitSet> before = Optional.empty();
    if (!child.cpus().isEmpty()) {
      before = Optional.of(CpuAffinity.current());
      CpuAffinity.bind(child.cpus());
    }
    try {
      synchronized (lock) {
        long pid =
            Spawn.start(
                child.words(),
                child.environment(),
                child.input(),
                child.output(),
                child.error(),
                child.more());
        listeners.put(pid, ended);
        lock.notifyAll();
        return pid;
      }
    } finally {
      if (before.isPresent()) {
        CpuAffinity.bind(before.get());
      }
    }
  }

  /** Signals a child of ours, itself or its group; nobody when it was collected already. */
  public boolean signal(long pid, int signal, boolean group) {
    synchronized (lock) {
      return listeners.containsKey(pid) && Signals.send(group ? -pid : pid, signal);
    }
  }

  private void startForEver() {
    while (true) {
      try {
        work.take().run();
      } catch (InterruptedException ignored) {
        // Nobody ends this thread: the children would die with it.
      }
    }
  }

  private void collectForEver() {
    while (true) {
      Optional<Ended> ended = Reaper.await();
      Consumer<Ended> listener = _ -> {};
      synchronized (lock) {
        if (ended.isEmpty()) {
          waitForChild();
          continue;
        }
        Reaper.collect(ended.get().pid());
        Consumer<Ended> known = listeners.remove(ended.get().pid());
        listener = known == null ? listener : known;
      }
      tell(listener, ended.get());
    }
  }

  /** A listener that fails must not end the thread: nobody would be collected any more. */
  private static void tell(Consumer<Ended> listener, Ended ended) {
    try {
      listener.accept(ended);
    } catch (RuntimeException | Error problem) {
      Thread.UncaughtExceptionHandler handler =
          Thread.currentThread().getUncaughtExceptionHandler();
      handler.uncaughtException(Thread.currentThread(), problem);
    }
  }

  /** Without children there are no descendants, and nobody can be handed to us either. */
  private void waitForChild() {
    try {
      while (listeners.isEmpty()) {
        lock.wait();
      }
    } catch (InterruptedException ignored) {
      // As above.
    }
  }
}
