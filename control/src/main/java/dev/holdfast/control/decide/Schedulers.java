package dev.holdfast.control.decide;

import dev.holdfast.control.entry.DecisionEntry;
import dev.holdfast.control.entry.NodeEntry;
import dev.holdfast.control.entry.Service;
import dev.holdfast.control.entry.Stand;
import dev.holdfast.control.state.ActionView;
import dev.holdfast.control.state.DecisionView;
import dev.holdfast.control.state.JobView;
import dev.holdfast.control.state.NodeView;
import dev.holdfast.control.state.Scheduling;
import dev.holdfast.core.cluster.JobDescription;
import dev.holdfast.core.cluster.JobMembers;
import dev.holdfast.core.cluster.SchedulerNode;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.report.Request;
import dev.holdfast.core.report.Statement;
import dev.holdfast.core.report.Statement.Answer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What follows from what a scheduler says. Whether a node takes jobs is decided here and carried
 * out there, and the two can come apart: a scheduler that was killed forgets what it was told last,
 * an answer gets lost, an operator thinks otherwise. So whenever they differ it is asked for again,
 * except where a person undid it: what people do in their scheduler holds.
 */
public final class Schedulers {
  /** Schedulers report under names that begin so; nobody outside may use them. */
  public static final String PREFIX = "slurm/";

  /** Between two tries of what did not come off. */
  static final Duration RETRY = Duration.ofMinutes(1);

  /**
   * A job that was asked to leave begins to at once, and its scheduler says so within seconds. One
   * that still runs after this was forgotten: its scheduler was killed before it had written down
   * what it had agreed to.
   */
  static final Duration FORGETFUL = Duration.ofSeconds(10);

  /** How the answer begins that a job was requeued. */
  public static final String REQUEUED = "requeued job";

  /** So long after a job was requeued its end may be that requeue's, forgotten in a crash. */
  private static final Duration FORGOTTEN = Duration.ofMinutes(10);

  private Schedulers() {}

  static boolean is(String source) {
    return source.startsWith(PREFIX);
  }

  /** A scheduler says how a node is to it. */
  static void told(Statement.Scheduled told, String scheduler, Outbox out) {
    SchedulerNode now = told.node();
    NodeView node = out.state.node(now.node()).orElse(null);
    if (node == null) {
      return; // nobody looks after it, so there is nothing to decide
    }
    boolean same =
        node.scheduling()
            .map(it -> it.scheduler().equals(scheduler) && it.node().equals(now))
            .orElse(false);
    if (same && !(told.again() && differs(node))) {
      return;
    }
    out.add(new NodeEntry.Scheduled(scheduler, now, told.again()));
    agree(now.node(), told.again(), out);
    Lifecycle.look(now.node(), out);
  }

  /** Whether the scheduler does other than was decided. */
  static boolean differs(NodeView node) {
    return node.scheduling()
        .map(it -> node.service().takesJobs() ? it.node().ours() : it.node().takesJobs())
        .orElse(false);
  }

  /**
   * Has the scheduler do what was decided, where it does not.
   *
   * @param again whether it could not be asked for a while before, so that it may have forgotten
   */
  static void agree(String name, boolean again, Outbox out) {
    NodeView node = out.state.node(name).filter(Schedulers::differs).orElse(null);
    if (node == null) {
      return;
    }
    Scheduling scheduling = node.scheduling().orElseThrow();
    Optional<ActionView> last = last(node, scheduling.scheduler(), out);
    if (last.filter(it -> it.answer().isEmpty()).isPresent()) {
      return;
    }
    boolean outside = !node.service().takesJobs();
    Request.Kind wanted = outside ? Request.Kind.CORDON : Request.Kind.UNCORDON;
    boolean done =
        last.filter(it -> it.request().kind() == wanted)
            .filter(it -> it.answer().equals(Optional.of(Answer.DONE)))
            .isPresent();
    if (outside && done && !again) {
      undone(node, scheduling.scheduler(), out);
    } else if (again || last.map(it -> Acting.rested(it, RETRY, out)).orElse(true)) {
      ask(node, wanted, out);
    }
  }

  /** Before a job that still runs is asked to leave again. */
  static Duration rest(Optional<ActionView> asked) {
    boolean agreed = asked.flatMap(ActionView::answer).filter(it -> it == Answer.DONE).isPresent();
    return agreed ? FORGETFUL : RETRY;
  }

  /** The last thing asked of the scheduler about the node. */
  private static Optional<ActionView> last(NodeView node, String scheduler, Outbox out) {
    return out.state.decisionsAbout(node.name()).stream()
        .flatMap(it -> it.actions().stream())
        .flatMap(id -> out.state.action(id).stream())
        .filter(it -> it.target().equals(scheduler))
        .filter(
            it ->
                it.request().kind() == Request.Kind.CORDON
                    || it.request().kind() == Request.Kind.UNCORDON)
        .reduce((one, other) -> other.at().isBefore(one.at()) ? one : other);
  }

  /** Somebody let jobs on it again who is not us: it is in service, whatever we think of it. */
  private static void undone(NodeView node, String scheduler, Outbox out) {
    String why = "somebody let jobs on it again in " + scheduler;
    out.state.decisionsAbout(node.name()).stream()
        .filter(it -> it.stand() == Stand.ACTING)
        .toList()
        .forEach(it -> out.add(new DecisionEntry.Settled(it.id(), Stand.REJECTED, scheduler, why)));
    out.add(new NodeEntry.Moved(node.name(), Service.IN, "", scheduler, why));
  }

  private static void ask(NodeView node, Request.Kind kind, Outbox out) {
    Optional<DecisionView> decision =
        out.state.decisionsAbout(node.name()).stream()
            .filter(it -> it.made().rung().takesNodeOut())
            .reduce((_, last) -> last);
    out.add(
        new DecisionEntry.Intended(
            decision.map(DecisionView::id).orElse(""),
            node.doorkeeper(),
            new Request(
                "a-" + (out.state.actionCount() + 1),
                kind,
                new Subject.Node(node.name()),
                List.of(),
                kind == Request.Kind.CORDON ? node.why() : "nothing keeps it out any more",
                out.now.plus(Acting.PATIENCE))));
  }

  /**
   * Whether a scheduler that keeps the node, if it has one, has closed it and nobody is there. What
   * it said before it was asked to close or open the node, and has not answered that, does not
   * count: a node that seems closed may just be opening, and a job on its way there.
   */
  static boolean left(NodeView node, Outbox out) {
    return node.scheduling()
        .map(
            it ->
                !it.node().takesJobs()
                    && !it.node().used()
                    && last(node, it.scheduler(), out)
                        .filter(asked -> asked.answer().isEmpty())
                        .filter(asked -> it.at().isBefore(asked.at()))
                        .isEmpty())
        .orElse(true);
  }

  /**
   * A job failed in the attempt that was to be replaced: the scheduler had begun to end it, was
   * killed, and forgot why. It is asked for once more.
   */
  static void ended(JobDescription job, JobMembers left, String scheduler, Outbox out) {
    if (job.state() != JobDescription.State.FAILED) {
      return;
    }
    left.among(out.state.nodeNames()).stream()
        .flatMap(it -> out.state.decisionsAbout(it).stream())
        .flatMap(it -> it.actions().stream())
        .flatMap(id -> out.state.action(id).stream())
        .filter(it -> it.request().kind() == Request.Kind.RESTART_JOB)
        .filter(it -> it.target().equals(scheduler) && it.request().job().equals(job.job()))
        .reduce((one, other) -> other.at().isBefore(one.at()) ? one : other)
        .filter(it -> it.request().attempt() == job.attempt() && it.detail().startsWith(REQUEUED))
        .filter(it -> it.ended().map(at -> out.now.isBefore(at.plus(FORGOTTEN))).orElse(false))
        .ifPresent(it -> requeue(it, out));
  }

  private static void requeue(ActionView before, Outbox out) {
    Request request = before.request();
    out.add(
        new DecisionEntry.Intended(
            before.decision(),
            before.target(),
            new Request(
                "a-" + (out.state.actionCount() + 1),
                request.kind(),
                request.subject(),
                List.of(),
                request.job(),
                request.attempt(),
                request.why(),
                out.now.plus(Acting.PATIENCE))));
  }

  /**
   * Whether a scheduler's word about a job counts. Its launcher knows more; the scheduler alone
   * knows of what happens when no launcher runs: that the job waits, or is over.
   */
  public static boolean counts(JobDescription job, Optional<JobView> known) {
    if (known.map(it -> is(it.source())).orElse(true)) {
      return true;
    }
    String user = known.get().job().user();
    if (!job.user().isEmpty() && !user.isEmpty() && !user.equals(job.user())) {
      return true; // a name of ours that somebody took who does not have the job
    }
    boolean over = known.get().job().state().over();
    return job.state() == JobDescription.State.WAITING || job.state().over() && !over;
  }
}
