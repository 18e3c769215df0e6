package dev.holdfast.control.decide;

import dev.holdfast.control.entry.IncidentEntry;
import dev.holdfast.control.state.FindingKey;
import dev.holdfast.control.state.FindingView;
import dev.holdfast.control.state.IncidentView;
import dev.holdfast.control.state.JobView;
import dev.holdfast.core.cluster.JobDescription;
import dev.holdfast.core.health.Subject;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Which jobs an incident hurts. It is written down as it happens: whoever reads of the incident
 * later must not be told of the job that runs there by then.
 */
final class Hurting {
  /** No node has so many parts that fail at once, and no fault meets so many jobs. */
  private static final int MOST_FAULTS = 50;

  private static final int MOST_JOBS = 200;

  private Hurting() {}

  /** The jobs that use what a finding of the incident is about, or what it touches. */
  static void look(String incident, FindingKey key, Outbox out) {
    Stream<Subject> touched = out.state.finding(key).stream().flatMap(it -> it.affects().stream());
    add(
        incident,
        Stream.concat(Stream.of(key.subject()), touched).flatMap(it -> jobs(it, out)),
        out);
  }

  private static Stream<String> jobs(Subject subject, Outbox out) {
    if (subject instanceof Subject.Job job) {
      return Stream.of(job.job());
    }
    String node = FindingKey.nodeOf(subject);
    return node.isEmpty() ? Stream.of() : out.state.jobsOn(node).stream().map(JobView::id);
  }

  /** The job comes to nodes that it did not use before, where something may hold already. */
  static void look(JobDescription job, Optional<JobDescription> before, Outbox out) {
    boolean same =
        before.isPresent()
            && !before.get().state().over()
            && before.get().members().equals(job.members());
    if (same || job.state().over()) {
      return;
    }
    for (String node : job.members().among(out.state.nodesWithFindings())) {
      if (out.state.jobsOn(node).stream().anyMatch(it -> it.id().equals(job.job()))) {
        came(job, node, out);
      }
    }
  }

  /** The job is on a node where something may hold already. */
  static void came(JobDescription job, String node, Outbox out) {
    out.state.findingsOf(node).stream()
        .filter(it -> it.holds() && !it.incident().isEmpty())
        .map(FindingView::incident)
        .distinct()
        .sorted(Subject.NATURAL)
        .limit(MOST_FAULTS)
        .forEach(it -> add(it, Stream.of(job.job()), out));
  }

  private static void add(String id, Stream<String> jobs, Outbox out) {
    IncidentView incident = out.state.incident(id).filter(IncidentView::open).orElse(null);
    if (incident == null) {
      return;
    }
    Set<String> fresh = new LinkedHashSet<>();
    jobs.filter(it -> !incident.jobs().contains(it))
        .limit(Math.max(0, MOST_JOBS - incident.jobs().size()))
        .forEach(fresh::add);
    if (!fresh.isEmpty()) {
      out.add(new IncidentEntry.Hurt(id, List.copyOf(fresh)));
    }
  }
}
