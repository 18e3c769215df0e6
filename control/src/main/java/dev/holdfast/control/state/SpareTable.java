package dev.holdfast.control.state;

import dev.holdfast.control.entry.Service;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The nodes in service that nobody uses, by how many devices they have. It follows from nodes and
 * jobs; it is kept because thousands of decisions may ask within a second.
 */
final class SpareTable {
  private final ConcurrentSkipListMap<Integer, Set<String>> free = new ConcurrentSkipListMap<>();
  private final ConcurrentMap<String, Integer> devices = new ConcurrentHashMap<>();

  /** Looks at a node that may have become free or not. */
  void look(NodeView node, boolean used) {
    Integer before = devices.remove(node.name());
    if (before != null) {
      free.computeIfPresent(
          before,
          (_, names) -> {
            names.remove(node.name());
            return names.isEmpty() ? null : names;
          });
    }
    boolean closed = node.scheduling().map(it -> !it.node().takesJobs()).orElse(false);
    if (!used && !closed && node.service() == Service.IN && node.silentSince().isEmpty()) {
      devices.put(node.name(), node.devices());
      free.computeIfAbsent(node.devices(), _ -> ConcurrentHashMap.newKeySet()).add(node.name());
    }
  }

  /** How many have at least so many devices. */
  int count(int least) {
    return free.tailMap(least).values().stream().mapToInt(Set::size).sum();
  }
}
