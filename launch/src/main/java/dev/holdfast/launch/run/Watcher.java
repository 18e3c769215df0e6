package dev.holdfast.launch.run;

import dev.holdfast.core.forensics.Diagnosis;
import dev.holdfast.core.forensics.RankEvidence;
import dev.holdfast.core.text.Json;
import dev.holdfast.launch.action.ActionSpec;
import dev.holdfast.launch.job.ArbiterPlace;
import dev.holdfast.launch.job.Assignment;
import dev.holdfast.launch.job.JobSpec;
import dev.holdfast.launch.job.RankActivity;
import dev.holdfast.launch.plan.LogFolders;
import dev.holdfast.launch.plan.RankSpecs;
import dev.holdfast.launch.rendezvous.Arbiter;
import dev.holdfast.launch.rendezvous.Memory;
import dev.holdfast.launch.rendezvous.NodeDuties;
import dev.holdfast.launch.rendezvous.Rendezvous;
import dev.holdfast.launch.rendezvous.StoreArbiter;
import dev.holdfast.launch.report.Kinds;
import dev.holdfast.launch.supervise.Event;
import dev.holdfast.launch.supervise.KeptText;
import dev.holdfast.launch.supervise.Order;
import dev.holdfast.launch.supervise.RankSpec;
import dev.holdfast.launch.supervise.Remains;
import dev.holdfast.launch.supervise.SupervisorLink;
import dev.holdfast.launch.watch.ProcEvidence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The process beside the supervisor: takes part in the rendezvous, has ranks started and stopped,
 * looks at them once a second, and says at the end what happened.
 *
 * <p>Everything happens on the thread of the {@link Inbox}; events of the supervisor and duties of
 * the rendezvous are put there. When this process crashes the ranks go on, and the next one begins
 * with {@link Event.Ready}.
 */
final class Watcher implements NodeDuties {
  private static final long LOOK_MILLIS = 1000;
  private static final Duration REMAINS = Duration.ofSeconds(5);
  private static final long EVIDENCE_NANOS = 4_000_000_000L;
  private static final Duration STORE_ANSWER = Duration.ofSeconds(5);

  /** A late answer is worth nothing: the lease counts from the question. */
  private static final Duration ARBITER_ANSWER = Duration.ofSeconds(2);

  private static final String RENDEZVOUS = "rendezvous";
  private static final String JUDGE = "judge";

  private final WatcherStart start;
  private final JobSpec spec;
  private final SupervisorLink supervisor;
  private final RunLog log;
  private final Inbox inbox = new Inbox();
  private final NodeRanks ranks;
  private final long begunNanos = System.nanoTime();
  private final PaceWatch pace;
  private final @Nullable OutputWatchdog watchdog;
  private final OwnStore own;
  private final JobStore store;
  private final @Nullable Arbiter arbiter;
  private final ActionChain actions;
  private final RunJudge judge;
  private final RunEnd end;
  private @Nullable Rendezvous rendezvous;
  private @Nullable Assignment assignment;
  private boolean led;
  private int leftOver = -1;
  private Order.@Nullable Stop stopLater;
  private long stopAt;
  private String state = "waiting";
  private volatile JobStatus status;

  Watcher(WatcherStart start, SupervisorLink supervisor, RunLog log, RunEnd end)
      throws IOException {
    Map<String, String> environment = System.getenv();
    this.start = start;
    this.spec = start.spec();
    this.supervisor = supervisor;
    this.log = log;
    this.end = end;
    this.ranks = new NodeRanks(spec.watching().beatPattern());
    this.watchdog = OutputWatchdog.of(spec, System.getenv(), log);
    this.pace = new PaceWatch(spec.here().node(), log);
    this.own = new OwnStore(spec, start.store(), this::order);
    Optional<ArbiterPlace> outside = spec.team().arbiter();
    this.store =
        outside.isPresent()
            ? new ArbiterStore(spec, ArbiterLine.open(outside.get(), environment, STORE_ANSWER))
            : own;
    this.arbiter =
        outside.isPresent()
            ? new StoreArbiter(
                ArbiterLine.open(outside.get(), environment, ARBITER_ANSWER), spec.job())
            : null;
    this.actions = new ActionChain(spec, log);
    this.judge =
        new RunJudge(spec, log, actions, store, this::collectLater, text -> keep(JUDGE, text));
    this.status = snapshot();
  }

  /** Until the run is over. */
  void work() throws InterruptedException {
    supervisor.listen(
        event -> inbox.post(() -> on(event)), why -> inbox.post(() -> supervisorGone(why)));
    inbox.work(LOOK_MILLIS, this::look);
  }

  /** What this node knows of the run, for whoever asks; any thread may. */
  JobStatus status() {
    return status;
  }

  /** Ends the job as if a signal had come; any thread may. */
  void endFromOutside(String why) {
    inbox.post(() -> asked(15, why));
  }

  private void on(Event event) {
    switch (event) {
      case Event.Ready ready -> ready(ready);
      case Event.Started started -> started(started);
      case Event.NotStarted failed -> notStarted(failed);
      case Event.Exited exited -> exited(exited);
      case Event.Output output ->
          ranks.of(output.attempt(), output.rank()).ifPresent(r -> r.wrote(output.bytes()));
      case Event.Stopped stopped -> stopped(stopped);
      case Event.Asked asked -> asked(asked.signal(), "signal " + asked.signal());
      case Event.LeaseLost lost -> leaseLost(lost);
      case Event.ServiceLine line -> own.line(line.line());
      case Event.ServiceEnded ended -> storeEnded(ended);
      case Event.Trouble trouble -> {
        log.moment(Kinds.TROUBLE, "what", trouble.what());
        log.say(trouble.what());
      }
    }
    status = snapshot();
  }

  private void ready(Event.Ready ready) {
    if (ready.earlier() > 0) {
      log.goesOn();
      log.moment(Kinds.WATCHER_RESTARTED, "earlier", ready.earlier());
    } else {
      log.moment(
          Kinds.JOB_BEGUN,
          "job",
          spec.job(),
          "command",
          spec.program().command(),
          "maxRestarts",
          spec.ending().maxRestarts(),
          "minNodes",
          spec.team().minNodes());
      log.say("no process of a rank is left behind: " + ready.guarantee());
    }
    if (arbiter != null || ready.services().contains(OwnStore.SERVICE)) {
      store.found(ready.attempt());
    }
    Optional<Memory> memory = memory(ready);
    if (memory.isEmpty() && ready.attempt() >= 0) {
      // Nobody knows what these ranks belong to: they must be gone before anything begins.
      leftOver = ready.attempt();
      order(new Order.Stop(leftOver, Duration.ZERO));
    } else if (memory.isEmpty()) {
      join(Optional.empty());
    } else {
      resume(memory.get(), ready);
    }
  }

  private void join(Optional<Memory> memory) {
    rendezvous =
        Meeting.join(spec, arbiter, this, judge, store, it -> keep(RENDEZVOUS, it.text()), memory);
  }

  private void keep(String name, String text) {
    order(new Order.Keep(name, KeptText.parts(text)));
  }

  /** What an earlier process of this launcher wanted known, as far as it can be read. */
  private Optional<Memory> memory(Event.Ready ready) {
    List<String> kept = ready.kept().getOrDefault(RENDEZVOUS, List.of());
    if (kept.isEmpty()) {
      return Optional.empty();
    }
    try {
      Memory memory = Memory.of(KeptText.text(kept));
      List<String> judged = ready.kept().getOrDefault(JUDGE, List.of());
      if (!judged.isEmpty()) {
        judge.resume(KeptText.text(judged));
      }
      return Optional.of(memory);
    } catch (IllegalArgumentException unreadable) {
      log.moment(Kinds.TROUBLE, "what", "nothing is known of before: " + unreadable.getMessage());
      return Optional.empty();
    }
  }

  /** Goes on beside ranks that never noticed that nobody watched. */
  private void resume(Memory memory, Event.Ready ready) {
    Optional<Assignment> running = memory.running().filter(it -> it.attempt() == ready.attempt());
    running.ifPresent(
        given -> {
          assignment = given;
          state = "running";
          List<RankSpec> specs = RankSpecs.of(spec, given, System.getenv(), start.shim());
          ranks.begin(given.attempt(), specs);
          pace.attemptBegins(
              given.attempt(), specs.isEmpty() ? -1 : specs.getFirst().rank(), specs.size());
          if (watchdog != null) {
            watchdog.attemptBegins(given.attempt());
          }
          ready.ranks().forEach(rank -> found(given.attempt(), rank));
        });
    join(Optional.of(memory));
    if (running.isPresent()) {
      int attempt = ready.attempt();
      ready.ranks().stream()
          .filter(Event.RankState::exited)
          .forEach(rank -> exited(exit(attempt, rank)));
    } else if (rendezvous != null) {
      rendezvous.stopped(memory.attempt());
    }
  }

  private void found(int attempt, Event.RankState state) {
    ranks
        .of(attempt, state.rank())
        .ifPresent(
            rank -> {
              ranks.found(rank, state.pid());
              if (!log.noted(Kinds.RANK_STARTED, attempt, state.rank())) {
                noteStart(attempt, state.rank(), state.pid());
              }
            });
  }

  private static Event.Exited exit(int attempt, Event.RankState state) {
    return new Event.Exited(
        attempt,
        state.rank(),
        state.exitCode(),
        state.signal(),
        state.stoppedByUs(),
        state.atMillis());
  }

  // What the rendezvous asks for; on its thread.

  @Override
  public void start(Assignment given) {
    inbox.post(() -> begin(given));
  }

  @Override
  public void stop(int attempt, Duration grace, String why, boolean hang) {
    inbox.post(() -> interrupt(attempt, grace, why, hang));
  }

  @Override
  public void collect() {
    inbox.post(() -> collect(() -> {}));
  }

  @Override
  public void lease(long untilNanos) {
    order(new Order.Lease(untilNanos));
  }

  @Override
  public void finish(int exitCode, String why) {
    inbox.post(() -> over(exitCode, why));
  }

  @Override
  public void note(String kind, String text) {
    inbox.post(() -> noted(kind, text));
  }

  // What follows from it; on the inbox's thread.

  private void noted(String kind, String text) {
    boolean alone = spec.team().maxNodes() == 1 && spec.team().spares() == 0;
    if (kind.equals("decision")) {
      log.say(text);
    } else if (!kind.equals("joined") || !alone) {
      log.moment(kind.equals("joined") ? Kinds.NODE_JOINED : kind, "what", text);
      log.say(text);
    }
  }

  private void begin(Assignment given) {
    led = leads();
    assignment = given;
    state = "running";
    List<RankSpec> specs = RankSpecs.of(spec, given, System.getenv(), start.shim());
    ranks.begin(given.attempt(), specs);
    pace.attemptBegins(
        given.attempt(), specs.isEmpty() ? -1 : specs.getFirst().rank(), specs.size());
    if (watchdog != null) {
      watchdog.attemptBegins(given.attempt());
    }
    log.moment(
        Kinds.ATTEMPT_PREPARED,
        "attempt",
        given.attempt(),
        "world",
        given.worldSize(),
        "members",
        members(given));
    log.say(
        "attempt %d: %d ranks on %d node%s, store %s:%d, logs in %s"
            .formatted(
                given.attempt(),
                given.worldSize(),
                given.members().size(),
                given.members().size() == 1 ? "" : "s",
                given.storeHost(),
                given.storePort(),
                LogFolders.ofAttempt(spec, given.attempt())));
    if (!specs.isEmpty()) {
      makeFolders(specs);
      order(new Order.Start(given.attempt(), specs));
    }
    status = snapshot();
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

  private static List<Map<String, @Nullable Object>> members(Assignment given) {
    return given.members().stream()
        .map(
            member ->
                Json.map(
                    "node",
                    member.node(),
                    "firstRank",
                    given.firstRank(given.nodeRank(member.node()).orElseThrow()),
                    "processes",
                    member.processes()))
        .toList();
  }

  private void started(Event.Started event) {
    ranks
        .of(event.attempt(), event.rank())
        .ifPresent(
            rank -> {
              ranks.started(rank, event.pid());
              noteStart(event.attempt(), event.rank(), event.pid());
            });
  }

  private void noteStart(int attempt, int rank, long pid) {
    store.named(attempt, rank, pid);
    log.moment(
        Kinds.RANK_STARTED,
        "attempt",
        attempt,
        "rank",
        rank,
        "node",
        spec.here().node(),
        "pid",
        pid);
    if (ranks.all().stream().allMatch(r -> r.pid() > 0)) {
      log.moment(Kinds.RANKS_STARTED, "attempt", attempt);
    }
  }

  private void notStarted(Event.NotStarted event) {
    log.say("rank " + event.rank() + " cannot be started: " + event.why());
    tell(
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

  private void exited(Event.Exited event) {
    ranks
        .of(event.attempt(), event.rank())
        .filter(rank -> rank.exit() == null)
        .ifPresent(
            rank -> {
              rank.exited(event);
              ranks.exited(rank);
              noteExit(event);
              RankEvidence evidence = rank.evidence(spec.here().node(), event);
              if (evidence.step() >= 0 && rank.rank() == ranks.all().getFirst().rank()) {
                log.moment(Kinds.STEP, "attempt", event.attempt(), "step", evidence.step());
              }
              if (!event.stoppedByUs()) {
                tell(evidence);
              }
            });
  }

  private void noteExit(Event.Exited event) {
    if (!log.noted(Kinds.RANK_EXITED, event.attempt(), event.rank())) {
      log.moment(
          Kinds.RANK_EXITED,
          "attempt",
          event.attempt(),
          "rank",
          event.rank(),
          "node",
          spec.here().node(),
          "exitCode",
          event.exitCode(),
          "signal",
          event.signal(),
          "stoppedByUs",
          event.stoppedByUs());
    }
  }

  private void tell(RankEvidence evidence) {
    if (rendezvous != null) {
      rendezvous.exited(evidence);
    }
  }

  private void interrupt(int attempt, Duration grace, String why, boolean hang) {
    state = "stopping";
    log.moment(Kinds.STOP_BEGUN, "attempt", attempt, "why", why);
    stopLater = new Order.Stop(attempt, grace);
    stopAt = System.nanoTime() + EVIDENCE_NANOS;
    if (hang) {
      collect(this::stopNow);
    } else {
      stopNow();
    }
    status = snapshot();
  }

  /** Once: when the evidence is there, or when it took too long. */
  private void stopNow() {
    Order.Stop waiting = stopLater;
    stopLater = null;
    if (waiting != null) {
      order(waiting);
    }
  }

  private void stopped(Event.Stopped event) {
    log.moment(Kinds.STOPPED, "attempt", event.attempt(), "left", event.left());
    if (!event.left().isEmpty()) {
      log.finding(
          event.attempt(),
          "fatal",
          "processes that will not die, probably stuck in a driver: " + event.left());
    }
    if (rendezvous != null) {
      rendezvous.stopped(event.attempt());
    } else if (event.attempt() == leftOver) {
      join(Optional.empty());
    }
  }

  private void asked(int signal, String why) {
    if (rendezvous == null) {
      over(128 + signal, why);
    } else {
      log.say(
          "asked to end (" + why + "); the ranks get " + spec.ending().grace().toSeconds() + " s");
      rendezvous.endJob(128 + signal, why);
    }
  }

  private void leaseLost(Event.LeaseLost event) {
    log.finding(
        event.attempt(),
        "fatal",
        "no word of the job's leader for too long: this node's ranks were killed, because the job"
            + " may have gone on without it");
    if (rendezvous != null) {
      rendezvous.stopped(event.attempt());
    }
  }

  private void storeEnded(Event.ServiceEnded event) {
    own.ended();
    if (!state.equals("finished")) {
      log.finding(ranks.attempt(), "fatal", "the store's process ended by itself");
    }
  }

  private void look() {
    led = state.equals("finished") ? led : leads();
    if (stopLater != null && System.nanoTime() > stopAt) {
      stopNow();
    }
    List<RankActivity> seen = ranks.look(System.nanoTime(), pace::told);
    pace.second(seen);
    if (watchdog != null) {
      watchdog.look(ranks.all());
    }
    if (rendezvous != null && !seen.isEmpty()) {
      rendezvous.activity(seen);
    }
    status = snapshot();
  }

  private void collectLater(Diagnosis hang) {
    inbox.post(
        () -> {
          if (rendezvous != null) {
            rendezvous.collect();
          }
        });
  }

  /** Looks at all ranks of this node on a thread of its own, then goes on. */
  private void collect(Runnable afterwards) {
    Path folder = Path.of(LogFolders.ofAttempt(spec, ranks.attempt()));
    List<ProcEvidence.Rank> present = ranks.present();
    Thread.ofPlatform()
        .name("evidence")
        .daemon()
        .start(
            () -> {
              try {
                String where = EvidenceFiles.collect(folder, present);
                inbox.post(() -> log.say(where));
              } finally {
                inbox.post(afterwards);
              }
            });
  }

  private void over(int exitCode, String why) {
    if (state.equals("finished")) {
      return;
    }
    state = "finished";
    if (exitCode == 0 && ranks.attempt() >= 0) {
      log.moment(Kinds.ATTEMPT_ENDED, "attempt", ranks.attempt(), "outcome", "done");
    } else if (exitCode > 128) {
      log.moment(Kinds.ATTEMPT_ENDED, "attempt", ranks.attempt(), "outcome", "stopped");
    }
    log.moment(Kinds.JOB_ENDED, "exitCode", exitCode, "why", why);
    actions.begin(ActionSpec.Event.END, ranks.attempt(), null, null);
    end.tell(exitCode, why, led);
    order(new Order.Finish(exitCode));
    status = snapshot();
  }

  private void supervisorGone(String why) {
    if (!state.equals("finished")) {
      log.finding(ranks.attempt(), "fatal", why + ": ending what is left of its ranks");
      List<Long> sessions =
          ranks.all().stream().filter(r -> r.exit() == null).map(NodeRank::pid).toList();
      try {
        Remains.of(System.getenv())
            .ifPresent(
                remains -> {
                  try {
                    remains.end(sessions, REMAINS);
                  } catch (InterruptedException interrupted) {
                    Thread.currentThread().interrupt();
                  }
                });
      } finally {
        if (rendezvous != null) {
          rendezvous.gone(1, why);
        }
      }
    }
    inbox.close();
  }

  private void order(Order order) {
    try {
      supervisor.send(order);
    } catch (IOException gone) {
      // The end of its events says so too, and what to do then.
      log.moment(Kinds.TROUBLE, "what", "order not taken: " + gone.getMessage());
    }
  }

  private boolean leads() {
    return rendezvous != null && rendezvous.view().role().equals("leader");
  }

  private JobStatus snapshot() {
    long now = System.nanoTime();
    Assignment known = assignment;
    String node = spec.here().node();
    return new JobStatus(
        spec.job(),
        node,
        state,
        leads(),
        known == null ? 0 : known.attempt(),
        known == null ? 0 : known.restarts(),
        spec.ending().maxRestarts(),
        known == null ? 0 : known.worldSize(),
        (now - begunNanos) / 1e9,
        LogFolders.ofNode(spec),
        rendezvous == null
            ? List.of(new JobStatus.NodeState(node, state))
            : rendezvous.view().members().stream()
                .map(
                    m ->
                        new JobStatus.NodeState(
                            m.member().node(),
                            m.state().name().toLowerCase(java.util.Locale.ROOT).replace('_', ' ')))
                .toList(),
        ranks.all().stream()
            .map(rank -> rank.status(node, now, store.now(ranks.attempt())))
            .toList(),
        log.findings());
  }
}
