package dev.holdfast.control.replay;

import dev.holdfast.control.decide.Decider;
import dev.holdfast.control.decide.Input;
import dev.holdfast.control.decide.Wish;
import dev.holdfast.control.entry.Batch;
import dev.holdfast.control.entry.DecisionEntry;
import dev.holdfast.control.entry.DecisionEntry.Decided;
import dev.holdfast.control.entry.Entry;
import dev.holdfast.control.entry.FindingEntry;
import dev.holdfast.control.entry.JobEntry;
import dev.holdfast.control.entry.KeptEntry;
import dev.holdfast.control.entry.NodeEntry;
import dev.holdfast.control.entry.RuleEntry;
import dev.holdfast.control.entry.Service;
import dev.holdfast.control.entry.SourceEntry;
import dev.holdfast.control.entry.Stand;
import dev.holdfast.control.state.ActionView;
import dev.holdfast.control.state.ClusterState;
import dev.holdfast.control.state.Cursor;
import dev.holdfast.control.state.DecisionView;
import dev.holdfast.control.state.FindingKey;
import dev.holdfast.control.state.NodeView;
import dev.holdfast.core.cluster.JobDescription;
import dev.holdfast.core.cluster.JobProgress;
import dev.holdfast.core.cluster.SchedulerNode;
import dev.holdfast.core.health.Finding;
import dev.holdfast.core.policy.Policy;
import dev.holdfast.core.policy.Rung;
import dev.holdfast.core.report.Report;
import dev.holdfast.core.report.Request;
import dev.holdfast.core.report.Statement;
import dev.holdfast.core.report.Statement.Answer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The recorded history once more, decided by one policy.
 *
 * <p>What agents, launchers and people said is fed as it was recorded; what followed from it is
 * decided anew. Where that asks for something that was not asked for then, nobody knows what would
 * have come of it. It is taken to succeed a minute later: a check run again passes, a job that is
 * asked to leave a node leaves it (at its next checkpoint, if that was asked), and is told without
 * that node from then on.
 */
final class Rerun {
  /** How long something takes that was never asked for. */
  private static final Duration SUCCEEDS_AFTER = Duration.ofMinutes(1);

  /** Between two looks at what waits for a moment. */
  private static final Duration STEP = Duration.ofSeconds(5);

  /** The same when nothing has happened for a while. */
  private static final Duration LONG_STEP = Duration.ofMinutes(1);

  private static final Duration LIVELY = Duration.ofMinutes(20);

  private final ClusterState state = new ClusterState();
  private final Ledger ledger = new Ledger(state);
  private final List<Supposed> supposed = new ArrayList<>();
  private final Set<Leaving> left = new HashSet<>();
  private final Decider decider;
  private final Recorded recorded;
  private final boolean ownPolicy;
  private Instant time = Instant.MIN;
  private Instant lively = Instant.MIN;
  private long unmatchedWishes;

  /** Something asked for, which is over then unless the record says otherwise. */
  private record Supposed(Instant due, String action) {}

  private record Leaving(String job, String node) {}

  /**
   * @param first the policy until one is set
   * @param reader of policies that are set; empty: {@code first} holds all along
   */
  Rerun(Policy first, Optional<Function<String, Policy>> reader, Recorded recorded) {
    this.decider = new Decider(state, first, reader.orElse(_ -> first));
    this.ownPolicy = reader.isEmpty();
    this.recorded = recorded;
  }

  ClusterState state() {
    return state;
  }

  Ledger ledger() {
    return ledger;
  }

  long unmatchedWishes() {
    return unmatchedWishes;
  }

  void add(Batch batch) {
    advance(batch.at());
    lively = batch.at();
    for (Entry entry : batch.entries()) {
      feed(entry);
    }
    decide(new Input.Tick());
  }

  void end() {
    ledger.end(time);
  }

  private void advance(Instant to) {
    if (time.equals(Instant.MIN)) {
      time = to;
    }
    while (!idle()) {
      Duration step = time.isBefore(lively.plus(LIVELY)) ? STEP : LONG_STEP;
      Instant next = time.plus(step);
      for (Supposed each : supposed) {
        next = each.due().isBefore(next) ? each.due() : next;
      }
      if (!next.isBefore(to)) {
        break;
      }
      time = next;
      suppose();
      decide(new Input.Tick());
    }
    time = to;
    suppose();
  }

  /** Whether time alone changes nothing. */
  private boolean idle() {
    return state.openIncidents().isEmpty()
        && state.notInService().isEmpty()
        && state.expiring().isEmpty()
        && supposed.isEmpty()
        && state.openActions().isEmpty();
  }

  // What was recorded, as inputs.

  private void feed(Entry entry) {
    switch (entry) {
      case SourceEntry.Lost it ->
          say(it.source(), new Statement.Lost(it.count(), it.from(), it.until()));
      case SourceEntry it -> state.apply(it, time);
      case NodeEntry.Described it ->
          say("node/" + it.node().node(), new Statement.Described(it.node()));
      case NodeEntry.Scheduled it ->
          say(it.scheduler(), new Statement.Scheduled(it.node(), it.again()));
      case NodeEntry.Silent it -> decide(new Input.Silence(it.node(), it.silent(), it.since()));
      case NodeEntry.Noted it -> wish(it.actor(), new Wish.Note(it.subject(), it.text()));
      case NodeEntry.Moved it -> moved(it);
      case FindingEntry.Raised it -> raised(it);
      case FindingEntry.Extended it -> extended(it);
      case FindingEntry.Cleared it -> cleared(it);
      case JobEntry.Told it -> say(it.source(), new Statement.JobTold(without(it.job())));
      case JobEntry.Here it ->
          say("node/" + it.node(), new Statement.JobHere(it.job(), it.user(), it.here()));
      case JobEntry.Stepped it -> stepped(it.progress());
      case JobEntry.Decided it ->
          say(
              "run/" + it.job(),
              new Statement.JobDecided(
                  it.job(), it.attempt(), it.choice(), it.without(), it.why()));
      case RuleEntry it -> rule(it);
      case KeptEntry it -> state.apply(it, time);
      case Decided it -> drained(it);
      case DecisionEntry.Settled it -> settled(it);
      case DecisionEntry.Ended it -> ended(it);
      // What follows from these is decided anew.
      default -> {}
    }
  }

  private void raised(FindingEntry.Raised raised) {
    say(
        raised.source(),
        raised.external().isEmpty()
            ? new Statement.Raised(raised.finding(), raised.count())
            : new Statement.External(
                raised.external(),
                raised.finding().kind() == Finding.Kind.EVENT
                    ? Statement.External.Assertion.ONCE
                    : Statement.External.Assertion.OCCUR,
                raised.finding(),
                raised.affects(),
                raised.expires()));
  }

  private void extended(FindingEntry.Extended extended) {
    state
        .finding(new FindingKey(extended.check(), extended.subject()))
        .filter(it -> it.holds() && !it.external().isEmpty())
        .ifPresent(
            it ->
                say(
                    it.source(),
                    new Statement.External(
                        it.external(),
                        Statement.External.Assertion.OCCUR,
                        it.finding(),
                        it.affects(),
                        Optional.of(extended.expires()))));
  }

  private void cleared(FindingEntry.Cleared cleared) {
    String source =
        state
            .finding(new FindingKey(cleared.check(), cleared.subject()))
            .map(it -> it.source())
            .orElse("");
    if (!source.isEmpty()) {
      say(source, new Statement.Cleared(cleared.check(), cleared.subject(), cleared.why()));
    }
  }

  private void rule(RuleEntry entry) {
    switch (entry) {
      case RuleEntry.PolicySet it -> {
        if (!ownPolicy) {
          wish(it.actor(), new Wish.SetPolicy(it.yaml()));
        }
      }
      case RuleEntry.Paused it ->
          wish(it.actor(), it.paused() ? new Wish.Pause(it.why()) : new Wish.Resume(it.why()));
      case RuleEntry.Tripped it -> {
        if (!it.tripped()) {
          wish(it.actor(), new Wish.ResetGuard(it.why()));
        }
      }
    }
  }

  private void drained(Decided made) {
    if (person(made.actor()) && made.rule().isEmpty() && made.incident().isEmpty()) {
      wish(
          made.actor(),
          new Wish.Drain(
              made.subject().substring("node/".length()),
              made.rung() == Rung.DRAIN_NOW,
              made.reason()));
    }
  }

  private void moved(NodeEntry.Moved moved) {
    boolean back = moved.to() == Service.VERIFYING || moved.to() == Service.IN;
    if (back && person(moved.actor())) {
      wish(moved.actor(), new Wish.Undrain(moved.node(), moved.why()));
    }
  }

  private void settled(DecisionEntry.Settled settled) {
    if (!person(settled.actor())) {
      return;
    }
    Optional<String> here = counterpart(settled.decision());
    if (here.isEmpty()) {
      unmatchedWishes++;
    } else if (settled.stand() == Stand.ACTING) {
      wish(settled.actor(), new Wish.Approve(here.get(), settled.why()));
    } else if (settled.stand() == Stand.REJECTED) {
      wish(settled.actor(), new Wish.Reject(here.get(), settled.why()));
    }
  }

  /** The decision here about what that decision of the record was about. */
  private Optional<String> counterpart(String decision) {
    return recorded
        .decision(decision)
        .flatMap(it -> recorded.origin(it.incident()))
        .flatMap(it -> Optional.ofNullable(ledger.incidents().get(it)))
        .flatMap(state::incident)
        .flatMap(
            it ->
                it.decisions().reversed().stream()
                    .flatMap(id -> state.decision(id).stream())
                    .filter(each -> !each.stand().over())
                    .map(DecisionView::id)
                    .findFirst());
  }

  private void ended(DecisionEntry.Ended ended) {
    recorded
        .ending(ended.action())
        .flatMap(
            what ->
                state.openActions(what.target()).stream()
                    .filter(it -> Recorded.Asked.of(it.target(), it.request()).equals(what))
                    .findFirst())
        .ifPresent(it -> answer(it, ended.answer(), ended.detail()));
  }

  // What was never asked for, and what is taken to have come of it.

  private void suppose() {
    for (Supposed each : List.copyOf(supposed)) {
      if (each.due().isAfter(time)) {
        continue;
      }
      supposed.remove(each);
      ActionView action = state.action(each.action()).orElseThrow();
      if (recorded.asks(Recorded.Asked.of(action.target(), action.request()))) {
        continue; // the record will tell
      }
      if (action.answer().isEmpty()) {
        answer(action, Answer.DONE, "supposed: it was not asked for then");
      }
      leave(action);
    }
  }

  private void leave(ActionView action) {
    Request.Kind kind = action.request().kind();
    String node = FindingKey.nodeOf(action.request().subject());
    boolean out = state.node(node).map(it -> !it.service().takesJobs()).orElse(false);
    if (!out || kind != Request.Kind.RESTART_JOB && kind != Request.Kind.STOP_AT_CHECKPOINT) {
      return;
    }
    state
        .jobOn(node)
        .filter(it -> it.source().equals(action.target()))
        .ifPresent(
            it -> {
              left.add(new Leaving(it.job().job(), node));
              say(it.source(), new Statement.JobTold(without(it.job())));
              emptied(node);
            });
  }

  /** To its scheduler a node is empty then, unless another job is there. */
  private void emptied(String name) {
    NodeView node = state.node(name).orElseThrow();
    if (state.jobOn(name).isEmpty() && node.scheduling().isPresent()) {
      SchedulerNode told = node.scheduling().get().node();
      say(
          node.doorkeeper(),
          new Statement.Scheduled(
              new SchedulerNode(
                  name, told.state(), false, false, node.service() != Service.IN, told.reason()),
              false));
    }
  }

  /** A job as it would be without the nodes it left here. */
  private JobDescription without(JobDescription job) {
    left.removeIf(
        it ->
            it.job().equals(job.job())
                && state.node(it.node()).map(NodeView::service).orElse(Service.IN).takesJobs());
    if (left.stream().noneMatch(it -> it.job().equals(job.job()))) {
      return job;
    }
    return new JobDescription(
        job.job(),
        job.user(),
        job.state(),
        job.attempt(),
        job.restarts(),
        job.begun(),
        job.members().stream()
            .filter(it -> !left.contains(new Leaving(job.job(), it.node())))
            .toList(),
        job.step(),
        job.stepSeconds(),
        job.checkpoint(),
        job.checkpointSeconds(),
        job.losses());
  }

  private Instant due(DecisionEntry.Intended intended) {
    Instant soon = time.plus(SUCCEEDS_AFTER);
    if (intended.request().kind() != Request.Kind.STOP_AT_CHECKPOINT) {
      return soon;
    }
    return state.jobs().stream()
        .filter(it -> it.source().equals(intended.target()))
        .flatMap(
            it ->
                it.job().checkpoint().stream()
                    .map(at -> at.plusMillis((long) (it.job().checkpointSeconds() * 1000))))
        .filter(it -> it.isAfter(soon))
        .findFirst()
        .orElse(soon);
  }

  // The deciding code itself.

  private void answer(ActionView action, Answer how, String detail) {
    say(action.target(), new Statement.Answered(action.request().id(), how, detail));
  }

  private void say(String source, Statement statement) {
    Cursor cursor = state.cursor(source);
    decide(
        new Input.Recorded(
            new Report(
                source, Math.max(1, cursor.epoch()), cursor.sequence() + 1, time, statement)));
  }

  private void stepped(JobProgress progress) {
    state.job(progress.job()).ifPresent(it -> say(it.source(), new Statement.JobStepped(progress)));
  }

  private void wish(String actor, Wish wish) {
    decide(new Input.Wished(actor.replaceFirst("^person/", ""), wish));
  }

  private static boolean person(String actor) {
    return actor.startsWith("person/");
  }

  private void decide(Input input) {
    for (Entry entry : decider.decide(input, time).entries()) {
      lively = entry instanceof SourceEntry ? lively : time;
      ledger.add(entry, time);
      if (entry instanceof DecisionEntry.Intended it) {
        supposed.add(new Supposed(due(it), it.request().id()));
      }
    }
  }
}
