package dev.holdfast.launch.run;

import dev.holdfast.core.forensics.RankEvidence;
import dev.holdfast.launch.job.Assignment;
import dev.holdfast.launch.job.JobSpec;
import dev.holdfast.launch.job.RankActivity;
import dev.holdfast.launch.plan.RankSpecs;
import dev.holdfast.launch.report.Kinds;
import dev.holdfast.launch.supervise.Event;
import dev.holdfast.launch.supervise.Order;
import dev.holdfast.launch.supervise.RankSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The part of the present attempt that runs on this node: has its ranks started, looks at them, and
 * says how each ended. Only on the inbox's thread.
 */
final class NodeAttempt {
  private final WatcherStart start;
  private final JobSpec spec;
  private final RunLog log;
  private final AttemptNotes notes;
  private final JobStore store;
  private final Consumer<Order> order;
  private final Consumer<RankEvidence> ended;
  private final NodeRanks ranks;
  private final PaceWatch pace;
  private final @Nullable OutputWatchdog watchdog;
  private final Optional<WarmStandbys> warm;
  private @Nullable Assignment assignment;

  /**
   * @param ended is told of each rank that ended by itself, or could not be started
   */
  NodeAttempt(
      WatcherStart start,
      RunLog log,
      JobStore store,
      Consumer<Order> order,
      Consumer<RankEvidence> ended) {
    this.start = start;
    this.spec = start.spec();
    this.log = log;
    this.notes = new AttemptNotes(spec, log);
    this.store = store;
    this.order = order;
    this.ended = ended;
    this.ranks = new NodeRanks(spec.watching().beatPattern(), System.getenv());
    this.pace = new PaceWatch(log);
    this.watchdog = OutputWatchdog.of(spec, System.getenv(), log);
    this.warm = WarmStandbys.of(spec, log, order);
  }

  NodeRanks ranks() {
    return ranks;
  }

  /** What this attempt was given; null before the first. */
  @Nullable Assignment assignment() {
    return assignment;
  }

  void begin(Assignment given) {
    List<RankSpec> specs = follow(given);
    notes.prepared(given);
    if (!specs.isEmpty()) {
      makeFolders(specs);
      order.accept(new Order.Start(given.attempt(), specs));
    }
  }

  /** Goes on beside ranks that an earlier process of this launcher had started. */
  void takeOver(Assignment given, List<Event.RankState> present) {
    follow(given);
    present.forEach(rank -> found(given.attempt(), rank));
  }

  private List<RankSpec> follow(Assignment given) {
    assignment = given;
    List<RankSpec> specs = RankSpecs.of(spec, given, System.getenv(), start.shim());
    ranks.begin(given.attempt(), specs);
    pace.attemptBegins(given.attempt(), specs.isEmpty() ? -1 : specs.getFirst().rank());
    if (watchdog != null) {
      watchdog.attemptBegins(given.attempt());
    }
    warm.ifPresent(it -> it.attemptBegins(given, specs, System.nanoTime()));
    return specs;
  }

  /** Ranks leave beats, stacks and errors there; without the folder the run goes on. */
  private void makeFolders(List<RankSpec> specs) {
    for (RankSpec rank : specs) {
      try {
        Files.createDirectories(Path.of(rank.folder()));
      } catch (IOException unwritable) {
        log.moment(Kinds.TROUBLE, "what", "no folder " + rank.folder() + ": " + unwritable);
        return;
      }
    }
  }

  private void found(int attempt, Event.RankState state) {
    ranks
        .of(attempt, state.rank())
        .ifPresent(
            rank -> {
              ranks.found(rank, state.pid());
              if (!notes.knowsStart(attempt, state.rank())) {
                noteStart(attempt, state.rank(), state.pid(), false);
              }
            });
  }

  void started(Event.Started event) {
    ranks
        .of(event.attempt(), event.rank())
        .ifPresent(
            rank -> {
              ranks.started(rank, event.pid());
              noteStart(event.attempt(), event.rank(), event.pid(), event.warm());
            });
  }

  private void noteStart(int attempt, int rank, long pid, boolean standby) {
    store.named(attempt, rank, pid);
    notes.started(attempt, rank, pid, standby, ranks.all().stream().allMatch(r -> r.pid() > 0));
  }

  void notStarted(Event.NotStarted event) {
    log.say("rank " + event.rank() + " cannot be started: " + event.why());
    ended.accept(
        new RankEvidence(
            event.rank(),
            spec.here().node(),
            127,
            0,
            false,
            System.currentTimeMillis(),
            List.of(event.why()),
            "",
            0,
            -1));
  }

  void wrote(Event.Output output) {
    ranks.of(output.attempt(), output.rank()).ifPresent(rank -> rank.wrote(output.bytes()));
  }

  void exited(Event.Exited event) {
    ranks
        .of(event.attempt(), event.rank())
        .filter(rank -> rank.exit() == null)
        .ifPresent(
            rank -> {
              rank.exited(event);
              ranks.exited(rank);
              notes.exited(event);
              RankEvidence evidence = rank.evidence(spec.here().node(), event);
              if (evidence.step() >= 0 && rank.rank() == ranks.all().getFirst().rank()) {
                notes.lastStep(event.attempt(), evidence.step());
              }
              if (!event.stoppedByUs()) {
                ended.accept(evidence);
              }
            });
  }

  void standbyReady(Event.StandbyReady event) {
    warm.ifPresent(it -> it.ready(event));
  }

  void standbyLost(Event.StandbyLost event) {
    warm.ifPresent(it -> it.lost(event));
  }

  /** While nothing is wrong: whatever makes the next attempt faster; once a second. */
  void prepareNext() {
    if (ranks.allRun()) {
      warm.ifPresent(it -> it.look(System.nanoTime()));
    }
  }

  /** Looks at all ranks that run; once a second. */
  List<RankActivity> look() {
    List<RankActivity> seen = ranks.look(System.nanoTime(), pace::told);
    pace.second();
    if (watchdog != null) {
      watchdog.look(ranks.all());
    }
    return seen;
  }
}
