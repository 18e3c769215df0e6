package dev.holdfast.control.decide;

import dev.holdfast.control.state.ClusterState;
import dev.holdfast.control.state.JobNames;
import dev.holdfast.control.state.JobView;
import dev.holdfast.core.cluster.JobProgress;
import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.report.Report;
import dev.holdfast.core.report.Statement;
import java.util.Optional;

/**
 * Which job does a source mean? Names of jobs are chosen by their users, and anybody can choose one
 * first. A job whose name another user's has is known as {@code name@user}, and whatever its source
 * says of the name is said of that one.
 */
final class Naming {
  private final ClusterState state;
  private final String source;

  private Naming(ClusterState state, String source) {
    this.state = state;
    this.source = source;
  }

  /** The report with the job it means. */
  static Report of(Report report, ClusterState state) {
    Statement said = report.statement();
    Statement meant = new Naming(state, report.source()).meant(said);
    return meant.equals(said)
        ? report
        : new Report(report.source(), report.epoch(), report.sequence(), report.at(), meant);
  }

  private Statement meant(Statement said) {
    return switch (said) {
      case Statement.JobTold(var job) when !Schedulers.is(source) -> {
        Optional<JobView> known = state.job(job.job()).filter(it -> !placed(it));
        String name = JobNames.beside(known, job.job(), job.user());
        yield name.equals(job.job()) ? said : new Statement.JobTold(job.named(name));
      }
      case Statement.JobStepped(JobProgress it) ->
          new Statement.JobStepped(it.named(known(it.job())));
      case Statement.JobDecided it ->
          new Statement.JobDecided(
              known(it.job()), it.attempt(), it.choice(), it.without(), it.why());
      case Statement.Raised(Finding finding, long count)
          when finding.subject() instanceof Subject.Job job
              && !known(job.job()).equals(job.job()) ->
          new Statement.Raised(finding.about(known(job)), count);
      case Statement.Cleared(String check, Subject.Job job, String why) ->
          new Statement.Cleared(check, known(job), why);
      default -> said;
    };
  }

  /** Whether a scheduler gave the job to this node: who its user is it may call otherwise. */
  private boolean placed(JobView job) {
    boolean agent = source.startsWith("node/");
    boolean there =
        job.job().members().isEmpty()
            || agent && job.job().uses(source.substring("node/".length()));
    return Schedulers.is(job.source()) && there;
  }

  private String known(String job) {
    return state.jobName(source, job);
  }

  private Subject known(Subject.Job job) {
    return new Subject.Job(known(job.job()), job.rank());
  }
}
