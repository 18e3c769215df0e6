package dev.holdfast.control.decide;

import dev.holdfast.control.entry.Ground;
import dev.holdfast.control.state.ClusterState;
import dev.holdfast.control.state.FindingKey;
import dev.holdfast.control.state.FindingView;
import dev.holdfast.control.state.JobView;
import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.report.Report;
import dev.holdfast.core.report.Statement;
import java.util.Optional;

/**
 * Who may say what? A node speaks for itself and for the jobs that are its own; whoever knows of
 * what nodes share is not one of them. The same as a table for people: "Who may say what" in
 * docs/security.md. Whose a job is, {@link Ownership} tells.
 */
final class Authority {
  private static final String NODE = "node/";

  private final ClusterState state;
  private final String source;
  private final boolean agent;
  private final Ownership jobs;

  private Authority(ClusterState state, String source, Outbox out) {
    this.state = state;
    this.source = source;
    this.agent = source.startsWith(NODE);
    this.jobs = new Ownership(state, source, out.now);
  }

  /** What is wrong with the report, if anything. */
  static Optional<Objection> objection(Report report, Outbox out) {
    return new Authority(out.state, report.source(), out).objection(report.statement());
  }

  private Optional<Objection> objection(Statement statement) {
    return switch (statement) {
      case Statement.Described(var node) -> own(node.node()) ? none() : otherNode(node.node());
      case Statement.Raised(Finding finding, _) -> raised(finding);
      case Statement.Cleared cleared -> cleared(cleared);
      case Statement.External external -> external(external);
      case Statement.Scheduled _ ->
          Schedulers.is(source) ? none() : notItsToSay("how a node is to its scheduler");
      case Statement.JobTold(var job) -> jobs.objection(job);
      case Statement.JobStepped(var progress) -> jobs.stepped(progress);
      case Statement.JobDecided decided -> jobs.decided(decided);
      case Statement.JobHere _ -> agent ? none() : notItsToSay("which jobs are on a node");
      case Statement.Answered answered ->
          state
              .action(answered.request())
              .filter(it -> !it.target().equals(source))
              .map(it -> new Objection(Ground.NOT_ASKED, it.target() + " was asked that"));
      case Statement.Lost _, Statement.Unknown _, Statement.Refused _ -> none();
    };
  }

  private Optional<Objection> raised(Finding finding) {
    Optional<Objection> stranger = about(finding.subject());
    return stranger.isPresent()
        ? stranger
        : holding(FindingKey.of(finding))
            .filter(it -> it.source().equals(Decider.SELF) || !it.external().isEmpty())
            .filter(it -> !it.source().equals(source))
            .map(Authority::first);
  }

  /** Whoever raised it clears it; an agent clears whatever is found on its node by our own. */
  private Optional<Objection> cleared(Statement.Cleared cleared) {
    Optional<FindingView> view = holding(new FindingKey(cleared.check(), cleared.subject()));
    if (view.filter(it -> it.source().equals(source)).isPresent()) {
      return none();
    }
    Optional<Objection> stranger = agent ? about(cleared.subject()) : none();
    return stranger.isPresent()
        ? stranger
        : view.filter(it -> !agent || !it.external().isEmpty() || it.source().equals(Decider.SELF))
            .map(Authority::first);
  }

  /** Who said it first has it; what is not known can be told to be over by anybody. */
  private Optional<Objection> external(Statement.External external) {
    if (agent) {
      return notItsToSay("faults of others");
    }
    Subject subject = external.finding().subject();
    if (subject instanceof Subject.Job || subject instanceof Subject.Source) {
      return notItsToSay("what is wrong with " + subject);
    }
    return holding(FindingKey.of(external.finding()))
        .filter(it -> !it.source().equals(source))
        .map(Authority::first);
  }

  private Optional<FindingView> holding(FindingKey key) {
    return state.finding(key).filter(FindingView::holds);
  }

  /** Whether the source may speak of that as one who looked at it. */
  private Optional<Objection> about(Subject subject) {
    return switch (subject) {
      case Subject.Node it -> own(it.node()) ? none() : otherNode(subject.toString());
      case Subject.Part it -> own(it.node()) ? none() : otherNode(subject.toString());
      case Subject.Job it -> ofJob(it);
      case Subject.Source it ->
          it.name().equals(source) ? none() : notItsToSay("what is wrong with " + subject);
      case Subject.Switch _, Subject.Link _, Subject.Volume _ ->
          notItsToSay("what is wrong with " + subject);
    };
  }

  /** Of a job its owner speaks, and of a rank the node it runs on. */
  private Optional<Objection> ofJob(Subject.Job subject) {
    Optional<JobView> job = state.job(subject.job());
    boolean may =
        job.filter(it -> it.source().equals(source) || agent && hasRank(it, subject.rank()))
            .isPresent();
    return may
        ? none()
        : Optional.of(
            new Objection(
                Ground.OTHER_JOB,
                job.map(it -> "%s belongs to %s".formatted(subject, it.source()))
                    .orElse(subject + " is not known")));
  }

  private boolean hasRank(JobView job, int rank) {
    return !job.job().state().over() && job.job().members().at(rank).anyMatch(this::own);
  }

  private boolean own(String node) {
    return source.equals(NODE + node);
  }

  private static Optional<Objection> none() {
    return Optional.empty();
  }

  private Optional<Objection> otherNode(String subject) {
    return Optional.of(
        new Objection(
            agent ? Ground.OTHER_NODE : Ground.NOT_ITS_TO_SAY,
            "only its own agent says that of " + subject));
  }

  private Optional<Objection> notItsToSay(String what) {
    return Optional.of(
        new Objection(Ground.NOT_ITS_TO_SAY, "%s may not say %s".formatted(source, what)));
  }

  private static Objection first(FindingView view) {
    return new Objection(
        Ground.REPORTED_BY_ANOTHER,
        "%s on %s was reported by %s and holds"
            .formatted(view.finding().check(), view.finding().subject(), view.source()));
  }
}
