package dev.holdfast.control.state;

import dev.holdfast.control.entry.FindingEntry;
import dev.holdfast.control.entry.KeptEntry;
import dev.holdfast.control.entry.NodeEntry;
import dev.holdfast.control.entry.Service;
import java.time.Instant;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** What happened to each node over time; nodes nothing happened to have no place here. */
final class HistoryTable {
  private final ConcurrentMap<String, NodeHistory> histories = new ConcurrentHashMap<>();

  void silent(NodeEntry.Silent silent, Instant at) {
    change(silent.node(), it -> silent.silent() ? it.silent(silent.since()) : it.heard(at));
  }

  void moved(Service from, NodeEntry.Moved moved, Instant at) {
    NodeHistory.Move move =
        new NodeHistory.Move(at, from, moved.to(), moved.actor(), moved.why(), moved.incident());
    change(moved.node(), it -> it.moved(move));
  }

  void apply(FindingEntry entry, Instant at) {
    switch (entry) {
      case FindingEntry.Raised raised ->
          change(FindingKey.of(raised.finding()).node(), it -> it.raised(raised.finding(), at));
      case FindingEntry.Cleared cleared -> {
        FindingKey key = new FindingKey(cleared.check(), cleared.subject());
        change(key.node(), it -> it.cleared(key, at));
      }
      case FindingEntry.Extended _ -> {}
    }
  }

  void joined(FindingKey key, String incident) {
    change(key.node(), it -> it.joined(key, incident));
  }

  private void change(String node, UnaryOperator<NodeHistory> how) {
    if (!node.isEmpty()) {
      NodeHistory before = histories.getOrDefault(node, NodeHistory.NONE);
      NodeHistory after = how.apply(before);
      if (after != before) {
        histories.put(node, after);
      }
    }
  }

  NodeHistory of(String node) {
    return histories.getOrDefault(node, NodeHistory.NONE);
  }

  /** Of a checkpoint. */
  record Kept(String node, NodeHistory history) {}

  void keep(Consumer<KeptEntry.Thing> out) {
    histories.forEach((node, it) -> out.accept(new KeptEntry.Thing("history", new Kept(node, it))));
  }

  void restore(Kept kept) {
    histories.put(kept.node(), kept.history());
  }

  void forget(Instant before) {
    histories.replaceAll((_, it) -> it.since(before));
  }
}
