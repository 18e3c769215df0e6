package dev.holdfast.launch.supervise;

import dev.holdfast.launch.supervise.Attempt.Phase;
import dev.holdfast.launch.supervise.Event.RankState;
import dev.holdfast.os.libc.Reaper.Ended;
import dev.holdfast.os.libc.Signals;
import dev.holdfast.os.process.Children;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The ranks of the attempt there is, from their start to the moment nobody of them is left. All
 * methods belong to the deciding thread.
 */
final class Ranks {
  private static final long SCAN_PAUSE = 50_000_000L;
  private static final long DRAIN = 2_000_000_000L;
  private static final long STUCK = 5_000_000_000L;

  private final Loop loop;
  private final Children children;
  private final RankStarter starter;
  private final Standbys standbys;
  private final Descent descent;
  private final Consumer<Event> events;
  private Optional<Attempt> current = Optional.empty();

  Ranks(
      Loop loop,
      Children children,
      RankStarter starter,
      Standbys standbys,
      Descent descent,
      Consumer<Event> events) {
    this.loop = loop;
    this.children = children;
    this.starter = starter;
    this.standbys = standbys;
    this.descent = descent;
    this.events = events;
  }

  /** Whether processes of an attempt may be there. */
  boolean present() {
    return current.isPresent();
  }

  /** Whether their end was ordered. */
  boolean stopping() {
    return current.map(attempt -> attempt.stopOrdered).orElse(false);
  }

  boolean allEnded() {
    return current.map(Attempt::allTold).orElse(true);
  }

  /** Whether a rank ended badly that was not told to end. */
  boolean anyFailed() {
    return current.stream()
        .flatMap(attempt -> attempt.ranks.stream())
        .anyMatch(rank -> rank.end.map(end -> end.how().exitCode() != 0).orElse(false));
  }

  int attempt() {
    return current.map(attempt -> attempt.number).orElse(-1);
  }

  List<RankState> states() {
    return current.stream()
        .filter(attempt -> attempt.phase != Phase.STARTING)
        .flatMap(attempt -> attempt.ranks.stream())
        .map(Rank::state)
        .toList();
  }

  void start(Order.Start order) {
    if (current.isPresent()) {
      Attempt before = current.get();
      if (!before.allTold() || before.phase == Phase.STARTING || !left(before).isEmpty()) {
        int rank = order.ranks().isEmpty() ? -1 : order.ranks().getFirst().rank();
        String why = "processes of attempt " + before.number + " are still there";
        events.accept(new Event.NotStarted(order.attempt(), rank, why));
        return;
      }
      forget(before);
    }
    LogTroubles troubles =
        new LogTroubles(what -> loop.post(() -> events.accept(new Event.Trouble(what))));
    Attempt attempt = new Attempt(order.attempt(), order.ranks(), troubles);
    current = Optional.of(attempt);
    standbys.handOver(attempt.ranks, System.nanoTime(), () -> begin(attempt));
  }

  private void begin(Attempt attempt) {
    var _ =
        children
            .onStarter(
                () -> {
                  starter.start(attempt, (rank, end) -> collected(attempt, rank, end));
                  return attempt;
                })
            .whenComplete((_, problem) -> loop.post(() -> started(attempt, problem)));
  }

  /** From the thread that collects: what was so at that moment is kept for later. */
  private void collected(Attempt attempt, Rank rank, Ended how) {
    Rank.End end =
        new Rank.End(how, attempt.stopOrdered, System.currentTimeMillis(), System.nanoTime());
    loop.post(() -> ended(attempt, rank, end));
  }

  private void started(Attempt attempt, @Nullable Throwable problem) {
    if (problem != null) {
      attempt.failure = Optional.of(new Attempt.Failure(-1, String.valueOf(problem)));
    }
    standbys.adopted(attempt.ranks);
    attempt.phase = Phase.RUNNING;
    if (attempt.failure.isPresent()) {
      kill(System.nanoTime());
      return;
    }
    for (Rank rank : attempt.ranks) {
      events.accept(new Event.Started(attempt.number, rank.spec.rank(), rank.pid, rank.warm));
    }
    for (Rank rank : attempt.ranks) {
      if (rank.end.isPresent()) {
        drain(attempt, rank);
      }
    }
    if (attempt.stopOrdered) {
      terminate(attempt);
    }
  }

  private void ended(Attempt attempt, Rank rank, Rank.End end) {
    rank.end = Optional.of(end);
    if (attempt.phase != Phase.STARTING) {
      drain(attempt, rank);
    }
  }

  private void drain(Attempt attempt, Rank rank) {
    Runnable then = () -> loop.post(() -> tell(attempt, rank));
    rank.output.ifPresent(pump -> pump.drain(then));
    rank.errors.ifPresent(pump -> pump.drain(then));
    tell(attempt, rank);
  }

  /** Tells of the end of a rank once what it wrote is in its files, or that takes too long. */
  private void tell(Attempt attempt, Rank rank) {
    if (rank.told || rank.end.isEmpty() || current.isEmpty() || current.get() != attempt) {
      return;
    }
    Rank.End end = rank.end.get();
    if (rank.drained() || System.nanoTime() - end.atNanos() > DRAIN) {
      rank.told = true;
      if (attempt.failure.isEmpty()) {
        output(attempt, rank);
        events.accept(
            new Event.Exited(
                attempt.number,
                rank.spec.rank(),
                end.how().exitCode(),
                end.how().signal(),
                end.stoppedByUs(),
                end.atMillis()));
      }
    }
  }

  void signal(Order.Signal order) {
    for (Rank rank : current.map(it -> it.ranks).orElse(List.of())) {
      if (rank.spec.rank() == order.rank() && rank.pid > 0) {
        children.signal(rank.pid, order.signal(), false);
      }
    }
  }

  /** TERM now, KILL after the grace; told when nobody is left. */
  void stop(int number, Duration grace, long now) {
    if (current.isEmpty() || current.get().number != number) {
      events.accept(new Event.Stopped(number, List.of()));
      return;
    }
    Attempt attempt = current.get();
    boolean first = !attempt.stopOrdered;
    attempt.stopOrdered = true;
    attempt.killAt = Math.min(attempt.killAt, now + grace.toNanos());
    if (first && attempt.phase == Phase.RUNNING) {
      terminate(attempt);
    }
  }

  private void terminate(Attempt attempt) {
    attempt.phase = Phase.STOPPING;
    Set<Long> reached = new HashSet<>();
    for (Rank rank : attempt.ranks) {
      if (children.signal(rank.pid, Signals.TERMINATE, true)) {
        // One that was stopped can act on it only when it goes on.
        children.signal(rank.pid, Signals.CONTINUE, true);
        reached.add(rank.pid);
      }
    }
    for (var row : descent.of(attempt)) {
      if (!reached.contains(row.group())) {
        Signals.send(row.pid(), Signals.TERMINATE);
      }
    }
  }

  /** KILL to all, now. */
  void kill(long now) {
    if (current.isEmpty()) {
      return;
    }
    Attempt attempt = current.get();
    attempt.stopOrdered = true;
    attempt.killAt = Math.min(attempt.killAt, now);
    if (attempt.phase == Phase.STARTING || attempt.phase == Phase.KILLING) {
      return;
    }
    attempt.phase = Phase.KILLING;
    attempt.killedAt = now;
    killAll(attempt);
  }

  private void killAll(Attempt attempt) {
    attempt.group.ifPresent(Cgroups::kill);
    for (Rank rank : attempt.ranks) {
      if (rank.pid > 0) {
        children.signal(rank.pid, Signals.KILL, true);
      }
    }
    for (long pid : left(attempt)) {
      Signals.send(pid, Signals.KILL);
    }
  }

  private List<Long> left(Attempt attempt) {
    return descent.of(attempt).stream().map(row -> row.pid()).toList();
  }

  /** Does what is due and tells when to be called again at the latest. */
  long advance(long now) {
    if (current.isEmpty()) {
      return Long.MAX_VALUE;
    }
    Attempt attempt = current.get();
    long again = Long.MAX_VALUE;
    for (Rank rank : attempt.ranks) {
      if (rank.end.isPresent() && !rank.told && attempt.phase != Phase.STARTING) {
        tell(attempt, rank);
        again = now + SCAN_PAUSE;
      }
    }
    if (attempt.phase == Phase.STOPPING || attempt.phase == Phase.RUNNING) {
      if (now >= attempt.killAt) {
        kill(now);
      }
      again = Math.min(again, attempt.killAt);
    }
    boolean ending = attempt.phase == Phase.STOPPING || attempt.phase == Phase.KILLING;
    if (ending && (attempt.phase == Phase.KILLING || attempt.allTold())) {
      if (now >= attempt.nextScan) {
        scan(attempt, now);
        attempt.nextScan = System.nanoTime() + SCAN_PAUSE;
      }
      again = Math.min(again, attempt.nextScan);
    }
    return again;
  }

  private void scan(Attempt attempt, long now) {
    List<Long> left = left(attempt);
    boolean over = left.isEmpty() && attempt.allTold();
    boolean tooLong = attempt.phase == Phase.KILLING && now - attempt.killedAt > STUCK;
    if (!over && !tooLong) {
      if (attempt.phase == Phase.KILLING) {
        killAll(attempt);
      }
      return;
    }
    forget(attempt);
    if (attempt.failure.isPresent()) {
      Attempt.Failure failure = attempt.failure.get();
      events.accept(new Event.NotStarted(attempt.number, failure.rank(), failure.why()));
    } else {
      events.accept(new Event.Stopped(attempt.number, left));
    }
  }

  private void forget(Attempt attempt) {
    for (Rank rank : attempt.ranks) {
      rank.output.ifPresent(StreamPump::abandon);
      rank.errors.ifPresent(StreamPump::abandon);
    }
    attempt.group.ifPresent(Cgroups::remove);
    current = Optional.empty();
  }

  /** Tells how much each rank has written, if that changed. */
  void tellOutput() {
    current.ifPresent(
        attempt -> {
          if (attempt.phase != Phase.STARTING && attempt.failure.isEmpty()) {
            attempt.ranks.forEach(rank -> output(attempt, rank));
          }
        });
  }

  private void output(Attempt attempt, Rank rank) {
    long bytes = rank.bytes();
    if (bytes != rank.toldBytes) {
      rank.toldBytes = bytes;
      events.accept(new Event.Output(attempt.number, rank.spec.rank(), bytes));
    }
  }
}
