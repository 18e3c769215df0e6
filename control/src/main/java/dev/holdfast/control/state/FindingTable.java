package dev.holdfast.control.state;

import dev.holdfast.control.entry.FindingEntry;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

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
