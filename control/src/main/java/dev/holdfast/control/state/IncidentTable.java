package dev.holdfast.control.state;

import dev.holdfast.control.entry.Cause;
import dev.holdfast.core.health.Subject;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;
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
