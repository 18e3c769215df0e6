package dev.holdfast.control.slurm;

import dev.holdfast.control.state.ActionView;
import dev.holdfast.control.state.ClusterState;
import dev.holdfast.control.state.JobView;
import dev.holdfast.control.state.NodeView;
import dev.holdfast.core.cluster.JobDescription;
import dev.holdfast.core.report.Request;
import dev.holdfast.core.report.Statement.Answer;
import dev.holdfast.core.slurm.SlurmJob;
import dev.holdfast.core.text.Hostlist;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Keeps a requeued job from the node it was taken from, also when the node is back before the job
 * starts. Where the job cannot start without that node it would wait for ever, so the exclusion is
 * taken back once the node is in service and the job still waits. Which exclusions are ours stands
 * in the answers of the requests that made them, so nothing is forgotten when this process ends.
 */
final class Exclusions {
  /** Stands in the answer of a request that excluded a node, before its name. */
  static final String WORDS = "excluded ";

  /** So long a job looks for other nodes first, where the node is back by then. */
  static final Duration PATIENCE = Duration.ofSeconds(30);

  private final SlurmPrograms programs;
  private final CommandReader reader;

  Exclusions(SlurmPrograms programs, CommandReader reader) {
    this.programs = programs;
    this.reader = reader;
  }

  /** Tells whether it could be: only a job that waits can be given other nodes. */
  boolean add(SlurmJob job, String node) throws SlurmAway {
    Optional<List<String>> excluded = excluded(job);
    if (excluded.isEmpty() || excluded.get().contains(node)) {
      return excluded.isPresent();
    }
    List<String> more = new ArrayList<>(excluded.get());
    more.add(node);
    return set(job, more);
  }

  private boolean remove(String id, String node) throws SlurmAway {
    try {
      Optional<SlurmJob> job = reader.job(SlurmHand.number(id).orElse(0L));
      Optional<List<String>> excluded = job.isEmpty() ? Optional.empty() : excluded(job.get());
      if (excluded.isEmpty() || !excluded.get().contains(node)) {
        return false;
      }
      return set(job.get(), excluded.get().stream().filter(it -> !it.equals(node)).toList());
    } catch (SlurmAway.Garbled unread) {
      return false; // it waits a little longer
    }
  }

  private Optional<List<String>> excluded(SlurmJob job) throws SlurmAway {
    return job.single() ? reader.details(job).map(SlurmJob::excluded) : Optional.empty();
  }

  private boolean set(SlurmJob job, List<String> nodes) throws SlurmAway {
    try {
      programs.ask(
          "scontrol",
          "update",
          "jobid=" + job.handle(),
          "excnodelist=" + (nodes.isEmpty() ? "" : Hostlist.compress(nodes)));
      return true;
    } catch (SlurmRefusal running) {
      return false;
    }
  }

  /** Takes back what keeps a waiting job from a node that is in order again; tells how many. */
  int lift(ClusterState state, String scheduler, Instant now) throws SlurmAway {
    int lifted = 0;
    for (JobView job : state.jobs()) {
      boolean waits =
          job.source().equals(scheduler)
              && job.job().state() == JobDescription.State.WAITING
              && now.isAfter(job.told().plus(PATIENCE));
      if (!waits) {
        continue;
      }
      for (String node : ours(job.id(), scheduler, state)) {
        boolean back = state.node(node).map(Exclusions::open).orElse(false);
        lifted += back && remove(job.id(), node) ? 1 : 0;
      }
    }
    return lifted;
  }

  private static boolean open(NodeView node) {
    return node.service().takesJobs()
        && node.scheduling().map(it -> it.node().takesJobs()).orElse(false);
  }

  private static List<String> ours(String job, String scheduler, ClusterState state) {
    return state.decisions().stream()
        .flatMap(it -> it.actions().stream())
        .flatMap(id -> state.action(id).stream())
        .filter(it -> it.target().equals(scheduler) && it.request().job().equals(job))
        .filter(it -> it.request().kind() == Request.Kind.RESTART_JOB)
        .filter(it -> it.answer().equals(Optional.of(Answer.DONE)) && it.detail().contains(WORDS))
        .map(ActionView::detail)
        .map(it -> it.substring(it.lastIndexOf(WORDS) + WORDS.length()))
        .distinct()
        .toList();
  }
}
