package dev.holdfast.control.decide;

import dev.holdfast.control.state.ClusterState;
import dev.holdfast.control.state.JobView;
import dev.holdfast.core.cluster.JobDescription;
import dev.holdfast.core.cluster.JobName;
import dev.holdfast.core.cluster.JobProgress;
import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.report.Report;
import dev.holdfast.core.report.Statement;

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
        String name = told(job);
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

  /** The name of a job as it is told, beside one of another user that has the name already. */
  private String told(JobDescription job) {
    if (job.user().isEmpty()) {
      return job.job();
    }
    boolean taken =
        state
            .job(job.job())
            .filter(it -> !placed(it))
            .map(it -> it.job().user())
            .filter(it -> !it.isEmpty() && !it.equals(job.user()))
            .isPresent();
    return taken || JobName.borrowed(job.job(), job.user())
        ? JobName.apart(job.job(), job.user())
        : job.job();
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
