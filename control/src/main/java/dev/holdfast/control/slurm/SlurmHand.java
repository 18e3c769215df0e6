package dev.holdfast.control.slurm;

import dev.holdfast.control.decide.Schedulers;
import dev.holdfast.control.state.FindingKey;
import dev.holdfast.core.cluster.JobDescription;
import dev.holdfast.core.report.Request;
import dev.holdfast.core.report.Statement.Answer;
import dev.holdfast.core.slurm.OwnReason;
import dev.holdfast.core.slurm.SlurmJob;
import dev.holdfast.core.slurm.SlurmNode;
import java.util.Optional;

/**
 * Does in Slurm what was decided. Each request is looked at before anything is done: what is so
 * already is not done again, so a request that was carried out by an earlier life of this process,
 * or by one whose answer got lost, does no harm. What somebody else drained is never touched.
 */
final class SlurmHand {
  /** Slurm's own words for a node that does not answer; anything else was written by somebody. */
  private static final String SILENT = "Not responding";

  /** Stands first in the answer of a request that had a job requeued. */
  private static final String REQUEUED = Schedulers.REQUEUED;

  private final SlurmPrograms programs;
  private final CommandReader reader;
  private final Exclusions exclusions;
  private final Reservations reservations;
  private final boolean cancels;

  /**
   * @param cancels whether a job that must leave and may not be requeued is cancelled
   */
  SlurmHand(SlurmPrograms programs, CommandReader reader, Exclusions exclusions, boolean cancels) {
    this.programs = programs;
    this.reader = reader;
    this.exclusions = exclusions;
    this.reservations = new Reservations(programs, reader);
    this.cancels = cancels;
  }

  /** What came of a request. */
  record Outcome(Answer answer, String detail) {
    /** The job is on its way out; how it ends decides what is to be done. */
    static final Outcome NOT_YET = new Outcome(Answer.UNKNOWN, "on its way out");

    static Outcome done(String detail) {
      return new Outcome(Answer.DONE, detail);
    }

    static Outcome refused(String detail) {
      return new Outcome(Answer.REFUSED, detail);
    }
  }

  Outcome carryOut(Request request) throws SlurmAway {
    String node = FindingKey.nodeOf(request.subject());
    try {
      return switch (request.kind()) {
        case CORDON -> drain(node, request);
        case UNCORDON -> resume(node);
        case RESTART_JOB -> requeue(node, request);
        case AVOID_NODE -> avoid(node, request);
        case RESERVE -> reservations.make(node);
        case RELEASE -> reservations.remove(node);
        case VERIFY, RESTART_PROCESS, RESET_DEVICE, STOP_AT_CHECKPOINT, CONFIRM ->
            Outcome.refused("Slurm has no means for " + request.kind().word());
      };
    } catch (SlurmRefusal no) {
      return new Outcome(Answer.FAILED, "Slurm refused: " + no.getMessage());
    } catch (SlurmAway.Garbled unread) {
      return new Outcome(Answer.FAILED, String.valueOf(unread.getMessage()));
    }
  }

  private Outcome drain(String name, Request request) throws SlurmAway, SlurmRefusal {
    Optional<SlurmNode> found = reader.node(name);
    if (found.isEmpty()) {
      return Outcome.refused("Slurm has no node " + name);
    }
    SlurmNode node = found.get();
    if (node.drained()) {
      return Outcome.done(
          OwnReason.is(node.reason())
              ? "drained already"
              : "drained already by %s (%s), who is to resume it"
                  .formatted(who(node), node.reason()));
    }
    if (node.down() && !node.reason().isEmpty() && !node.reason().startsWith(SILENT)) {
      return Outcome.done(
          "down already by %s (%s), left as it is".formatted(who(node), node.reason()));
    }
    programs.ask(
        "scontrol",
        "update",
        "nodename=" + name,
        "state=drain",
        "reason=" + OwnReason.of(request.id(), request.why()));
    boolean drained = reader.node(name).map(SlurmNode::drained).orElse(false);
    return drained
        ? Outcome.done("drained")
        : new Outcome(Answer.FAILED, "Slurm took the order but does not drain " + name);
  }

  private Outcome resume(String name) throws SlurmAway, SlurmRefusal {
    Optional<SlurmNode> found = reader.node(name);
    if (found.isEmpty()) {
      return Outcome.refused("Slurm has no node " + name);
    }
    SlurmNode node = found.get();
    if (!node.drained()) {
      return Outcome.done("not drained");
    }
    if (!OwnReason.is(node.reason())) {
      return Outcome.refused(
          "drained by %s (%s), who is to resume it".formatted(who(node), node.reason()));
    }
    // Unlike resume this leaves a node that is down as it is: only the drain was ours.
    programs.ask("scontrol", "update", "nodename=" + name, "state=undrain");
    boolean drained = reader.node(name).map(SlurmNode::drained).orElse(false);
    return drained
        ? new Outcome(Answer.FAILED, "Slurm took the order but still drains " + name)
        : Outcome.done("resumed");
  }

  private static String who(SlurmNode node) {
    return node.reasonBy().isEmpty() ? "somebody" : node.reasonBy();
  }

  /**
   * Sees to it that the job has an attempt after the one that is meant, or leaves where it may not
   * be requeued and that is allowed. A job that failed while this was on its way is requeued, too:
   * it died of the same fault, or of the end slurmctld gave it before it was killed and forgot that
   * it should begin again. One that was cancelled, ran out of time or is done is left alone.
   */
  private Outcome requeue(String node, Request request) throws SlurmAway, SlurmRefusal {
    Optional<Long> id = number(request.job());
    if (id.isEmpty()) {
      return Outcome.refused(request.job() + " is no job of Slurm");
    }
    Optional<SlurmJob> found = reader.job(id.get());
    Optional<Outcome> settled = settled(found, node, request);
    if (settled.isPresent()) {
      return settled.get();
    }
    SlurmJob job = found.orElseThrow();
    if (!job.requeue()) {
      programs.ask("scancel", job.handle());
      return Outcome.done(
          "cancelled job %s, which may not be requeued (--no-requeue)".formatted(job.handle()));
    }
    programs.ask("scontrol", "requeue", job.handle());
    boolean excluded = exclusions.add(job, node);
    return Outcome.done(
        "%s %s%s"
            .formatted(REQUEUED, job.handle(), excluded ? ", " + Exclusions.WORDS + node : ""));
  }

  /** Why nothing is to be done about a job any more, or cannot be, or not yet. */
  private Optional<Outcome> settled(Optional<SlurmJob> found, String node, Request request)
      throws SlurmAway {
    if (found.isEmpty()) {
      return Optional.of(Outcome.done("Slurm knows the job no more"));
    }
    SlurmJob job = found.get();
    JobDescription.State state = job.state();
    boolean later = request.attempt() >= 0 && job.restarts() > request.attempt();
    boolean failed = job.states().contains("FAILED") || job.states().contains("NODE_FAIL");
    if (later || state == JobDescription.State.WAITING) {
      boolean excluded = state == JobDescription.State.WAITING && exclusions.add(job, node);
      return Optional.of(
          Outcome.done("requeued already" + (excluded ? ", " + Exclusions.WORDS + node : "")));
    }
    if (state == JobDescription.State.STOPPING) {
      return Optional.of(Outcome.NOT_YET);
    }
    if (state.over() && !(failed && job.requeue())) {
      return Optional.of(Outcome.done("the job is over: " + String.join("+", job.states())));
    }
    if (!failed && !job.nodes().contains(node)) {
      return Optional.of(Outcome.done("the job is not on " + node + " any more"));
    }
    if (!job.single()) {
      return Optional.of(Outcome.refused("one of several tasks in a record: " + job.handle()));
    }
    if (!job.requeue() && !cancels) {
      return Optional.of(
          Outcome.refused(
              "job %1$s may not be requeued (--no-requeue); it keeps %2$s until it ends or somebody runs scancel %1$s (--slurm-cancel)"
                  .formatted(job.handle(), node)));
    }
    return Optional.empty();
  }

  private Outcome avoid(String node, Request request) throws SlurmAway {
    boolean drained = reader.node(node).map(SlurmNode::drained).orElse(false);
    return drained
        ? Outcome.done(request.job() + " may end there; no job begins there")
        : Outcome.refused(node + " is not drained, so nothing keeps jobs from it");
  }

  /** Slurm's number of a job as it is called here. */
  static Optional<Long> number(String job) {
    String digits = job.startsWith("slurm-") ? job.substring("slurm-".length()) : "";
    return digits.matches("[0-9]{1,18}") ? Optional.of(Long.parseLong(digits)) : Optional.empty();
  }
}
