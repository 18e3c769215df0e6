package dev.holdfast.control.state;

import dev.holdfast.control.entry.Cause;
import dev.holdfast.control.entry.KeptEntry;
import dev.holdfast.core.health.Subject;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** The incidents, those that are open also by their cause. */
final class IncidentTable {
  private final ConcurrentMap<String, IncidentView> incidents =
      new ConcurrentSkipListMap<>(Subject.NATURAL);
  private final ConcurrentSkipListMap<String, IncidentView> open =
      new ConcurrentSkipListMap<>(Subject.NATURAL);
  private final ConcurrentMap<Cause, String> openByCause = new ConcurrentHashMap<>();
  private volatile long count;

  void open(IncidentView incident) {
    count = count + 1;
    put(incident);
  }

  void change(String id, UnaryOperator<IncidentView> how) {
    IncidentView known = incidents.get(id);
    if (known != null) {
      put(how.apply(known));
    }
  }

  private void put(IncidentView incident) {
    IncidentView before = incidents.put(incident.id(), incident);
    if (before != null) {
      openByCause.remove(before.cause(), before.id());
    }
    if (incident.open()) {
      open.put(incident.id(), incident);
      openByCause.put(incident.cause(), incident.id());
    } else {
      open.remove(incident.id());
    }
  }

  /** Which of the open incidents a cause leads to, of a checkpoint. */
  record KeptCause(Cause cause, String incident) {}

  void keep(Consumer<KeptEntry.Thing> out) {
    incidents.values().forEach(it -> out.accept(new KeptEntry.Thing("incident", it)));
    openByCause.forEach(
        (cause, it) -> out.accept(new KeptEntry.Thing("cause", new KeptCause(cause, it))));
  }

  void restore(IncidentView incident) {
    incidents.put(incident.id(), incident);
    if (incident.open()) {
      open.put(incident.id(), incident);
    }
  }

  void restore(KeptCause kept) {
    openByCause.put(kept.cause(), kept.incident());
  }

  void restoreCount(long incidentCount) {
    count = incidentCount;
  }

  /** Drops what was closed before that time, unless it is needed, and what was part of it. */
  void forget(Instant before, Predicate<String> needed) {
    for (IncidentView incident : List.copyOf(incidents.values())) {
      boolean closed = incident.closed().map(it -> it.isBefore(before)).orElse(false);
      if (closed && !needed.test(incident.id())) {
        incidents.remove(incident.id());
      }
    }
    boolean more = true;
    while (more) {
      more =
          incidents
              .values()
              .removeIf(it -> !it.into().isEmpty() && !incidents.containsKey(it.into()));
    }
  }

  Optional<IncidentView> get(String id) {
    return Optional.ofNullable(incidents.get(id));
  }

  Collection<IncidentView> all() {
    return incidents.values();
  }

  Collection<IncidentView> open() {
    return open.values();
  }

  Collection<IncidentView> newestOpen() {
    return open.descendingMap().values();
  }

  Optional<String> of(Cause cause) {
    return Optional.ofNullable(openByCause.get(cause));
  }

  long count() {
    return count;
  }
}
