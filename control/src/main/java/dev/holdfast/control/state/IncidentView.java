package dev.holdfast.control.state;

import dev.holdfast.control.entry.Cause;
import dev.holdfast.control.entry.IncidentEntry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * An incident as it is known now.
 *
 * @param source whose finding opened it, empty: not known
 * @param into the one it turned out to be part of, empty: it stands for itself
 * @param findings all that ever joined, in order
 * @param jobs that used what failed while it was so, also those that are over
 */
public record IncidentView(
    String id,
    Cause cause,
    String title,
    String source,
    Instant opened,
    Optional<Instant> closed,
    String closedWhy,
    String into,
    List<FindingKey> findings,
    List<String> decisions,
    List<String> jobs) {

  static IncidentView opened(IncidentEntry.Opened entry, Instant at) {
    return new IncidentView(
        entry.incident(),
        entry.cause(),
        entry.title(),
        entry.source(),
        at,
        Optional.empty(),
        "",
        "",
        List.of(),
        List.of(),
        List.of());
  }

  public boolean open() {
    return closed.isEmpty() && into.isEmpty();
  }

  IncidentView joined(FindingKey key) {
    if (findings.contains(key)) {
      return this;
    }
    List<FindingKey> more = new ArrayList<>(findings);
    more.add(key);
    return new IncidentView(
        id,
        cause,
        title,
        source,
        opened,
        closed,
        closedWhy,
        into,
        List.copyOf(more),
        decisions,
        jobs);
  }

  IncidentView decided(String decision) {
    List<String> more = new ArrayList<>(decisions);
    more.add(decision);
    return new IncidentView(
        id,
        cause,
        title,
        source,
        opened,
        closed,
        closedWhy,
        into,
        findings,
        List.copyOf(more),
        jobs);
  }

  IncidentView widened(Cause wider, String newTitle, List<FindingKey> all) {
    return new IncidentView(
        id,
        wider,
        newTitle,
        source,
        opened,
        closed,
        closedWhy,
        into,
        List.copyOf(all),
        decisions,
        jobs);
  }

  IncidentView partOf(String other) {
    return new IncidentView(
        id, cause, title, source, opened, closed, closedWhy, other, findings, decisions, jobs);
  }

  IncidentView hurting(List<String> more) {
    List<String> all = new ArrayList<>(jobs);
    more.stream().filter(it -> !all.contains(it)).forEach(all::add);
    return new IncidentView(
        id,
        cause,
        title,
        source,
        opened,
        closed,
        closedWhy,
        into,
        findings,
        decisions,
        List.copyOf(all));
  }

  IncidentView closedAt(Instant at, String why) {
    return new IncidentView(
        id, cause, title, source, opened, Optional.of(at), why, into, findings, decisions, jobs);
  }
}
