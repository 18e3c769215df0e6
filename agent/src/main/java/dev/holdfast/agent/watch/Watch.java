package dev.holdfast.agent.watch;

import dev.holdfast.doctor.Doctor;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckResult;
import dev.holdfast.doctor.check.Level;
import dev.holdfast.doctor.history.History;
import dev.holdfast.doctor.node.NodeView;
import dev.holdfast.doctor.site.Site;
import dev.holdfast.os.nvml.Nvml;
import dev.holdfast.os.process.Heartbeats;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * When is which check put to the node? One thread owns the time: it begins a round when the round's
 * period is over and the round before has ended, and does nothing else, so that no check, however
 * long it hangs, keeps another pace waiting.
 */
public final class Watch implements AutoCloseable {
  private static final Duration VERIFY_CHECK = Duration.ofSeconds(20);
  private static final Duration VERIFY_TOTAL = Duration.ofSeconds(60);

  /** It turns every second and waits for nobody. */
  private static final Duration STUCK = Duration.ofSeconds(30);

  /** Something that is done again and again, and when it is due. */
  private static final class Due {
    final String name;
    final long period;
    final Runnable work;
    final AtomicBoolean running = new AtomicBoolean();
    long at;

    Due(String name, Duration period, Runnable work, long at) {
      this.name = name;
      this.period = period.toNanos();
      this.work = work;
      this.at = at;
    }
  }

  private final Machine machine;
  private final Site site;
  private final Consumer<List<CheckResult>> listener;
  private final Map<String, OneAtATime> checks = new LinkedHashMap<>();
  private final List<Round> rounds = new ArrayList<>();
  private final List<Due> dues = new ArrayList<>();
  private final AtomicLong late = new AtomicLong();
  private final Round log;
  private volatile boolean ended;
  private Heartbeats.Beat heartbeat = Heartbeats.UNSEEN;

  /**
   * @param histories the counters each pace kept from an earlier life
   * @param listener gets the answers of each round, rounds of different paces at the same time
   */
  public Watch(
      Machine machine,
      List<Check> all,
      Site site,
      Function<Pace, History> histories,
      Consumer<List<CheckResult>> listener) {
    this.machine = machine;
    this.site = site;
    this.listener = listener;
    Map<Pace, List<OneAtATime>> paces = new EnumMap<>(Pace.class);
    for (Check check : all) {
      if (check.info().level() == Level.PASSIVE) {
        OneAtATime guarded = new OneAtATime(check);
        checks.put(check.info().id(), guarded);
        paces.computeIfAbsent(Pace.of(check.info().id()), _ -> new ArrayList<>()).add(guarded);
      }
    }
    paces.forEach(
        (pace, group) -> {
          if (pace != Pace.LOG) {
            Round round = new Round(pace, group, site, histories.apply(pace));
            rounds.add(round);
            every(pace.period(), "round " + pace, () -> run(round));
          }
        });
    this.log = new Round(Pace.LOG, paces.getOrDefault(Pace.LOG, List.of()), site, History.EMPTY);
  }

  /** Has something else done by the same clock, never twice at once; before the start only. */
  public void every(Duration period, String name, Runnable work) {
    // Not all at once: the start of a node is busy enough.
    long at = System.nanoTime() + dues.size() * 100_000_000L;
    dues.add(new Due(name, period, work, at));
  }

  public void start(Heartbeats heartbeats) {
    Thread thread = Thread.ofPlatform().name("watch").daemon().unstarted(this::turn);
    heartbeat = heartbeats.expect("the clock of the checks", STUCK).of(thread);
    thread.start();
  }

  private void turn() {
    while (!ended) {
      long now = System.nanoTime();
      heartbeat.beat();
      long next = now + Duration.ofSeconds(1).toNanos();
      for (Due due : dues) {
        if (due.at - now <= 0) {
          begin(due);
          due.at = Math.max(due.at + due.period, now + due.period / 2);
        }
        next = Math.min(next, due.at);
      }
      LockSupport.parkNanos(Math.max(1_000_000, next - System.nanoTime()));
    }
  }

  private void begin(Due due) {
    if (!due.running.compareAndSet(false, true)) {
      late.incrementAndGet();
      return;
    }
    Thread.ofVirtual()
        .name(due.name)
        .start(
            () -> {
              try {
                due.work.run();
              } finally {
                due.running.set(false);
              }
            });
  }

  private void run(Round round) {
    listener.accept(round.run(machine.look(round.pace().depth())));
  }

  /** Every round once, one after the other, here and now. */
  public void once() {
    rounds.forEach(this::run);
  }

  /** What the checks that read the kernel log say of this node. */
  public List<CheckResult> log(NodeView node) {
    return log.run(node);
  }

  public boolean knows(String check) {
    return checks.containsKey(check);
  }

  /** Puts these checks to the node now, asking for all there is to know. */
  public List<CheckResult> verify(List<String> ids) {
    List<Check> chosen =
        ids.stream().filter(checks::containsKey).map(id -> (Check) checks.get(id)).toList();
    Doctor doctor = new Doctor(chosen, site, VERIFY_CHECK, VERIFY_TOTAL);
    NodeView node = machine.look(Nvml.Depth.ALL);
    return doctor.examine(node, Level.PASSIVE, history(ids)).report().results();
  }

  /** The counters of the paces these checks belong to; rates are told only against them. */
  private History history(List<String> ids) {
    History longest = History.EMPTY;
    for (Round round : rounds) {
      boolean concerned = ids.stream().anyMatch(id -> Pace.of(id) == round.pace());
      History known = round.history();
      if (concerned && known.samples().size() > longest.samples().size()) {
        longest = known;
      }
    }
    return longest;
  }

  /** The counters to keep for another life. */
  public Map<Pace, History> histories() {
    Map<Pace, History> histories = new EnumMap<>(Pace.class);
    rounds.forEach(round -> histories.put(round.pace(), round.history()));
    return histories;
  }

  /** The checks that do not come back, and for how long. */
  public Map<String, Duration> stuck() {
    Map<String, Duration> stuck = new LinkedHashMap<>(log.stuck());
    rounds.forEach(round -> stuck.putAll(round.stuck()));
    return stuck;
  }

  /** How often a round was due while the one before still ran. */
  public long late() {
    return late.get();
  }

  @Override
  public void close() {
    ended = true;
  }
}
