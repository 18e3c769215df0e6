package dev.holdfast.launch.supervise;

import dev.holdfast.os.libc.Reaper.Ended;
import dev.holdfast.os.process.Children;
import dev.holdfast.os.process.ProgramPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/**
 * The process beside the supervisor through all its lives. When it ends, writes what is no order or
 * reads no more, it is ended and started again, so often within a time; after that the ranks are on
 * their own. Methods belong to the deciding thread.
 */
final class Watcher implements WatcherProcess.Listener {
  private static final long SECOND = 1_000_000_000L;
  private static final long HUNG = 30 * SECOND;
  private static final int CROWDED = 1000;

  private final Loop loop;
  private final Children children;
  private final SupervisorOptions options;
  private final Environment environment;
  private final Wire wire;
  private final ConsoleQueue console;
  private final Restarts restarts;
  private final Semaphore outstanding = new Semaphore(1000);
  private IntConsumer ready = _ -> {};
  private Consumer<Order> orders = _ -> {};
  private Optional<WatcherProcess> process = Optional.empty();
  private long startAt = Long.MAX_VALUE;
  private int lives;
  private boolean lost;
  private boolean last;

  Watcher(
      Loop loop,
      Children children,
      SupervisorOptions options,
      Environment environment,
      Wire wire,
      ConsoleQueue console) {
    this.loop = loop;
    this.children = children;
    this.options = options;
    this.environment = environment;
    this.wire = wire;
    this.console = console;
    this.restarts = new Restarts(options.restarts(), options.restartWindow());
  }

  /**
   * @param whenReady sends a new one all it must know, given how many were before it
   * @param whenOrdered gets every order
   */
  void welcome(IntConsumer whenReady, Consumer<Order> whenOrdered) {
    this.ready = whenReady;
    this.orders = whenOrdered;
  }

  Optional<Long> pid() {
    return process.map(WatcherProcess::pid);
  }

  /** Whether it cannot be kept alive and is not tried again. */
  boolean lost() {
    return lost;
  }

  void restartNoMore() {
    last = true;
    startAt = Long.MAX_VALUE;
  }

  void start() {
    startAt = Long.MAX_VALUE;
    var _ =
        children
            .onStarter(
                () -> {
                  List<String> command = new ArrayList<>(options.watcher());
                  command.set(0, ProgramPath.require(command.getFirst(), environment.path()));
                  return WatcherProcess.start(children, command, environment, this);
                })
            .whenComplete(
                (started, problem) ->
                    loop.post(
                        () -> {
                          if (problem != null) {
                            again("cannot be started: " + problem.getMessage());
                          } else {
                            process = Optional.of(started);
                            started.send(options.firstLine());
                            ready.accept(lives++);
                          }
                        }));
  }

  void send(Event event) {
    process.ifPresent(
        it -> {
          boolean dispensable =
              it.waiting() > CROWDED
                  && (event instanceof Event.Output || event instanceof Event.ServiceLine);
          if (!dispensable && !it.send(wire.line(event))) {
            it.kill();
          }
        });
  }

  void close() {
    process.ifPresent(WatcherProcess::close);
  }

  void kill() {
    process.ifPresent(WatcherProcess::kill);
  }

  @Override
  public void line(WatcherProcess from, String line) {
    try {
      Order order = wire.order(line);
      outstanding.acquireUninterruptibly();
      loop.post(() -> obey(from, order));
    } catch (IllegalArgumentException problem) {
      garbled(from, String.valueOf(problem.getMessage()));
    }
  }

  private void obey(WatcherProcess from, Order order) {
    outstanding.release();
    if (process.isPresent() && process.get() == from) {
      orders.accept(order);
    }
  }

  @Override
  public void garbled(WatcherProcess from, String what) {
    loop.post(
        () -> {
          console.say("the watcher wrote what is no order and is started again: " + what);
          from.kill();
        });
  }

  @Override
  public void gone(WatcherProcess which, Ended how) {
    loop.post(
        () -> {
          if (process.isPresent() && process.get() == which) {
            process = Optional.empty();
            again(
                how.signal() > 0
                    ? "was ended by signal " + how.signal()
                    : "exited with " + how.exitCode());
          }
        });
  }

  private void again(String why) {
    if (last) {
      return;
    }
    long now = System.nanoTime();
    if (restarts.allow(now)) {
      console.say("the watcher " + why + "; it is started again, the ranks go on");
      startAt = now + options.restartPause().toNanos();
    } else {
      lost = true;
      console.say("the watcher " + why + " too often; the ranks go on unwatched");
    }
  }

  /** Does what is due and tells when to be called again at the latest. */
  long advance(long now) {
    if (now >= startAt) {
      start();
    }
    if (process.isPresent()) {
      long since = process.get().silentSince();
      if (since > 0) {
        if (now - since > HUNG) {
          console.say("the watcher has read nothing for 30 s and is started again");
          process.get().kill();
        }
        return Math.min(startAt, now + SECOND);
      }
    }
    return startAt;
  }
}
