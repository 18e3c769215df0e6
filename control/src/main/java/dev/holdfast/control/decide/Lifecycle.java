package dev.holdfast.control.decide;

import dev.holdfast.control.entry.DecisionEntry;
import dev.holdfast.control.entry.IncidentEntry;
import dev.holdfast.control.entry.NodeEntry;
import dev.holdfast.control.entry.Service;
import dev.holdfast.control.entry.Stand;
import dev.holdfast.control.state.ActionView;
import dev.holdfast.control.state.DecisionView;
import dev.holdfast.control.state.FindingKey;
import dev.holdfast.control.state.FindingView;
import dev.holdfast.control.state.IncidentView;
import dev.holdfast.control.state.JobView;
import dev.holdfast.control.state.NodeView;
import dev.holdfast.core.cluster.JobDescription;
import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.policy.Rung;
import dev.holdfast.core.report.Request;
import dev.holdfast.core.report.Statement.Answer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The way of a node out of service and back. It comes back only through the checks that failed; a
 * state it could not leave does not exist.
 */
final class Lifecycle {
  /** Between two tries of the checks that failed. */
  static final Duration AGAIN = Duration.ofMinutes(10);

  /** How long after its last event an incident that needs nothing more is over. */
  static final Duration QUIET = Duration.ofMinutes(15);

  private Lifecycle() {}

  /** Nobody uses the node any more. */
  static void drained(String node, Outbox out) {
    NodeView view = out.state.node(node).orElseThrow();
    if (view.service() != Service.DRAINING) {
      return;
    }
    boolean people = acting(node, out).anyMatch(it -> it.made().rung().atLeast(Rung.REPLACE));
    Service to = people ? Service.OUT : Service.DRAINED;
    out.add(new NodeEntry.Moved(node, to, view.incident(), view.actor(), view.why()));
    acting(node, out).toList().forEach(it -> Acting.done(it, "nobody uses the node", out));
  }

  private static Stream<DecisionView> acting(String node, Outbox out) {
    return out.state.decisionsAbout(node).stream()
        .filter(it -> it.stand() == Stand.ACTING && it.made().rung().takesNodeOut());
  }

  /** Looks at a node after something about it changed, or time went on. */
  static void look(String name, Outbox out) {
    NodeView node = out.state.node(name).orElse(null);
    if (node == null) {
      return;
    }
    switch (node.service()) {
      case DRAINING -> {
        List<JobView> jobs = out.state.jobsOn(name);
        if (jobs.isEmpty() && Schedulers.left(node, out)) {
          drained(name, out);
        }
        jobs.stream()
            .filter(it -> it.job().state() != JobDescription.State.STOPPING)
            .forEach(it -> remind(name, it, acting(name, out).toList(), out));
      }
      case DRAINED -> {
        latecomers(node, out);
        boolean mended = held(name, node.incident(), out).isEmpty();
        boolean rested = !out.now.isBefore(node.serviceSince().plus(AGAIN)) || firstTry(node, out);
        boolean fit = node.silentSince().isEmpty() && ours(node) && Schedulers.left(node, out);
        if (mended && rested && fit) {
          verify(name, Decider.SELF, "what was wrong is not there any more", out);
        }
      }
      case SUSPECT -> {
        if (held(name, "", out).isEmpty() && !out.now.isBefore(node.serviceSince().plus(QUIET))) {
          out.add(new NodeEntry.Moved(name, Service.IN, "", Decider.SELF, "quiet again"));
        }
      }
      case IN, VERIFYING, OUT -> {}
    }
  }

  /**
   * Asks a job again that is still there: when another launcher leads it by now, or the one that
   * was asked did not say yes, or said yes to leaving at once and has not.
   */
  private static void remind(String node, JobView job, List<DecisionView> decisions, Outbox out) {
    for (DecisionView decision : decisions) {
      Optional<ActionView> last =
          decision.actions().stream()
              .flatMap(id -> out.state.action(id).stream())
              .filter(it -> it.request().kind().ofLauncher())
              .filter(it -> it.request().job().equals(job.job().job()))
              .filter(it -> it.request().attempt() < 0 || meant(it.request(), job))
              .reduce((_, later) -> later);
      boolean waits = last.filter(it -> it.answer().isEmpty()).isPresent();
      boolean same = last.filter(it -> it.target().equals(job.source())).isPresent();
      Duration rest = Schedulers.is(job.source()) ? Schedulers.rest(last) : AGAIN;
      boolean lately = last.filter(it -> !Acting.rested(it, rest, out)).isPresent();
      boolean promised =
          last.filter(it -> it.answer().equals(Optional.of(Answer.DONE)))
              .filter(it -> it.request().kind() != Request.Kind.RESTART_JOB)
              .isPresent();
      if (!waits && !(same && (lately || promised))) {
        Acting.leave(decision, node, job, out);
      }
    }
  }

  private static boolean meant(Request request, JobView job) {
    return request.attempt() == job.job().attempt();
  }

  /**
   * A scheduler that was killed may forget that a node is closed, and place a job there before it
   * is told again. What was decided of the jobs there holds for that one, too; or the node would
   * have to wait for its end.
   */
  private static void latecomers(NodeView node, Outbox out) {
    Optional<DecisionView> took =
        out.state.decisionsAbout(node.name()).stream()
            .filter(it -> it.made().rung().takesNodeOut() && it.stand() == Stand.DONE)
            .filter(it -> it.made().incident().equals(node.incident()))
            .reduce((_, last) -> last)
            .filter(
                _ -> ours(node) && node.scheduling().filter(it -> it.node().ours()).isPresent());
    out.state.jobsOn(node.name()).stream()
        .filter(it -> Schedulers.is(it.source()))
        .filter(it -> it.job().state() != JobDescription.State.STOPPING)
        .forEach(it -> remind(node.name(), it, took.stream().toList(), out));
  }

  private static boolean ours(NodeView node) {
    return node.actor().equals(Decider.SELF);
  }

  private static boolean firstTry(NodeView node, Outbox out) {
    return !out.state.verified(node.name(), node.incident());
  }

  /** What still holds of what took the node out, or of the whole node when no incident is named. */
  private static List<FindingView> held(String node, String incident, Outbox out) {
    return out.state.findingsOf(node).stream()
        .filter(FindingView::holds)
        .filter(it -> it.finding().severity().atLeast(dev.holdfast.core.health.Severity.DEGRADED))
        .filter(it -> incident.isEmpty() || it.incident().equals(incident))
        .toList();
  }

  /**
   * Has the checks that failed run again. Where none of the node's own did (a person took it out,
   * or somebody else told of the fault and that it is over) there is nothing to run, and it is
   * back.
   */
  static void verify(String name, String actor, String why, Outbox out) {
    NodeView node = out.state.node(name).orElseThrow();
    List<String> checks =
        Stream.concat(
                Incidents.findings(out.state, node.incident()).stream(),
                held(name, "", out).stream())
            .filter(it -> it.key().node().equals(name) && it.external().isEmpty())
            .map(it -> it.finding().check())
            .distinct()
            .toList();
    if (checks.isEmpty()) {
      back(node, actor, why + "; no check had failed there", out);
      out.state
          .incident(node.incident())
          .filter(IncidentView::open)
          .ifPresent(it -> close(it, out));
      return;
    }
    out.add(new NodeEntry.Moved(name, Service.VERIFYING, node.incident(), actor, why));
    String decision =
        out.state.decisionsAbout(name).stream()
            .filter(it -> it.made().incident().equals(node.incident()))
            .map(DecisionView::id)
            .findFirst()
            .orElse("");
    if (node.scheduling().isPresent()) {
      intend(decision, node.doorkeeper(), Request.Kind.RESERVE, name, checks, why, out);
    } else {
      intend(decision, "node/" + name, Request.Kind.VERIFY, name, checks, why, out);
    }
  }

  /**
   * The scheduler has reserved the node, or could not: it is verified all the same, for it is
   * drained. Unless somebody opened it meanwhile; then nothing is left to do here.
   */
  private static void reserved(ActionView action, Outbox out) {
    Request asked = action.request();
    String name = FindingKey.nodeOf(asked.subject());
    boolean verifying =
        out.state.node(name).map(it -> it.service() == Service.VERIFYING).orElse(false);
    intend(
        action.decision(),
        verifying ? "node/" + name : action.target(),
        verifying ? Request.Kind.VERIFY : Request.Kind.RELEASE,
        name,
        verifying ? asked.checks() : List.of(),
        verifying ? asked.why() : "it is not verified any more",
        out);
  }

  /** Before the node is let back, so that it is open when its scheduler says so. */
  private static void release(String name, ActionView verification, Outbox out) {
    out.state
        .node(name)
        .filter(it -> it.scheduling().isPresent())
        .ifPresent(
            it ->
                intend(
                    verification.decision(),
                    it.doorkeeper(),
                    Request.Kind.RELEASE,
                    name,
                    List.of(),
                    "the verification is over",
                    out));
  }

  private static void intend(
      String decision,
      String target,
      Request.Kind kind,
      String node,
      List<String> checks,
      String why,
      Outbox out) {
    out.add(
        new DecisionEntry.Intended(
            decision,
            target,
            new Request(
                "a-" + (out.state.actionCount() + 1),
                kind,
                new Subject.Node(node),
                checks,
                why,
                out.now.plus(Acting.PATIENCE))));
  }

  /** What came of something that was asked. */
  static void answered(ActionView action, Answer answer, String detail, Outbox out) {
    Request request = action.request();
    out.add(new DecisionEntry.Ended(request.id(), answer, detail));
    String name = FindingKey.nodeOf(request.subject());
    Optional<DecisionView> decision = out.state.decision(action.decision());
    switch (request.kind()) {
      case RESERVE -> reserved(action, out);
      case VERIFY -> {
        release(name, action, out);
        verified(name, answer, detail, out);
      }
      case RELEASE -> {}
      case RESTART_PROCESS, RESET_DEVICE ->
          decision
              .filter(it -> it.stand() == Stand.ACTING)
              .ifPresent(
                  it ->
                      out.add(
                          new DecisionEntry.Settled(
                              it.id(),
                              answer == Answer.DONE ? Stand.DONE : Stand.FAILED,
                              action.target(),
                              detail)));
      case AVOID_NODE, STOP_AT_CHECKPOINT, RESTART_JOB, CORDON, UNCORDON -> look(name, out);
      case CONFIRM -> Outside.answered(request, action.target(), answer, detail, out);
    }
  }

  private static void verified(String name, Answer answer, String detail, Outbox out) {
    NodeView node = out.state.node(name).orElse(null);
    if (node == null || node.service() != Service.VERIFYING) {
      return;
    }
    if (answer == Answer.DONE) {
      back(node, Decider.SELF, "verified: " + detail, out);
      out.state
          .incident(node.incident())
          .filter(IncidentView::open)
          .ifPresent(it -> out.add(new IncidentEntry.Closed(it.id(), "verified: " + detail)));
    } else {
      out.add(
          new NodeEntry.Moved(
              name,
              Service.DRAINED,
              node.incident(),
              node.actor(),
              "not verified (" + answer.word() + "): " + detail));
    }
  }

  /** The node takes jobs again, and whatever kept them away is told so. */
  static void back(NodeView node, String actor, String why, Outbox out) {
    String decision =
        out.state.decisionsAbout(node.name()).stream()
            .reduce((_, last) -> last)
            .map(DecisionView::id)
            .orElse("");
    out.add(new NodeEntry.Moved(node.name(), Service.IN, "", actor, why));
    intend(decision, node.doorkeeper(), Request.Kind.UNCORDON, node.name(), List.of(), why, out);
  }

  /** Closes an incident that needs nothing more. */
  static void close(IncidentView incident, Outbox out) {
    if (Incidents.each(out.state, incident).anyMatch(it -> needed(it, incident, out))) {
      return;
    }
    for (String id : incident.decisions()) {
      out.state
          .decision(id)
          .filter(it -> !it.stand().over())
          .ifPresent(
              it ->
                  out.add(
                      new DecisionEntry.Settled(
                          id, Stand.WITHDRAWN, Decider.SELF, "the fault is gone")));
    }
    out.add(new IncidentEntry.Closed(incident.id(), "nothing of it is left"));
  }

  /** Whether a finding keeps its incident open: it holds, is fresh, or its node is still out. */
  private static boolean needed(FindingView finding, IncidentView incident, Outbox out) {
    if (finding.holds()) {
      return true;
    }
    boolean recent =
        finding.finding().kind() == Finding.Kind.EVENT
            && out.now.isBefore(finding.last().plus(QUIET));
    return recent
        || out.state
            .node(finding.key().node())
            .filter(it -> !it.service().takesJobs() && it.incident().equals(incident.id()))
            .isPresent();
  }
}
