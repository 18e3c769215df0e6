package dev.holdfast.launch.run;

import dev.holdfast.core.text.Bytes;
import dev.holdfast.launch.job.Assignment;
import dev.holdfast.launch.job.JobSpec;
import dev.holdfast.launch.plan.StandbySpecs;
import dev.holdfast.launch.report.Kinds;
import dev.holdfast.launch.supervise.Event;
import dev.holdfast.launch.supervise.Order;
import dev.holdfast.launch.supervise.RankSpec;
import dev.holdfast.os.process.MemoryRoom;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * When is a standby started, with which modules, and when not? One after the other, once the ranks
 * have stopped importing, while there is memory for it. A module that a standby cannot import is
 * left out by the next; after too many troubles there are none for the rest of the run. Nothing
 * here is needed by the run itself.
 *
 * <p>On the inbox's thread. A process beside the supervisor that is started again orders the same
 * standbys, and those that are there stay.
 */
final class WarmStandbys {
  private static final long SECOND = 1_000_000_000L;

  /** So long nothing new was imported. */
  private static final long SETTLED = 5 * SECOND;

  /** Whoever imports for ever is not waited for. */
  private static final long LATEST = 60 * SECOND;

  private static final int MOST_TROUBLES = 16;
  private static final int ATTEMPTS_LOOKED_AT = 100;
  private static final long FIRST_GUESS = 512L << 20;

  private final JobSpec spec;
  private final RunLog log;
  private final Consumer<Order> orders;
  private final Supplier<MemoryRoom> memory;
  private final LongUnaryOperator bytesOf;
  private final List<String> leaveOut = new ArrayList<>();
  private final Map<Integer, Held> held = new TreeMap<>();
  private @Nullable Assignment assignment;
  private List<RankSpec> ranks = List.of();
  private @Nullable Path learned;
  private long begun;
  private long grown;
  private long size;
  private int troubles;
  private boolean off;
  private boolean paused;
  private boolean told;

  /** A standby; {@code pid} 0: ordered and not ready. */
  private record Held(long pid, long bytes) {}

  WarmStandbys(
      JobSpec spec,
      RunLog log,
      Consumer<Order> orders,
      Supplier<MemoryRoom> memory,
      LongUnaryOperator bytesOf) {
    this.spec = spec;
    this.log = log;
    this.orders = orders;
    this.memory = memory;
    this.bytesOf = bytesOf;
  }

  /** Those of this machine, if they are wanted. */
  static Optional<WarmStandbys> of(JobSpec spec, RunLog log, Consumer<Order> orders) {
    return spec.ending().warm()
        ? Optional.of(
            new WarmStandbys(spec, log, orders, () -> MemoryRoom.now(Path.of("/")), MemoryRoom::of))
        : Optional.empty();
  }

  /** Ranks are started, or were found running; the standbys of before are used up. */
  void attemptBegins(Assignment given, List<RankSpec> specs, long now) {
    assignment = given;
    ranks = List.copyOf(specs);
    held.clear();
    begun = now;
    grown = now;
    size = 0;
    paused = false;
    told = false;
    int first = Math.max(0, given.attempt() - ATTEMPTS_LOOKED_AT);
    for (int attempt = first; attempt <= given.attempt() && learned == null; attempt++) {
      longer(StandbySpecs.learned(spec, attempt));
    }
  }

  private void longer(Path file) {
    if (file.toFile().length() > (learned == null ? 0 : learned.toFile().length())) {
      learned = file;
    }
  }

  /** Once a second while all ranks run. */
  void look(long now) {
    Assignment given = assignment;
    if (off || paused || given == null || ranks.isEmpty()) {
      return;
    }
    if (tight()) {
      return;
    }
    boolean oneComes = held.values().stream().anyMatch(it -> it.pid == 0);
    Optional<RankSpec> next =
        ranks.stream().filter(rank -> !held.containsKey(rank.localRank())).findFirst();
    if (oneComes || next.isEmpty() || !settled(given, now)) {
      return;
    }
    Path modules = learned;
    if (modules == null) {
      if (now - begun > LATEST) {
        off = true;
        say("no standbys: this Python does not run the launcher's sitecustomize");
      }
      return;
    }
    if (roomFor()) {
      held.put(next.get().localRank(), new Held(0, 0));
      orders.accept(StandbySpecs.of(spec, given, next.get(), modules, leaveOut));
    }
  }

  private boolean settled(Assignment given, long now) {
    Path file = StandbySpecs.learned(spec, given.attempt());
    long present = file.toFile().length();
    if (present != size) {
      size = present;
      grown = now;
      longer(file);
    }
    return now - grown >= SETTLED || now - begun >= LATEST;
  }

  /** Together at most a quarter of the memory, and a fifth stays available. */
  private boolean roomFor() {
    MemoryRoom room = memory.get();
    long one = held.values().stream().mapToLong(Held::bytes).max().orElse(0);
    long more = one == 0 ? FIRST_GUESS : one;
    boolean fits =
        bytes() + more <= room.total() / 4 && room.available() - more >= room.total() / 5;
    if (!fits && !told) {
      told = true;
      say("memory is short: %d of %d ranks have a standby".formatted(held.size(), ranks.size()));
    }
    return fits;
  }

  /** The ranks come first. */
  private boolean tight() {
    MemoryRoom room = held.isEmpty() ? new MemoryRoom(0, 0) : memory.get();
    if (room.available() >= room.total() / 10) {
      return false;
    }
    paused = true;
    held.clear();
    orders.accept(new Order.Dismiss());
    say("memory is very short: the standbys are ended");
    return true;
  }

  private long bytes() {
    return held.values().stream().mapToLong(Held::bytes).sum();
  }

  void ready(Event.StandbyReady event) {
    boolean known = held.getOrDefault(event.localRank(), new Held(0, 0)).pid == event.pid();
    long bytes = bytesOf.applyAsLong(event.pid());
    held.put(event.localRank(), new Held(event.pid(), bytes));
    if (known) {
      return;
    }
    log.moment(
        Kinds.STANDBY_READY,
        "attempt",
        attempt(),
        "localRank",
        event.localRank(),
        "pid",
        event.pid(),
        "bytes",
        bytes);
    if (held.size() == ranks.size() && held.values().stream().allMatch(it -> it.pid > 0)) {
      log.say(
          "%d standby%s ready, %s in memory"
              .formatted(held.size(), held.size() == 1 ? " is" : "s are", new Bytes(bytes())));
    }
  }

  void lost(Event.StandbyLost event) {
    held.remove(event.localRank());
    String why =
        event.module().isEmpty()
            ? "a standby " + event.why()
            : "a standby cannot import " + event.module() + ": it " + event.why();
    log.moment(
        Kinds.STANDBY_LOST, "attempt", attempt(), "localRank", event.localRank(), "what", why);
    if (!event.module().isEmpty() && !leaveOut.contains(event.module())) {
      leaveOut.add(event.module());
    }
    troubles++;
    if (troubles < MOST_TROUBLES) {
      log.say(event.module().isEmpty() ? why : why + "; the next one leaves it out");
    } else if (!off) {
      off = true;
      held.clear();
      orders.accept(new Order.Dismiss());
      say("no standbys for the rest of this run: " + why);
    }
  }

  private void say(String what) {
    log.moment(Kinds.STANDBY_LOST, "attempt", attempt(), "what", what);
    log.say(what);
  }

  private int attempt() {
    return assignment == null ? -1 : assignment.attempt();
  }
}
