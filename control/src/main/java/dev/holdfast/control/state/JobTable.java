package dev.holdfast.control.state;

import dev.holdfast.control.entry.JobEntry;
import dev.holdfast.control.entry.KeptEntry;
import dev.holdfast.control.entry.SourceEntry;
import dev.holdfast.core.cluster.JobDescription;
import dev.holdfast.core.cluster.JobMembers;
import dev.holdfast.core.cluster.JobName;
import dev.holdfast.core.cluster.JobProgress;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;

/** The jobs, and which of them run on a node. */
final class JobTable {
  private static final JobMembers NOWHERE = JobMembers.of(List.of());

  private final ByName<JobView> jobs = new ByName<>();
  private final ConcurrentMap<String, Share> shares = new ConcurrentHashMap<>();
  private final JobPlaces places = new JobPlaces();
  private final ConcurrentMap<Told, String> apart = new ConcurrentHashMap<>();
  private final LossTable losses = new LossTable();

  /** A job that a source tells of under a name that another has. */
  private record Told(String source, String name) {}

  /** How much of all this one source told. */
  record Share(int jobs, long members, long text) {
    static final Share NOTHING = new Share(0, 0, 0);

    private Share plus(int times, JobView job) {
      return new Share(
          jobs + times,
          members + (long) times * job.job().members().size(),
          text + times * job.text());
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

  /** Drops jobs a source told of and that were over by that time; gives them. */
  List<JobView> trim(SourceEntry.Trimmed trimmed) {
    List<JobView> gone =
        jobs.all().stream()
            .filter(it -> it.source().equals(trimmed.source()))
            .filter(it -> it.job().state().over() && !it.told().isAfter(trimmed.upTo()))
            .toList();
    gone.forEach(this::remove);
    return gone;
  }

  private void remove(JobView job) {
    jobs.remove(job.id());
    share(-1, job);
    told(job).ifPresent(it -> apart.remove(it, job.id()));
  }

  private static Optional<Told> told(JobView job) {
    return JobName.plain(job.id()).map(it -> new Told(job.source(), it));
  }

  /** The name under which a source's job is known that it tells of under this one. */
  String known(String source, String name) {
    JobView plain = jobs.get(name);
    return plain != null && plain.source().equals(source)
        ? name
        : apart.getOrDefault(new Told(source, name), name);
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

  /** Takes in what a job told; gives the nodes it was on and those it is on, if it moved. */
  List<JobMembers> told(JobEntry.Told told, Instant at) {
    JobDescription job = told.job();
    JobView before = jobs.get(job.job());
    JobHistory history = (before == null ? JobHistory.NONE : before.history()).told(job, at);
    losses.told(before == null ? null : before.job(), job, told.source(), at);
    return restore(new JobView(job, told.source(), at, history));
  }

  void restore(LossTable.KeptLoss kept) {
    losses.restore(kept);
  }

  List<JobMembers> restore(JobView view) {
    JobView before = jobs.put(view.id(), view);
    if (before != null) {
      share(-1, before);
    }
    share(1, view);
    if (before != null) {
      told(before).ifPresent(it -> apart.remove(it, before.id()));
    }
    told(view).ifPresent(it -> apart.put(it, view.id()));
    JobMembers left = before == null ? NOWHERE : places(before.job());
    JobMembers come = places(view.job());
    if (left.equals(come)) {
      boolean same =
          before != null
              && before.source().equals(view.source())
              && before.job().user().equals(view.job().user());
      return same ? List.of() : List.of(come);
    }
    places.leave(left, view.id());
    places.enter(come, view.id());
    return List.of(left, come);
  }

  /** The nodes a job runs on; one that is over runs on none. */
  private static JobMembers places(JobDescription job) {
    return job.state().over() ? NOWHERE : job.members();
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

  /** How many jobs of a source the fullest of these nodes has at least. */
  int most(JobMembers members, String source) {
    return places.most(members, id -> get(id).filter(it -> it.source().equals(source)).isPresent());
  }

  List<JobView> on(String node) {
    return places.on(node).stream().flatMap(id -> get(id).stream()).toList();
  }
}
