package dev.holdfast.launch.supervise;

import dev.holdfast.core.text.Json;
import dev.holdfast.os.libc.Reaper.Ended;
import dev.holdfast.os.process.Children;
import dev.holdfast.os.process.ProcessState;
import dev.holdfast.os.process.ProgramPath;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The standbys, at most one for each local rank, and their handing over to the ranks of an attempt.
 * Whatever is wrong with one, the rank is started as if it had never been there. All methods belong
 * to the deciding thread.
 */
final class Standbys implements Standby.Listener {
  private static final long SECOND = 1_000_000_000L;
  private static final long READY_WITHIN = 300 * SECOND;

  /** It only has to read, set variables and answer. */
  private static final long ANSWER_WITHIN = SECOND;

  private static final long STUCK = 2 * SECOND;

  private final Loop loop;
  private final Children children;
  private final Holding holding;
  private final Environment inherited;
  private final Consumer<Event> events;
  private final Map<Integer, Standby> waiting = new TreeMap<>();
  private final Set<Standby> present = new HashSet<>();
  private final Map<Standby, Rank> asked = new HashMap<>();
  private long answersBy = Long.MAX_VALUE;
  private @Nullable Runnable then;
  private long dismissed;

  Standbys(
      Loop loop,
      Children children,
      Holding holding,
      Environment inherited,
      Consumer<Event> events) {
    this.loop = loop;
    this.children = children;
    this.holding = holding;
    this.inherited = inherited;
    this.events = events;
  }

  /** Our children that are not ranks yet. */
  Set<Long> pids() {
    Set<Long> pids = new HashSet<>();
    present.forEach(standby -> pids.add(standby.pid()));
    pids.remove(0L);
    return pids;
  }

  /** Whether all are gone, or will not die. */
  boolean none(long now) {
    return present.isEmpty() || (dismissed != 0 && now - dismissed > STUCK);
  }

  /** Those that can be used. */
  List<Event> ready() {
    return waiting.values().stream().filter(it -> it.ready).map(Standbys::readiness).toList();
  }

  private static Event readiness(Standby standby) {
    return new Event.StandbyReady(standby.spec.localRank(), standby.pid());
  }

  /** Starts one, unless there is one for this place. */
  void prepare(Order.Prepare order, long now) {
    RankSpec spec = order.spec();
    Standby before = waiting.get(spec.localRank());
    if (before != null) {
      if (before.ready) {
        events.accept(readiness(before));
      }
      return;
    }
    Environment all = inherited.with(spec.environment()).without(order.without());
    Standby standby = new Standby(spec, all.without(List.of(Standby.VARIABLE)), this);
    standby.readyBy = now + READY_WITHIN;
    waiting.put(spec.localRank(), standby);
    present.add(standby);
    var _ =
        children
            .onStarter(
                () -> {
                  List<String> command = new ArrayList<>(spec.command());
                  command.set(0, ProgramPath.require(command.getFirst(), all.path()));
                  standby.begin(
                      children,
                      Environment.words(holding.wrap(command, Optional.empty())),
                      all,
                      RankStarter.permitted(spec));
                  return standby;
                })
            .whenComplete((_, problem) -> loop.post(() -> begun(standby, problem)));
  }

  private void begun(Standby standby, @Nullable Throwable problem) {
    if (problem != null) {
      standby.why = String.valueOf(problem.getMessage());
      removed(standby);
    }
  }

  @Override
  public void line(Standby from, String line) {
    loop.post(() -> said(from, line));
  }

  @Override
  public void gone(Standby which, Ended how) {
    loop.post(
        () -> {
          if (which.why.isEmpty()) {
            which.why =
                how.signal() > 0
                    ? "was ended by signal " + how.signal()
                    : "exited with " + how.exitCode();
          }
          removed(which);
        });
  }

  private void said(Standby from, String line) {
    String[] words = line.split("\t", 3);
    switch (words[0]) {
      case "ready" -> {
        from.ready = true;
        from.readyBy = Long.MAX_VALUE;
        if (waiting.containsValue(from)) {
          events.accept(readiness(from));
        }
      }
      case "unfit" -> {
        from.module = words.length > 1 ? words[1] : "";
        from.why = words.length > 2 ? words[2] : "";
      }
      case "set" -> {
        Rank rank = asked.remove(from);
        if (rank != null) {
          rank.standby = Optional.of(from);
          goOn();
        }
      }
      default -> from.kill();
    }
  }

  private void removed(Standby standby) {
    present.remove(standby);
    lose(standby);
    if (asked.remove(standby) != null) {
      tell(standby);
      goOn();
    }
  }

  private void lose(Standby standby) {
    if (waiting.remove(standby.spec.localRank(), standby)) {
      tell(standby);
    }
  }

  private void tell(Standby lost) {
    events.accept(new Event.StandbyLost(lost.spec.localRank(), lost.module, lost.why));
  }

  private void end(Standby standby, String why) {
    standby.why = why;
    lose(standby);
    standby.kill();
  }

  /**
   * Gives the ranks the standbys that fit, then goes on: when all have answered or died, at the
   * latest after a second. Afterwards none waits: those not ready yet would slow the ranks' start.
   */
  void handOver(List<Rank> ranks, long now, Runnable next) {
    for (Rank rank : ranks) {
      Standby standby = waiting.get(rank.spec.localRank());
      Optional<Map<String, String>> missing =
          standby == null ? Optional.empty() : missing(standby, rank.spec);
      if (standby != null && missing.isPresent()) {
        waiting.remove(rank.spec.localRank());
        asked.put(standby, rank);
        standby.send(Json.line(missing.get()));
      }
    }
    for (Standby standby : List.copyOf(waiting.values())) {
      if (standby.ready) {
        end(standby, "could not be used: it is stopped, or the rank is another one now");
      } else {
        waiting.remove(standby.spec.localRank());
        standby.kill();
      }
    }
    then = next;
    answersBy = now + ANSWER_WITHIN;
    goOn();
  }

  /** What the rank has beyond the standby; empty: the standby has, or is, something else. */
  private Optional<Map<String, String>> missing(Standby standby, RankSpec rank) {
    boolean same =
        standby.ready
            && standby.spec.command().equals(rank.command())
            && standby.spec.cpus().equals(rank.cpus())
            && ProcessState.of(standby.pid()) != 'T';
    return same ? inherited.with(rank.environment()).beyond(standby.environment) : Optional.empty();
  }

  private void goOn() {
    Runnable next = then;
    if (asked.isEmpty() && next != null) {
      then = null;
      answersBy = Long.MAX_VALUE;
      next.run();
    }
  }

  /** They are ranks now. */
  void adopted(List<Rank> ranks) {
    for (Rank rank : ranks) {
      if (rank.warm) {
        rank.standby.ifPresent(present::remove);
      }
    }
  }

  /** Ends all that wait. */
  void dismiss(long now) {
    dismissed = now;
    waiting.clear();
    asked.clear();
    present.forEach(Standby::kill);
    goOn();
  }

  /** Does what is due and tells when to be called again at the latest. */
  long advance(long now) {
    long again = answersBy;
    if (now >= answersBy) {
      for (Standby standby : asked.keySet()) {
        standby.why = "did not answer within a second";
        tell(standby);
        standby.kill();
      }
      asked.clear();
      goOn();
      again = Long.MAX_VALUE;
    }
    for (Standby standby : List.copyOf(waiting.values())) {
      if (now >= standby.readyBy) {
        end(standby, "was not ready within 5 minutes");
      } else {
        again = Math.min(again, standby.readyBy);
      }
    }
    return again;
  }
}
