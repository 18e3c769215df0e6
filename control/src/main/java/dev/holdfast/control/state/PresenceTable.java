package dev.holdfast.control.state;

import dev.holdfast.control.entry.JobEntry;
import dev.holdfast.control.entry.KeptEntry;
import dev.holdfast.core.cluster.JobDescription;
import dev.holdfast.core.cluster.JobName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;

/** Which jobs the nodes themselves say are there. One thread writes, any may read. */
final class PresenceTable {
  private final ConcurrentMap<String, List<Presence>> presences = new ConcurrentHashMap<>();

  /** A launcher of a job, under the name it has there. */
  record Presence(String job, String user, Instant since) {
    boolean of(JobDescription told) {
      return user.equals(told.user())
          && (job.equals(told.job()) || JobName.apart(job, user).equals(told.job()));
    }
  }

  /** What is kept of a node. */
  record Kept(String node, List<Presence> presences) {}

  void apply(JobEntry.Here here, Instant at) {
    List<Presence> now = new ArrayList<>(of(here.node()));
    Optional<Presence> known = find(here);
    known.ifPresent(now::remove);
    if (here.here()) {
      now.add(known.orElseGet(() -> new Presence(here.job(), here.user(), at)));
    }
    put(here.node(), now);
  }

  private Optional<Presence> find(JobEntry.Here here) {
    return of(here.node()).stream()
        .filter(it -> it.job().equals(here.job()) && it.user().equals(here.user()))
        .findFirst();
  }

  /** Whether it says nothing new. */
  boolean knows(JobEntry.Here here) {
    return find(here).isPresent() == here.here();
  }

  boolean has(String node, JobDescription job) {
    return of(node).stream().anyMatch(it -> it.of(job));
  }

  int count(String node) {
    return of(node).size();
  }

  private List<Presence> of(String node) {
    return presences.getOrDefault(node, List.of());
  }

  private void put(String node, List<Presence> now) {
    if (now.isEmpty()) {
      presences.remove(node);
    } else {
      presences.put(node, List.copyOf(now));
    }
  }

  /** The job is over, and so it is nowhere any more. */
  void over(JobDescription job) {
    job.members()
        .among(presences.keySet())
        .forEach(node -> put(node, of(node).stream().filter(it -> !it.of(job)).toList()));
  }

  /** Lets go of what is older, of jobs nobody told of. */
  void forget(Instant before, java.util.function.Predicate<Presence> known) {
    presences
        .keySet()
        .forEach(
            node ->
                put(
                    node,
                    of(node).stream()
                        .filter(it -> !it.since().isBefore(before) || known.test(it))
                        .toList()));
  }

  void keep(Consumer<KeptEntry.Thing> out) {
    presences.forEach(
        (node, all) -> out.accept(new KeptEntry.Thing("presence", new Kept(node, all))));
  }

  void restore(Kept kept) {
    put(kept.node(), kept.presences());
  }
}
