package dev.holdfast.control.state;

import dev.holdfast.control.entry.FindingEntry;
import dev.holdfast.control.entry.KeptEntry;
import dev.holdfast.control.entry.SourceEntry;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** All that was ever found, by check and subject, and which of it is over some day by itself. */
final class FindingTable {
  private final ConcurrentMap<FindingKey, FindingView> findings = new ConcurrentHashMap<>();
  private final ConcurrentMap<String, ConcurrentMap<FindingKey, FindingView>> ofNode =
      new ConcurrentHashMap<>();
  private final ConcurrentMap<String, Set<FindingKey>> ofSource = new ConcurrentHashMap<>();
  private final ConcurrentMap<String, Long> textOf = new ConcurrentHashMap<>();
  private final Set<FindingKey> expiring = ConcurrentHashMap.newKeySet();

  void apply(FindingEntry entry, Instant at) {
    switch (entry) {
      case FindingEntry.Raised raised -> raise(raised, at);
      case FindingEntry.Extended longer ->
          change(
              new FindingKey(longer.check(), longer.subject()),
              it -> it.until(longer.expires(), at));
      case FindingEntry.Cleared cleared -> {
        FindingKey key = new FindingKey(cleared.check(), cleared.subject());
        change(key, it -> it.clearedAt(at));
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
    FindingView before = findings.get(key);
    put(key, before == null ? fresh : before.again(fresh));
  }

  private void change(FindingKey key, UnaryOperator<FindingView> how) {
    FindingView before = findings.get(key);
    if (before != null) {
      put(key, how.apply(before));
    }
  }

  private void put(FindingKey key, FindingView view) {
    FindingView before = findings.put(key, view);
    if (before != null) {
      textOf.merge(before.source(), -before.text(), Long::sum);
      if (!before.source().equals(view.source())) {
        disown(before);
      }
    }
    textOf.merge(view.source(), view.text(), Long::sum);
    ofSource.computeIfAbsent(view.source(), _ -> ConcurrentHashMap.newKeySet()).add(key);
    String node = key.node();
    if (!node.isEmpty()) {
      ofNode.computeIfAbsent(node, _ -> new ConcurrentHashMap<>()).put(key, view);
    }
  }

  void keep(Consumer<KeptEntry.Thing> out) {
    findings.values().forEach(it -> out.accept(new KeptEntry.Thing("finding", it)));
  }

  void restore(FindingView view) {
    FindingKey key = view.key();
    put(key, view);
    if (view.expires().isPresent() && view.cleared().isEmpty()) {
      expiring.add(key);
    }
  }

  /** Drops what was over before that time and belongs to no incident that is known. */
  void forget(Instant before, Predicate<String> known) {
    for (FindingView view : List.copyOf(findings.values())) {
      boolean over = !view.holds() && view.last().isBefore(before);
      boolean cleared = view.cleared().map(it -> it.isBefore(before)).orElse(true);
      if (over && cleared && !known.test(view.incident())) {
        remove(view);
      }
    }
  }

  /**
   * Drops what a source told and is over by that time, and belongs to no incident that is known.
   */
  void trim(SourceEntry.Trimmed trimmed, Predicate<String> known) {
    for (FindingView view : toldBy(trimmed.source())) {
      boolean over = view.over().filter(it -> !it.isAfter(trimmed.upTo())).isPresent();
      if (over && !known.test(view.incident())) {
        remove(view);
      }
    }
  }

  private void remove(FindingView view) {
    FindingKey key = view.key();
    findings.remove(key);
    expiring.remove(key);
    textOf.merge(view.source(), -view.text(), Long::sum);
    disown(view);
    ofNode.computeIfPresent(
        key.node(),
        (_, keys) -> {
          keys.remove(key);
          return keys.isEmpty() ? null : keys;
        });
  }

  private void disown(FindingView view) {
    ofSource.computeIfPresent(
        view.source(),
        (_, keys) -> {
          keys.remove(view.key());
          return keys.isEmpty() ? null : keys;
        });
    if (!ofSource.containsKey(view.source())) {
      textOf.remove(view.source());
    }
  }

  /** How many characters those of a source have together. */
  long text(String source) {
    return textOf.getOrDefault(source, 0L);
  }

  /** How many of a source are remembered. */
  int count(String source) {
    return ofSource.getOrDefault(source, Set.of()).size();
  }

  /** What a source told last. */
  List<FindingView> toldBy(String source) {
    return ofSource.getOrDefault(source, Set.of()).stream()
        .flatMap(key -> get(key).stream())
        .toList();
  }

  void in(FindingKey key, String incident) {
    change(key, it -> it.in(incident));
  }

  Optional<FindingView> get(FindingKey key) {
    return Optional.ofNullable(findings.get(key));
  }

  Collection<FindingView> all() {
    return findings.values();
  }

  Collection<FindingView> of(String node) {
    Map<FindingKey, FindingView> there = ofNode.get(node);
    return there == null ? List.of() : Collections.unmodifiableCollection(there.values());
  }

  /** The nodes something was ever found on. */
  Set<String> nodes() {
    return Collections.unmodifiableSet(ofNode.keySet());
  }

  List<FindingView> expiring() {
    return expiring.stream().flatMap(key -> get(key).stream()).toList();
  }
}
