package dev.holdfast.control.state;

import dev.holdfast.control.entry.Cause;
import dev.holdfast.control.entry.IncidentEntry;
import dev.holdfast.control.entry.KeptEntry;
import dev.holdfast.control.entry.SourceEntry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The incidents, those that are open also by their cause and by where they are. */
final class IncidentTable {
  private final ByName<IncidentView> incidents = new ByName<>();
  private final ByName<IncidentView> open = new ByName<>();
  private final ConcurrentMap<Cause, String> openByCause = new ConcurrentHashMap<>();
  private final ConcurrentMap<String, Set<String>> openAt = new ConcurrentHashMap<>();
  private final ConcurrentMap<String, Integer> ofSource = new ConcurrentHashMap<>();
  private final ConcurrentMap<String, Integer> openOfSource = new ConcurrentHashMap<>();
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

  void join(String id, FindingKey key) {
    IncidentView known = incidents.get(id);
    if (known != null) {
      IncidentView joined = known.joined(key);
      put(joined);
      if (joined.open()) {
        at(key, id);
      }
    }
  }

  /** Makes one incident of several. */
  void widen(IncidentEntry.Widened widened) {
    Set<FindingKey> all = new LinkedHashSet<>();
    Set<String> hurt = new LinkedHashSet<>();
    Stream.concat(Stream.of(widened.incident()), widened.absorbed().stream())
        .flatMap(it -> get(it).stream())
        .forEach(
            it -> {
              all.addAll(it.findings());
              hurt.addAll(it.jobs());
            });
    widened.absorbed().forEach(other -> change(other, it -> it.partOf(widened.incident())));
    change(
        widened.incident(),
        it ->
            it.widened(widened.cause(), widened.title(), List.copyOf(all))
                .hurting(List.copyOf(hurt)));
    get(widened.incident())
        .filter(IncidentView::open)
        .ifPresent(it -> it.findings().forEach(key -> at(key, it.id())));
  }

  private void at(FindingKey key, String incident) {
    openAt.computeIfAbsent(key.place(), _ -> ConcurrentHashMap.newKeySet()).add(incident);
  }

  private void notAt(FindingKey key, String incident) {
    openAt.computeIfPresent(
        key.place(),
        (_, there) -> {
          there.remove(incident);
          return there.isEmpty() ? null : there;
        });
  }

  private void put(IncidentView incident) {
    IncidentView before = keep(incident);
    if (before != null) {
      openByCause.remove(before.cause(), before.id());
    }
    if (incident.open()) {
      open.put(incident.id(), incident);
      openByCause.put(incident.cause(), incident.id());
    } else if (open.remove(incident.id()) != null) {
      incident.findings().forEach(it -> notAt(it, incident.id()));
    }
  }

  /** Which of the open incidents a cause leads to, of a checkpoint. */
  record KeptCause(Cause cause, String incident) {}

  void keep(Consumer<KeptEntry.Thing> out) {
    incidents.all().forEach(it -> out.accept(new KeptEntry.Thing("incident", it)));
    openByCause.forEach(
        (cause, it) -> out.accept(new KeptEntry.Thing("cause", new KeptCause(cause, it))));
  }

  private @Nullable IncidentView keep(IncidentView incident) {
    IncidentView before = incidents.put(incident.id(), incident);
    if (before == null) {
      count(ofSource, incident.source(), 1);
    }
    count(openOfSource, incident.source(), one(incident) - (before == null ? 0 : one(before)));
    return before;
  }

  private static int one(IncidentView incident) {
    return incident.open() ? 1 : 0;
  }

  private static void count(ConcurrentMap<String, Integer> of, String source, int more) {
    of.compute(
        source,
        (_, it) -> {
          int now = (it == null ? 0 : it) + more;
          return now == 0 ? null : now;
        });
  }

  private void remove(IncidentView incident) {
    incidents.remove(incident.id());
    count(ofSource, incident.source(), -1);
    count(openOfSource, incident.source(), -one(incident));
  }

  /** How many are known that findings of a source opened. */
  int count(String source) {
    return ofSource.getOrDefault(source, 0);
  }

  /** How many of those are open. */
  int openCount(String source) {
    return openOfSource.getOrDefault(source, 0);
  }

  void restore(IncidentView incident) {
    keep(incident);
    if (incident.open()) {
      open.put(incident.id(), incident);
      incident.findings().forEach(it -> at(it, incident.id()));
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
    forget(
        it -> it.closed().filter(at -> at.isBefore(before)).isPresent() && !needed.test(it.id()));
  }

  /**
   * The same of what a source opened and was over by that time, unless an incident of another
   * source is part of it; gives what is known no more.
   */
  List<IncidentView> trim(SourceEntry.Trimmed trimmed, Predicate<String> needed) {
    Set<String> shared = new HashSet<>();
    incidents.all().stream()
        .filter(it -> !it.source().equals(trimmed.source()))
        .forEach(it -> whole(it).forEach(shared::add));
    return forget(
        it ->
            it.source().equals(trimmed.source())
                && it.closed().filter(at -> !at.isAfter(trimmed.upTo())).isPresent()
                && !shared.contains(it.id())
                && !needed.test(it.id()));
  }

  /** What an incident turned out to be part of, and what that is part of. */
  Stream<String> whole(IncidentView incident) {
    return Stream.iterate(
            incident.into(), it -> !it.isEmpty(), it -> get(it).map(IncidentView::into).orElse(""))
        .limit(incidents.all().size());
  }

  private List<IncidentView> forget(Predicate<IncidentView> over) {
    List<IncidentView> gone = new ArrayList<>();
    Predicate<IncidentView> next = over;
    int known;
    do {
      known = gone.size();
      incidents.all().stream().filter(next).forEach(gone::add);
      gone.subList(known, gone.size()).forEach(this::remove);
      next = it -> !it.into().isEmpty() && !incidents.has(it.into());
    } while (gone.size() > known);
    return gone;
  }

  Optional<IncidentView> get(String id) {
    return Optional.ofNullable(incidents.get(id));
  }

  Collection<IncidentView> all() {
    return incidents.all();
  }

  Collection<IncidentView> open() {
    return open.all();
  }

  Collection<IncidentView> newestOpen() {
    return open.backwards();
  }

  /** Those with a finding at a place, see {@link FindingKey#place}. */
  Set<String> openAt(String place) {
    return Collections.unmodifiableSet(openAt.getOrDefault(place, Set.of()));
  }

  Optional<String> of(Cause cause) {
    return Optional.ofNullable(openByCause.get(cause));
  }

  long count() {
    return count;
  }
}
