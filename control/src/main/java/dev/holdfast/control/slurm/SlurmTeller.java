package dev.holdfast.control.slurm;

import dev.holdfast.control.decide.Schedulers;
import dev.holdfast.control.state.ClusterState;
import dev.holdfast.control.state.JobView;
import dev.holdfast.core.cluster.JobDescription;
import dev.holdfast.core.cluster.SchedulerNode;
import dev.holdfast.core.report.Statement;
import dev.holdfast.core.slurm.OwnReason;
import dev.holdfast.core.slurm.Parsed;
import dev.holdfast.core.slurm.SlurmJob;
import dev.holdfast.core.slurm.SlurmLayout;
import dev.holdfast.core.slurm.SlurmNode;
import dev.holdfast.core.slurm.SlurmStep;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What is news in what Slurm says: whatever differs from what the control plane knows. There is no
 * memory beside the journal's, so nothing can be told twice or be forgotten.
 *
 * <p>A node nobody looks after is left out, and so is a job of such nodes alone and one that never
 * ran. How busy a node is that takes jobs is its jobs' to tell.
 */
final class SlurmTeller {
  /** Words that change with each job, or say nothing. */
  private static final Set<String> BUSINESS =
      Set.of("IDLE", "MIXED", "ALLOCATED", "COMPLETING", "PLANNED", "DYNAMIC_NORM", "CLOUD");

  private final ClusterState state;
  private final String scheduler;

  SlurmTeller(ClusterState state, String scheduler) {
    this.state = state;
    this.scheduler = scheduler;
  }

  /**
   * @param again whether Slurm could not be asked for a while before
   */
  List<Statement> nodes(Collection<SlurmNode> nodes, boolean again) {
    List<Statement> news = new ArrayList<>();
    for (SlurmNode node : nodes) {
      SchedulerNode told = told(node);
      state
          .node(node.name())
          .filter(
              it ->
                  again
                      || it.scheduling()
                          .map(
                              known ->
                                  !known.scheduler().equals(scheduler)
                                      || !known.node().equals(told))
                          .orElse(true))
          .ifPresent(_ -> news.add(new Statement.Scheduled(told, again)));
    }
    return news;
  }

  /** Whether a node takes jobs that was taken out here. */
  boolean undone(Collection<SlurmNode> nodes) {
    return nodes.stream()
        .filter(SlurmNode::takesJobs)
        .flatMap(it -> state.node(it.name()).stream())
        .anyMatch(it -> !it.service().takesJobs());
  }

  private static SchedulerNode told(SlurmNode node) {
    Set<String> words = new TreeSet<>(node.states());
    words.removeAll(BUSINESS);
    boolean takes = node.takesJobs();
    return new SchedulerNode(
        node.name(),
        words.isEmpty() ? "up" : String.join("+", words).toLowerCase(Locale.ROOT),
        takes,
        !takes && node.used(),
        node.drained() && OwnReason.is(node.reason()),
        node.reason());
  }

  List<Statement> jobs(Parsed<SlurmJob> jobs, Collection<SlurmStep> steps, Instant now) {
    Map<String, List<SlurmStep>> ofJob = new HashMap<>();
    steps.forEach(it -> ofJob.computeIfAbsent(it.job(), _ -> new ArrayList<>()).add(it));
    Set<String> seen = new HashSet<>();
    List<Statement> news = new ArrayList<>();
    for (SlurmJob job : jobs.items()) {
      seen.add(job.name());
      List<SlurmStep> own = ofJob.getOrDefault(Long.toString(job.id()), List.of());
      describe(job, own, now).map(Statement.JobTold::new).ifPresent(news::add);
    }
    if (jobs.whole()) {
      for (JobView known : state.jobs()) {
        boolean ours = known.source().equals(scheduler) && !known.job().state().over();
        if (ours && !seen.contains(known.id())) {
          news.add(new Statement.JobTold(known.job().in(JobDescription.State.LOST)));
        }
      }
    }
    return news;
  }

  /** How the job is, if that is news. */
  Optional<JobDescription> describe(SlurmJob job, Collection<SlurmStep> steps, Instant now) {
    Optional<JobView> known = state.job(job.name());
    JobDescription.State where = job.state();
    boolean holds = where == JobDescription.State.RUNNING || where == JobDescription.State.STOPPING;
    boolean ours = job.nodes().stream().anyMatch(it -> state.node(it).isPresent());
    if (known.isEmpty() && !(holds && ours)) {
      return Optional.empty();
    }
    Instant begun =
        known.map(it -> it.job().begun()).orElse(job.started().or(job::submitted).orElse(now));
    JobDescription told =
        new JobDescription(
            job.name(),
            job.user(),
            where,
            job.restarts(),
            job.restarts(),
            begun.isAfter(now) ? now : begun,
            holds ? SlurmLayout.members(job, steps) : List.of(),
            -1,
            0,
            Optional.empty(),
            0,
            List.of());
    boolean same =
        known.isPresent()
            && (Objects.equals(known.get().job(), told)
                || known.get().job().state().over() && where.over());
    return same || !Schedulers.counts(told, known) ? Optional.empty() : Optional.of(told);
  }
}
