package dev.holdfast.control.state;

import dev.holdfast.control.entry.KeptEntry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;

/** The faults that cost something, by node, the newest {@link #MOST} of them. */
final class StrikeTable {
  static final int MOST = 100_000;

  /** More of one node say nothing more. */
  static final int MOST_OF_NODE = 500;

  private final ConcurrentLinkedDeque<Strike> strikes = new ConcurrentLinkedDeque<>();
  private final ConcurrentMap<String, List<Strike>> ofNode = new ConcurrentHashMap<>();
  private final Set<Key> known = new HashSet<>();

  private record Key(String node, String incident) {}

  void add(String node, String incident, Instant at) {
    if (node.isEmpty() || incident.isEmpty() || !known.add(new Key(node, incident))) {
      return;
    }
    Strike strike = new Strike(node, incident, at);
    List<Strike> more = new ArrayList<>(ofNode.getOrDefault(node, List.of()));
    if (more.size() == MOST_OF_NODE) {
      Strike oldest = more.removeFirst();
      known.remove(new Key(node, oldest.incident()));
      strikes.remove(oldest);
    }
    strikes.addLast(strike);
    more.add(strike);
    ofNode.put(node, List.copyOf(more));
    if (known.size() > MOST) {
      forget(strikes.removeFirst());
    }
  }

  void keep(Consumer<KeptEntry.Thing> out) {
    strikes.forEach(it -> out.accept(new KeptEntry.Thing("strike", it)));
  }

  void restore(Strike strike) {
    add(strike.node(), strike.incident(), strike.at());
  }

  private void forget(Strike oldest) {
    known.remove(new Key(oldest.node(), oldest.incident()));
    List<Strike> fewer = new ArrayList<>(ofNode.getOrDefault(oldest.node(), List.of()));
    fewer.remove(oldest);
    ofNode.put(oldest.node(), List.copyOf(fewer));
  }

  List<Strike> of(String node) {
    return ofNode.getOrDefault(node, List.of());
  }

  /** Times only grow, so the newest that is too old ends the list. */
  List<Strike> since(Instant since) {
    List<Strike> found = new ArrayList<>();
    for (Iterator<Strike> newest = strikes.descendingIterator(); newest.hasNext(); ) {
      Strike strike = newest.next();
      if (strike.at().isBefore(since)) {
        break;
      }
      found.add(strike);
    }
    return found;
  }
}
