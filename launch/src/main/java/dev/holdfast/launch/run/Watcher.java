package dev.holdfast.launch.run;

import dev.holdfast.core.cluster.JobDescription;
import dev.holdfast.core.forensics.Decision;
import dev.holdfast.core.forensics.Diagnosis;
import dev.holdfast.core.forensics.RankEvidence;
import dev.holdfast.core.text.Fields;
import dev.holdfast.launch.action.ActionSpec;
import dev.holdfast.launch.job.ArbiterPlace;
import dev.holdfast.launch.job.Assignment;
import dev.holdfast.launch.job.JobSpec;
import dev.holdfast.launch.job.RankActivity;
import dev.holdfast.launch.rendezvous.Arbiter;
import dev.holdfast.launch.rendezvous.Memory;
import dev.holdfast.launch.rendezvous.NodeDuties;
import dev.holdfast.launch.rendezvous.Rendezvous;
import dev.holdfast.launch.rendezvous.StoreArbiter;
import dev.holdfast.launch.report.Kinds;
import dev.holdfast.launch.supervise.Event;
import dev.holdfast.launch.supervise.Order;
import dev.holdfast.launch.supervise.SupervisorLink;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The process beside the supervisor: takes part in the rendezvous, has ranks started and stopped,
 * looks at them once a second, and says at the end what happened. What is done with the ranks is
 * {@link NodeAttempt} and {@link Interruption}; here is who hears of what.
 *
 * <p>Everything happens on the thread of the {@link Inbox}; events of the supervisor and duties of
 * the rendezvous are put there. When this process crashes the ranks go on, and the next one begins
 * with {@link Event.Ready}.
 */
final class Watcher implements NodeDuties {
  private static final long LOOK_MILLIS = 1000;
  private static final Duration STORE_ANSWER = Duration.ofSeconds(5);

  /** A late answer is worth nothing: the lease counts from the question. */
  private static final Duration ARBITER_ANSWER = Duration.ofSeconds(2);

  private final JobSpec spec;
  private final SupervisorLink supervisor;
  private final RunLog log;
  private final Inbox inbox = new Inbox();
  private final OwnStore own;
  private final JobStore store;
  private final @Nullable Arbiter arbiter;
  private final ActionChain actions;
  private final WatcherMemory memory;
  private final RunJudge judge;
  private final NodeAttempt attempt;
  private final Interruption interruption;
  private final Aftermath aftermath;
  private final StatusView view;
  private final RankStacks stacks;
  private final RunEnd end;
  private final Desk desk;
  private volatile @Nullable Rendezvous rendezvous;
  private boolean led;
  private int leftOver = -1;
  private boolean endsAsAsked;
  private String state = "waiting";
  private volatile JobStatus status;

  Watcher(WatcherStart start, SupervisorLink supervisor, RunLog log, RunEnd end)
      throws IOException {
    Map<String, String> environment = System.getenv();
    this.spec = start.spec();
    this.supervisor = supervisor;
    this.log = log;
    this.end = end;
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
    this.memory = new WatcherMemory(this::order, log);
    this.judge =
        new RunJudge(
            spec, log, actions, store, this::collectLater, memory::keepJudge, this::decided);
    this.attempt = new NodeAttempt(start, log, store, this::order, this::tell);
    this.interruption = new Interruption(spec, log, inbox, attempt.ranks(), this::order);
    this.aftermath = new Aftermath(spec, log, inbox);
    this.view = new StatusView(spec, attempt, store, log);
    this.stacks = new RankStacks(inbox, attempt.ranks());
    this.desk =
        new Desk(spec, log, judge, () -> Optional.ofNullable(rendezvous).map(Rendezvous::view));
    this.status = view.now(state, null);
  }

  /** Until the run is over. */
  void work() throws InterruptedException {
    supervisor.listen(
        event -> inbox.post(() -> on(event)), why -> inbox.post(() -> supervisorGone(why)));
    inbox.work(LOOK_MILLIS, this::look);
  }

  /** On the rendezvous' thread, where this launcher leads: an attempt is over, and why is known. */
  private void decided(int ended, Decision decision) {
    desk.decided(ended, decision);
    inbox.post(() -> aftermath.begin(ended, true));
  }

  /** What this node knows of the run, for whoever asks; any thread may. */
  JobStatus status() {
    return status;
  }

  /** Where the ranks of this node are; any thread may ask. */
  Map<String, @Nullable Object> stacks(Fields question) {
    return stacks.answer(question);
  }

  /** Ends the job as if a signal had come; any thread may. */
  void endFromOutside(String why) {
    inbox.post(() -> asked(15, why));
  }

  private void on(Event event) {
    switch (event) {
      case Event.Ready ready -> ready(ready);
      case Event.Started started -> attempt.started(started);
      case Event.NotStarted failed -> attempt.notStarted(failed);
      case Event.Exited exited -> attempt.exited(exited);
      case Event.Output output -> attempt.wrote(output);
      case Event.StandbyReady ready -> attempt.standbyReady(ready);
      case Event.StandbyLost lost -> attempt.standbyLost(lost);
      case Event.Stopped stopped -> stopped(stopped);
      case Event.Asked asked -> asked(asked.signal(), "signal " + asked.signal());
      case Event.LeaseLost lost -> leaseLost(lost);
      case Event.ServiceLine line -> own.line(line.line());
      case Event.ServiceEnded _ -> storeEnded();
      case Event.Trouble trouble -> {
        log.moment(Kinds.TROUBLE, "what", trouble.what());
        log.say(trouble.what());
      }
    }
    show();
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
    Optional<Memory> kept = memory.recall(ready, judge);
    if (kept.isEmpty() && ready.attempt() >= 0) {
      // Nobody knows what these ranks belong to: they must be gone before anything begins.
      leftOver = ready.attempt();
      order(new Order.Stop(leftOver, Duration.ZERO));
    } else if (kept.isEmpty()) {
      join(Optional.empty());
    } else {
      resume(kept.get(), ready);
    }
  }

  private void join(Optional<Memory> kept) {
    rendezvous = Meeting.join(spec, arbiter, this, judge, store, memory::keepRendezvous, kept);
  }

  /** Goes on beside ranks that never noticed that nobody watched. */
  private void resume(Memory kept, Event.Ready ready) {
    Optional<Assignment> running = kept.running().filter(it -> it.attempt() == ready.attempt());
    if (running.isPresent()) {
      state = "running";
      attempt.takeOver(running.get(), ready.ranks());
    }
    join(Optional.of(kept));
    if (running.isPresent()) {
      ready.ranks().stream()
          .filter(Event.RankState::exited)
          .forEach(rank -> attempt.exited(rank.exit(ready.attempt())));
    } else if (rendezvous != null) {
      rendezvous.stopped(kept.attempt());
    }
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
    inbox.post(interruption::collect);
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
    state = "running";
    attempt.begin(given);
    show();
  }

  private void tell(RankEvidence evidence) {
    if (rendezvous != null) {
      rendezvous.exited(evidence);
    }
  }

  private void interrupt(int ofAttempt, Duration grace, String why, boolean hang) {
    state = "stopping";
    log.moment(Kinds.STOP_BEGUN, "attempt", ofAttempt, "why", why);
    interruption.begin(ofAttempt, grace, hang);
    show();
  }

  private void stopped(Event.Stopped event) {
    log.moment(Kinds.STOPPED, "attempt", event.attempt(), "left", event.left());
    if (!event.left().isEmpty()) {
      log.finding(
          event.attempt(),
          "fatal",
          "processes that will not die, probably stuck in a driver: " + event.left());
    }
    boolean wellDone = led && attempt.ranks().allDone(); // nobody leads when the job is over
    if (event.attempt() != leftOver && !endsAsAsked && !leads() && !wellDone) {
      aftermath.begin(event.attempt(), false);
    }
    if (rendezvous != null) {
      rendezvous.stopped(event.attempt());
    } else if (event.attempt() == leftOver) {
      join(Optional.empty());
    }
  }

  private void asked(int signal, String why) {
    endsAsAsked = true;
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

  private void storeEnded() {
    own.ended();
    if (!state.equals("finished")) {
      log.finding(attempt.ranks().attempt(), "fatal", "the store's process ended by itself");
    }
  }

  private void look() {
    led = state.equals("finished") ? led : leads();
    interruption.second();
    List<RankActivity> seen = attempt.look();
    if (state.equals("running")) {
      attempt.prepareNext();
    }
    if (rendezvous != null && !seen.isEmpty()) {
      rendezvous.activity(seen);
    }
    if (!state.equals("finished")) {
      JobDescription.State now = JobDescription.State.valueOf(state.toUpperCase(Locale.ROOT));
      desk.look(led, now, attempt.ranks());
    }
    show();
  }

  private void collectLater(Diagnosis hang) {
    inbox.post(
        () -> {
          if (rendezvous != null) {
            rendezvous.collect();
          }
        });
  }

  private void over(int exitCode, String why) {
    if (state.equals("finished")) {
      return;
    }
    state = "finished";
    int last = attempt.ranks().attempt();
    if (exitCode == 0 && last >= 0) {
      log.moment(Kinds.ATTEMPT_ENDED, "attempt", last, "outcome", "done");
    } else if (exitCode > 128) {
      log.moment(Kinds.ATTEMPT_ENDED, "attempt", last, "outcome", "stopped");
    }
    log.moment(Kinds.JOB_ENDED, "exitCode", exitCode, "why", why);
    led |= leads();
    if (led) {
      actions.begin(ActionSpec.Event.END, last, null, null);
    }
    aftermath.await();
    end.tell(exitCode, why, led);
    desk.look(
        led,
        exitCode == 0 ? JobDescription.State.FINISHED : JobDescription.State.FAILED,
        attempt.ranks());
    desk.close();
    actions.afterwards(() -> inbox.post(() -> order(new Order.Finish(exitCode))));
    show();
  }

  private void supervisorGone(String why) {
    if (!state.equals("finished")) {
      log.finding(attempt.ranks().attempt(), "fatal", why + ": ending what is left of its ranks");
      try {
        interruption.endRemains();
      } finally {
        if (rendezvous != null) {
          goodbye(rendezvous, why);
        }
      }
    }
    inbox.close();
  }

  private static void goodbye(Rendezvous rendezvous, String why) {
    try {
      rendezvous.gone(1, why);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
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

  private void show() {
    status = view.now(state, rendezvous);
  }
}
