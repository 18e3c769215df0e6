package dev.holdfast.control.slurm;

import dev.holdfast.control.decide.Schedulers;
import dev.holdfast.control.state.ClusterState;
import dev.holdfast.control.state.JobView;
import dev.holdfast.control.state.NodeView;
import dev.holdfast.core.cluster.JobDescription;
import dev.holdfast.core.cluster.JobMember;
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
 * memory of what was told beside the journal's, so nothing can be told twice or be forgotten.
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
   * A node with a word nobody knows that seems to take jobs again, although it was taken out here,
   * is left as it was: that somebody resumed it would be a guess.
   *
   * @param again whether Slurm could not be asked for a while before
   */
  List<Statement> nodes(Collection<SlurmNode> nodes, boolean again) {
    List<Statement> news = new ArrayList<>();
    for (SlurmNode node : nodes) {
      SchedulerNode told = told(node);
      state
          .node(node.name())
          .filter(it -> again || !guessed(node, it))
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

  private static boolean guessed(SlurmNode node, NodeView known) {
    return node.doubtful() && node.takesJobs() && !known.service().takesJobs();
  }

  /** Whether a node takes jobs that was taken out here. */
  boolean undone(Collection<SlurmNode> nodes) {
    return nodes.stream()
        .filter(it -> it.takesJobs() && !it.doubtful())
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

  /**
   * @param missed the jobs that were not in the last answer; those not in this one afterwards. One
   *     that is missing twice is gone: an answer may end too early without showing it.
   */
  List<Statement> jobs(
      Parsed<SlurmJob> jobs, Parsed<SlurmStep> steps, Set<String> missed, Instant now) {
    Map<String, List<SlurmStep>> ofJob = new HashMap<>();
    steps.items().forEach(it -> ofJob.computeIfAbsent(it.job(), _ -> new ArrayList<>()).add(it));
    Set<String> seen = new HashSet<>();
    List<Statement> news = new ArrayList<>();
    for (SlurmJob job : jobs.items()) {
      seen.add(job.name());
      List<SlurmStep> own = ofJob.getOrDefault(job.handle(), List.of());
      describe(job, own, steps.whole(), now).map(Statement.JobTold::new).ifPresent(news::add);
    }
    if (jobs.whole()) {
      Set<String> missing = new HashSet<>();
      for (JobView known : state.jobs()) {
        // Those of a cluster this one took over from are as gone as its own.
        boolean scheduled = known.source().startsWith(Schedulers.PREFIX);
        if (scheduled && !known.job().state().over() && !seen.contains(known.id())) {
          missing.add(known.id());
          if (missed.contains(known.id())) {
            news.add(new Statement.JobTold(known.job().in(JobDescription.State.LOST)));
          }
        }
      }
      missed.clear();
      missed.addAll(missing);
    }
    return news;
  }

  /**
   * How the job is, if that is news.
   *
   * @param whole whether these are all its steps; if not, its ranks are where they were
   */
  Optional<JobDescription> describe(
      SlurmJob job, Collection<SlurmStep> steps, boolean whole, Instant now) {
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
            holds ? members(job, steps, whole, known) : List.of(),
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

  private static List<JobMember> members(
      SlurmJob job, Collection<SlurmStep> steps, boolean whole, Optional<JobView> known) {
    return known
        .map(JobView::job)
        .filter(it -> !whole && it.attempt() == job.restarts())
        .<List<JobMember>>map(JobDescription::members)
        .filter(it -> job.nodes().containsAll(it.stream().map(JobMember::node).toList()))
        .filter(it -> it.size() == job.nodes().size())
        .orElseGet(() -> SlurmLayout.members(job, steps));
  }
}
