package dev.holdfast.launch.supervise;

import dev.holdfast.os.process.Children;
import dev.holdfast.os.process.OutsideSignals;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The process that holds the ranks. It starts, stops and kills, keeps what they write, and tells
 * the process beside it what happens; that one decides. It may crash, hang or write nonsense: it is
 * started again and the ranks do not notice.
 *
 * <p>One thread decides everything here, on state nobody else touches; other threads only read from
 * pipes, write to files and the console, and start and collect children. Nothing the deciding
 * thread does can wait for a disk, a terminal or another process.
 */
public final class Supervisor {
  private static final long SECOND = 1_000_000_000L;
  private static final Duration LAST_GRACE = Duration.ofSeconds(5);
  private static final long WATCHER_GRACE = 5 * SECOND;

  private final Loop loop = new Loop();
  private final ConsoleQueue console;
  private final Asking asking;
  private final Lease lease = new Lease();
  private final Kept kept = new Kept();
  private final Standbys standbys;
  private final Ranks ranks;
  private final Services services;
  private final Watcher watcher;
  private Optional<Integer> exitCode = Optional.empty();
  private long watcherDeadline = Long.MAX_VALUE;
  private boolean ownEnd;
  private long nextOutput;

  private Supervisor(SupervisorOptions options, Children children) {
    this.asking = new Asking(options.grace());
    this.console =
        new ConsoleQueue(options.console(), what -> loop.post(() -> emit(new Event.Trouble(what))));
    Environment own = Environment.own();
    Holding holding = Holding.find(options.means(), children, own);
    String token = token();
    Remains remains = new Remains(Remains.HELD_BY + "=" + token, holding.groups());
    Environment marked = own.with(Map.of(Remains.HELD_BY, token));
    Environment ranksOwn = marked.withoutTokens();
    this.watcher =
        new Watcher(
            loop,
            children,
            options,
            own.with(options.environment()).with(remains.variables()),
            new Wire(),
            console);
    Descent descent = new Descent(holding.adopting(), remains.mark(), this::others);
    RankStarter starter =
        new RankStarter(
            children,
            holding,
            ranksOwn,
            console,
            options,
            what -> loop.post(() -> emit(new Event.Trouble(what))));
    this.standbys = new Standbys(loop, children, holding, ranksOwn, this::emit);
    this.ranks = new Ranks(loop, children, starter, standbys, descent, this::emit);
    this.services = new Services(loop, children, holding, marked, this::emit);
    watcher.welcome(
        earlier -> {
          watcher.send(
              new Event.Ready(
                  earlier,
                  ranks.attempt(),
                  ranks.states(),
                  services.names(),
                  holding.guarantee(),
                  kept.all()));
          services.lines().forEach(watcher::send);
          standbys.ready().forEach(watcher::send);
          asking.signal().ifPresent(signal -> watcher.send(new Event.Asked(signal)));
        },
        this::obey);
  }

  /** Runs until all is over and tells what to exit with. Once in the life of a process. */
  public static int run(SupervisorOptions options) {
    Supervisor supervisor = new Supervisor(options, Children.take());
    OutsideSignals.listen(
            signal -> supervisor.loop.post(() -> supervisor.asked(signal, System.nanoTime())))
        .forEach(refused -> supervisor.console.say("no signal " + refused));
    return supervisor.loop();
  }

  private static String token() {
    ProcessHandle self = ProcessHandle.current();
    long start = self.info().startInstant().map(it -> it.toEpochMilli()).orElse(0L);
    return self.pid() + "-" + start;
  }

  private Set<Long> others() {
    Set<Long> others = new HashSet<>(services.pids());
    others.addAll(standbys.pids());
    watcher.pid().ifPresent(others::add);
    return others;
  }

  private int loop() {
    watcher.start();
    while (true) {
      try {
        long now = System.nanoTime();
        long again = advance(now);
        if (exitCode.isPresent() && over(now)) {
          return end();
        }
        Runnable task = loop.next(again - System.nanoTime());
        // After a time in which we were stopped nothing comes before the lease.
        checkLease(System.nanoTime());
        task.run();
      } catch (RuntimeException | Error defect) {
        survive(defect);
      }
    }
  }

  /** The ranks outlive a defect of ours, and too little memory too. */
  private void survive(Throwable defect) {
    try {
      console.say("a defect in the supervisor, the ranks go on: " + defect);
      TimeUnit.MILLISECONDS.sleep(100);
    } catch (InterruptedException | Error ignored) {
      // There is nobody left to tell.
    }
  }

  private int end() {
    watcher.kill();
    try {
      console.drain(Duration.ofSeconds(1));
    } catch (InterruptedException ignored) {
      Thread.currentThread().interrupt();
    }
    return exitCode.orElse(1);
  }

  private void checkLease(long now) {
    if (lease.lost(now) && ranks.present()) {
      int attempt = ranks.attempt();
      ranks.kill(now);
      emit(new Event.LeaseLost(attempt));
    }
  }

  private long advance(long now) {
    checkLease(now);
    long again = Math.min(lease.deadline(), now + 60 * SECOND);
    again = Math.min(again, ranks.advance(now));
    again = Math.min(again, services.advance(now));
    again = Math.min(again, standbys.advance(now));
    again = Math.min(again, watcher.advance(now));
    again = Math.min(again, watcherDeadline);
    if (ranks.present()) {
      if (now >= nextOutput) {
        ranks.tellOutput();
        nextOutput = now + SECOND;
      }
      again = Math.min(again, nextOutput);
    }
    if (!ownEnd) {
      if (now >= asking.ownEndAt()) {
        endOurselves(now);
      }
      again = Math.min(again, asking.ownEndAt());
    }
    if (watcher.lost() && exitCode.isEmpty()) {
      withoutWatcher(now);
    }
    return exitCode.isPresent() ? Math.min(again, now + SECOND / 20) : again;
  }

  /** Nobody decides any more: the ranks go on until one fails or all are done. */
  private void withoutWatcher(long now) {
    if (!ranks.present()) {
      finish(3, now);
    } else if (ranks.anyFailed()) {
      finish(1, now);
    } else if (ranks.allEnded()) {
      finish(0, now);
    }
  }

  private void asked(int signal, long now) {
    switch (asking.on(signal, now)) {
      case NOTHING -> {}
      case KILL -> {
        ownEnd = true;
        ranks.kill(now);
        finish(128 + asking.signal().orElse(signal), now);
      }
      case TELL -> {
        emit(new Event.Asked(signal));
        if (watcher.lost()) {
          ownEnd = true;
          ranks.stop(ranks.attempt(), asking.own(), now);
          finish(128 + signal, now);
        }
      }
    }
  }

  private void endOurselves(long now) {
    ownEnd = true;
    if (ranks.present()) {
      if (ranks.stopping()) {
        ranks.kill(now);
      } else {
        ranks.stop(ranks.attempt(), asking.lastGrace(), now);
      }
    }
    finish(128 + asking.signal().orElse(15), now);
  }

  private void obey(Order order) {
    long now = System.nanoTime();
    switch (order) {
      case Order.Start start -> {
        if (exitCode.isEmpty()) {
          lease.renewAfterLoss(now);
          ranks.start(start);
        }
      }
      case Order.Prepare prepare -> {
        if (exitCode.isEmpty()) {
          standbys.prepare(prepare, now);
        }
      }
      case Order.Dismiss _ -> standbys.dismiss(now);
      case Order.Stop stop -> ranks.stop(stop.attempt(), stop.grace(), now);
      case Order.Signal signal -> ranks.signal(signal);
      case Order.Lease renewal -> lease.renew(renewal.untilNanos(), now);
      case Order.Keep keep -> kept.put(keep);
      case Order.StartService service -> {
        if (exitCode.isEmpty()) {
          services.start(service);
        }
      }
      case Order.StopService service -> services.stop(service.name(), now);
      case Order.Finish finish -> {
        finish(finish.exitCode(), now);
        exitCode = Optional.of(finish.exitCode());
      }
    }
  }

  /** Ends all; the code is that of the first to say so, unless the process beside us says one. */
  private void finish(int code, long now) {
    if (exitCode.isPresent()) {
      return;
    }
    exitCode = Optional.of(code);
    watcher.restartNoMore();
    standbys.dismiss(now);
    if (ranks.present() && !ranks.stopping()) {
      ranks.stop(ranks.attempt(), LAST_GRACE, now);
    }
  }

  /** Ranks first, then what they may need, then the one who wants to know of both. */
  private boolean over(long now) {
    if (ranks.present()) {
      return false;
    }
    if (!standbys.none(now)) {
      return false;
    }
    if (!services.none()) {
      services.stopAll(now);
      return false;
    }
    if (watcher.pid().isEmpty()) {
      return true;
    }
    if (watcherDeadline == Long.MAX_VALUE) {
      watcher.close();
      watcherDeadline = now + (ownEnd ? SECOND : WATCHER_GRACE);
    }
    return now >= watcherDeadline;
  }

  private void emit(Event event) {
    if (event instanceof Event.Trouble trouble && watcher.lost()) {
      console.say(trouble.what());
    }
    watcher.send(event);
  }
}
