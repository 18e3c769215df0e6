package dev.holdfast.control.decide;

import dev.holdfast.control.entry.Ground;
import dev.holdfast.control.state.ClusterState;
import dev.holdfast.control.state.FindingView;
import dev.holdfast.control.state.JobView;
import dev.holdfast.control.state.NodeView;
import dev.holdfast.core.cluster.JobDescription;
import dev.holdfast.core.cluster.JobMember;
import dev.holdfast.core.cluster.JobProgress;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.report.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Whose is a job? It belongs to the source that first told of it, and goes to another in three
 * cases only: it is over, its scheduler told of it before its launcher did, or the node that told
 * of it is gone and another member of the present attempt leads. A node is gone when it is silent,
 * or when it was left out and something is wrong with it; until the control plane sees that, the
 * new leader is refused and says it again a minute later. It may leave out members that are gone,
 * and no others. After {@link #ABANDONED} of silence any member may say how the job is, because
 * otherwise one that lost two of its nodes would seem to run for ever.
 */
final class Ownership {
  /** So long after its owner fell silent a job is anybody's who is a member. */
  static final Duration ABANDONED = Duration.ofMinutes(10);

  private static final String NODE = "node/";

  private final ClusterState state;
  private final String source;
  private final Instant now;

  Ownership(ClusterState state, String source, Instant now) {
    this.state = state;
    this.source = source;
    this.now = now;
  }

  /** What is wrong with telling so of a job, if anything. */
  Optional<Objection> objection(JobDescription job) {
    JobView known = state.job(job.job()).orElse(null);
    boolean member = !agent() || job.uses(node());
    if (Schedulers.is(source)) {
      return Optional.empty(); // it is told what counts by Schedulers
    }
    if (known == null) {
      return member ? Optional.empty() : stranger(job);
    }
    if (!known.job().user().equals(job.user()) && !Schedulers.is(known.source())) {
      return objection("job %s is one of %s", job.job(), known.job().user());
    }
    if (known.source().equals(source)) {
      return member || known.job().uses(node()) ? Optional.empty() : stranger(job);
    }
    if (known.job().state().over()) {
      return member ? Optional.empty() : stranger(job);
    }
    if (Schedulers.is(known.source())) {
      return launched(job, known.job(), member);
    }
    return handedOver(job, known);
  }

  /** A launcher tells of a job its scheduler knows: on nodes the scheduler gave it. */
  private Optional<Objection> launched(
      JobDescription job, JobDescription scheduled, boolean member) {
    boolean placed = !scheduled.members().isEmpty();
    if (!member || agent() && placed && !scheduled.uses(node())) {
      return stranger(job);
    }
    return agent() && placed
        ? job.members().stream()
            .map(JobMember::node)
            .filter(it -> !scheduled.uses(it))
            .findFirst()
            .flatMap(it -> objection("job %s has no node %s", job.job(), it))
        : Optional.empty();
  }

  private Optional<Objection> handedOver(JobDescription job, JobView known) {
    if (!agent() || !known.job().uses(node()) || !job.uses(node())) {
      return belongs(known);
    }
    Optional<NodeView> owner = owner(known);
    if (owner.flatMap(NodeView::silentSince).filter(this::longAgo).isPresent()) {
      return Optional.empty();
    }
    String left = owner.map(NodeView::name).orElse("");
    boolean silent = owner.flatMap(NodeView::silentSince).isPresent();
    boolean gone = silent || !left.isEmpty() && !job.uses(left) && gone(left);
    boolean same = job.attempt() == known.job().attempt();
    if (!gone || job.attempt() < known.job().attempt() || same && !alike(job, known.job())) {
      return belongs(known);
    }
    return known.job().members().stream()
        .map(JobMember::node)
        .filter(it -> !job.uses(it))
        .filter(it -> !it.equals(left) && !gone(it))
        .findFirst()
        .flatMap(it -> objection("job %s still has the node %s", job.job(), it));
  }

  /** How far it is, its owner says; of an attempt that is over nobody need hear. */
  Optional<Objection> stepped(JobProgress progress) {
    return state
        .job(progress.job())
        .filter(it -> !it.source().equals(source))
        .flatMap(this::belongs);
  }

  /** What was decided for it its owner says, or a member when the owner is gone. */
  Optional<Objection> decided(Statement.JobDecided decided) {
    JobView known = state.job(decided.job()).orElse(null);
    if (known == null) {
      return objection("job %s is not known", decided.job());
    }
    boolean leads =
        agent() && known.job().uses(node()) && owner(known).filter(this::gone).isPresent();
    if (!known.source().equals(source) && !leads) {
      return belongs(known);
    }
    return decided.attempt() < 0 || decided.attempt() > known.job().attempt() + 1
        ? objection("job %s has no attempt %s", decided.job(), decided.attempt())
        : Optional.empty();
  }

  private Optional<NodeView> owner(JobView job) {
    return job.source().startsWith(NODE)
        ? state.node(job.source().substring(NODE.length()))
        : Optional.empty();
  }

  private boolean gone(String node) {
    return state.node(node).map(this::gone).orElse(true);
  }

  private boolean gone(NodeView node) {
    return node.silentSince().isPresent()
        || !node.service().takesJobs()
        || state.findingsOf(node.name()).stream()
            .filter(FindingView::holds)
            .anyMatch(it -> it.finding().severity().atLeast(Severity.DEGRADED));
  }

  private boolean longAgo(Instant silentSince) {
    return !now.isBefore(silentSince.plus(ABANDONED));
  }

  /** Whether they run on the same nodes. */
  private static boolean alike(JobDescription one, JobDescription other) {
    return one.members().equals(other.members()) || within(one, other) && within(other, one);
  }

  private static boolean within(JobDescription one, JobDescription other) {
    return one.members().stream().map(JobMember::node).allMatch(other::uses);
  }

  private boolean agent() {
    return source.startsWith(NODE);
  }

  private String node() {
    return source.substring(NODE.length());
  }

  private Optional<Objection> stranger(JobDescription job) {
    return objection("%s is no member of job %s", source, job.job());
  }

  private Optional<Objection> belongs(JobView job) {
    return objection("job %s belongs to %s", job.id(), job.source());
  }

  private static Optional<Objection> objection(String why, Object... about) {
    return Optional.of(new Objection(Ground.OTHER_JOB, why.formatted(about)));
  }
}
