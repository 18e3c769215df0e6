package dev.holdfast.control.state;

import dev.holdfast.control.entry.JobEntry;
import dev.holdfast.control.entry.KeptEntry;
import dev.holdfast.control.entry.SourceEntry;
import dev.holdfast.core.cluster.JobDescription;
import dev.holdfast.core.cluster.JobMember;
import dev.holdfast.core.cluster.JobProgress;
import dev.holdfast.core.health.Subject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;

/** The jobs, and which of them run on a node. */
final class JobTable {
  private final ByName<JobView> jobs = new ByName<>();
  private final ConcurrentMap<String, List<String>> onNode = new ConcurrentHashMap<>();
  private final ConcurrentMap<String, Share> shares = new ConcurrentHashMap<>();
  private final LossTable losses = new LossTable();

  /** How much of all this one source told. */
  record Share(int jobs, long members) {
    static final Share NOTHING = new Share(0, 0);

    private Share plus(int times, JobView job) {
      return new Share(jobs + times, members + (long) times * job.job().members().size());
    }
  }

  void stepped(JobProgress progress, Instant at) {
    jobs.change(
        progress.job(),
        it -> {
          JobDescription job = it.job().at(progress);
          return new JobView(job, it.source(), at, it.history().told(job, at));
        });
  }

  void keep(Consumer<KeptEntry.Thing> out) {
    jobs.all().forEach(it -> out.accept(new KeptEntry.Thing("job", it)));
    losses.keep(out);
  }

  /** Drops jobs that were over before that time; gives them. */
  List<JobView> forget(Instant before) {
    List<JobView> gone =
        jobs.all().stream()
            .filter(it -> it.job().state().over() && it.told().isBefore(before))
            .toList();
    gone.forEach(this::remove);
    return gone;
  }

  /** Drops jobs a source told of and that were over by that time. */
  void trim(SourceEntry.Trimmed trimmed) {
    jobs.all().stream()
        .filter(it -> it.source().equals(trimmed.source()))
        .filter(it -> it.job().state().over() && !it.told().isAfter(trimmed.upTo()))
        .toList()
        .forEach(this::remove);
  }

  private void remove(JobView job) {
    jobs.remove(job.id());
    share(-1, job);
  }

  private void share(int times, JobView job) {
    shares.compute(
        job.source(),
        (_, it) -> {
          Share now = (it == null ? Share.NOTHING : it).plus(times, job);
          return now.jobs() == 0 ? null : now;
        });
  }

  Share share(String source) {
    return shares.getOrDefault(source, Share.NOTHING);
  }

  /** Takes in what a job told; gives the nodes it came to and those it left. */
  Set<String> told(JobEntry.Told told, Instant at) {
    JobDescription job = told.job();
    JobView before = jobs.get(job.job());
    JobHistory history = (before == null ? JobHistory.NONE : before.history()).told(job, at);
    losses.told(before == null ? null : before.job(), job, at);
    return restore(new JobView(job, told.source(), at, history));
  }

  void restore(LossTable.KeptLoss kept) {
    losses.restore(kept);
  }

  Set<String> restore(JobView view) {
    JobDescription job = view.job();
    JobView before = jobs.put(job.job(), view);
    if (before != null) {
      share(-1, before);
    }
    share(1, view);
    Set<String> left = before == null ? new LinkedHashSet<>() : nodes(before.job());
    Set<String> come = nodes(job);
    Set<String> stay = new LinkedHashSet<>(left);
    stay.retainAll(come);
    left.removeAll(stay);
    come.removeAll(stay);
    left.forEach(it -> leave(it, job.job()));
    come.forEach(it -> enter(it, job.job()));
    left.addAll(come);
    return left;
  }

  /** The nodes a job runs on; one that is over runs on none. */
  private static Set<String> nodes(JobDescription job) {
    Set<String> nodes = new LinkedHashSet<>();
    if (!job.state().over()) {
      job.members().stream().map(JobMember::node).forEach(nodes::add);
    }
    return nodes;
  }

  private void enter(String node, String job) {
    List<String> more = new ArrayList<>(onNode.getOrDefault(node, List.of()));
    more.add(job);
    more.sort(Subject.NATURAL);
    onNode.put(node, List.copyOf(more));
  }

  private void leave(String node, String job) {
    List<String> fewer = new ArrayList<>(onNode.getOrDefault(node, List.of()));
    fewer.remove(job);
    if (fewer.isEmpty()) {
      onNode.remove(node);
    } else {
      onNode.put(node, List.copyOf(fewer));
    }
  }

  Optional<JobView> get(String id) {
    return Optional.ofNullable(jobs.get(id));
  }

  Collection<JobView> all() {
    return jobs.all();
  }

  List<ClusterState.LostTime> lostSince(Instant since) {
    return losses.since(since);
  }

  boolean use(String node) {
    return onNode.containsKey(node);
  }

  List<JobView> on(String node) {
    return onNode.getOrDefault(node, List.of()).stream().flatMap(id -> get(id).stream()).toList();
  }
}
