package dev.holdfast.control.decide;

import dev.holdfast.control.entry.DecisionEntry;
import dev.holdfast.control.entry.NodeEntry;
import dev.holdfast.control.entry.Service;
import dev.holdfast.control.entry.Stand;
import dev.holdfast.control.state.ActionView;
import dev.holdfast.control.state.DecisionView;
import dev.holdfast.control.state.FindingKey;
import dev.holdfast.control.state.JobView;
import dev.holdfast.control.state.NodeView;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.policy.Rung;
import dev.holdfast.core.report.Request;
import java.time.Duration;
import java.util.List;

/** Turns a decision that acts into moves of the node and requests to its agent and its job. */
final class Acting {
  static final Duration PATIENCE = Duration.ofMinutes(10);

  private Acting() {}

  static void begin(String decision, Outbox out) {
    DecisionView view = out.state.decision(decision).orElseThrow();
    Rung rung = view.made().rung();
    Subject subject = Subject.parse(view.made().subject());
    String node = FindingKey.nodeOf(subject);
    switch (rung) {
      case NOTE -> done(view, "noted", out);
      case WATCH -> {
        if (out.state.node(node).map(it -> it.service() == Service.IN).orElse(false)) {
          move(node, Service.SUSPECT, view, out);
        }
        done(view, "watched", out);
      }
      case RESTART_PROCESS ->
          ask("node/" + node, Request.Kind.RESTART_PROCESS, subject, List.of(), view, out);
      case RESET_DEVICE -> {
        if (out.state.jobOn(node).isPresent()) {
          out.add(
              new DecisionEntry.Settled(
                  decision, Stand.HELD, Decider.SELF, "a job runs there; it is reset afterwards"));
        } else {
          ask("node/" + node, Request.Kind.RESET_DEVICE, subject, List.of(), view, out);
        }
      }
      case DRAIN_AFTER_JOB, DRAIN_AT_CHECKPOINT, DRAIN_NOW, REPLACE, RMA -> drain(view, node, out);
    }
  }

  private static void drain(DecisionView view, String node, Outbox out) {
    if (out.state.node(node).map(NodeView::service).orElse(Service.IN).takesJobs()) {
      move(node, Service.DRAINING, view, out);
    }
    Subject subject = new Subject.Node(node);
    String keeper = out.state.node(node).map(NodeView::doorkeeper).orElse("node/" + node);
    ask(keeper, Request.Kind.CORDON, subject, List.of(), view, out);
    List<JobView> jobs = out.state.jobsOn(node);
    boolean left = out.state.node(node).map(it -> Schedulers.left(it, out)).orElse(true);
    if (jobs.isEmpty() && left) {
      Lifecycle.drained(node, out);
    }
    jobs.forEach(it -> leave(view, node, it, out));
  }

  /**
   * Asks the launcher of a job to leave the node, or the scheduler where no launcher tells of it. A
   * scheduler knows of no checkpoints, and a job that may stay until one may stay until it ends.
   */
  static void leave(DecisionView view, String node, JobView job, Outbox out) {
    boolean scheduler = Schedulers.is(job.source());
    Request.Kind kind =
        switch (view.made().rung()) {
          case DRAIN_AFTER_JOB -> Request.Kind.AVOID_NODE;
          case DRAIN_AT_CHECKPOINT ->
              scheduler ? Request.Kind.AVOID_NODE : Request.Kind.STOP_AT_CHECKPOINT;
          default -> Request.Kind.RESTART_JOB;
        };
    out.add(
        new DecisionEntry.Intended(
            view.id(),
            job.source(),
            new Request(
                "a-" + (out.state.actionCount() + 1),
                kind,
                new Subject.Node(node),
                List.of(),
                job.job().job(),
                scheduler ? job.job().attempt() : -1,
                view.made().reason(),
                out.now.plus(PATIENCE))));
  }

  static void ask(
      String target,
      Request.Kind kind,
      Subject subject,
      List<String> checks,
      DecisionView view,
      Outbox out) {
    String id = "a-" + (out.state.actionCount() + 1);
    out.add(
        new DecisionEntry.Intended(
            view.id(),
            target,
            new Request(id, kind, subject, checks, view.made().reason(), out.now.plus(PATIENCE))));
  }

  /** Whether it is so long ago that the action was answered, or at least asked for. */
  static boolean rested(ActionView action, Duration rest, Outbox out) {
    return !out.now.isBefore(action.ended().orElse(action.at()).plus(rest));
  }

  static void move(String node, Service to, DecisionView view, Outbox out) {
    out.add(
        new NodeEntry.Moved(
            node, to, view.made().incident(), view.made().actor(), view.made().reason()));
  }

  static void done(DecisionView view, String what, Outbox out) {
    out.add(new DecisionEntry.Settled(view.id(), Stand.DONE, Decider.SELF, what));
  }
}
