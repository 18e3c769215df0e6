package dev.holdfast.control.decide;

import dev.holdfast.control.entry.Entry;
import dev.holdfast.control.state.ClusterState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Where deciding puts its entries: each is applied at once, so that what is decided next already
 * sees it, and kept until the journal has all of them.
 */
final class Outbox {
  final ClusterState state;
  final Instant now;
  private final List<Entry> entries = new ArrayList<>();

  Outbox(ClusterState state, Instant now) {
    this.state = state;
    this.now = now;
  }

  void add(Entry entry) {
    state.apply(entry, now);
    entries.add(entry);
  }

  List<Entry> entries() {
    return entries;
  }
}
