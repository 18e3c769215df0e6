package dev.holdfast.control.state;

import dev.holdfast.control.entry.FindingEntry;
import dev.holdfast.control.entry.KeptEntry;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** All that was ever found, by check and subject, and which of it is over some day by itself. */
final class FindingTable {
  private final ConcurrentMap<FindingKey, FindingView> findings = new ConcurrentHashMap<>();
  private final ConcurrentMap<String, Set<FindingKey>> ofNode = new ConcurrentHashMap<>();
  private final Set<FindingKey> expiring = ConcurrentHashMap.newKeySet();

  void apply(FindingEntry entry, Instant at) {
    switch (entry) {
      case FindingEntry.Raised raised -> raise(raised, at);
      case FindingEntry.Extended longer ->
          findings.computeIfPresent(
              new FindingKey(longer.check(), longer.subject()),
              (_, view) -> view.until(longer.expires(), at));
      case FindingEntry.Cleared cleared -> {
        FindingKey key = new FindingKey(cleared.check(), cleared.subject());
        findings.computeIfPresent(key, (_, view) -> view.clearedAt(at));
        expiring.remove(key);
      }
    }
  }

  private void raise(FindingEntry.Raised raised, Instant at) {
    FindingView fresh =
        new FindingView(
            raised.finding(),
            raised.source(),
            at,
            at,
            raised.count(),
            Optional.empty(),
            "",
            raised.external(),
            raised.affects(),
            raised.expires(),
            List.of(new FindingView.Raise(at, raised.count())));
    FindingKey key = fresh.key();
    if (raised.expires().isPresent()) {
      expiring.add(key);
    } else {
      expiring.remove(key);
    }
    findings.merge(key, fresh, FindingView::again);
    String node = key.node();
    if (!node.isEmpty()) {
      ofNode.computeIfAbsent(node, _ -> ConcurrentHashMap.newKeySet()).add(key);
    }
  }

  void keep(Consumer<KeptEntry.Thing> out) {
    findings.values().forEach(it -> out.accept(new KeptEntry.Thing("finding", it)));
  }

  void restore(FindingView view) {
    FindingKey key = view.key();
    findings.put(key, view);
    if (view.expires().isPresent() && view.cleared().isEmpty()) {
      expiring.add(key);
    }
    String node = key.node();
    if (!node.isEmpty()) {
      ofNode.computeIfAbsent(node, _ -> ConcurrentHashMap.newKeySet()).add(key);
    }
  }

  /** Drops what was over before that time and belongs to no incident that is known. */
  void forget(Instant before, Predicate<String> known) {
    for (FindingView view : List.copyOf(findings.values())) {
      boolean over = !view.holds() && view.last().isBefore(before);
      boolean cleared = view.cleared().map(it -> it.isBefore(before)).orElse(true);
      if (over && cleared && !known.test(view.incident())) {
        FindingKey key = view.key();
        findings.remove(key);
        expiring.remove(key);
        ofNode.computeIfPresent(
            key.node(),
            (_, keys) -> {
              keys.remove(key);
              return keys.isEmpty() ? null : keys;
            });
      }
    }
  }

  void in(FindingKey key, String incident) {
    findings.computeIfPresent(key, (_, view) -> view.in(incident));
  }

  Optional<FindingView> get(FindingKey key) {
    return Optional.ofNullable(findings.get(key));
  }

  Collection<FindingView> all() {
    return findings.values();
  }

  List<FindingView> of(String node) {
    return ofNode.getOrDefault(node, Set.of()).stream().flatMap(key -> get(key).stream()).toList();
  }

  List<FindingView> expiring() {
    return expiring.stream().flatMap(key -> get(key).stream()).toList();
  }
}
