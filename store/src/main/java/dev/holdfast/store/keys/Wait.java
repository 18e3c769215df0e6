package dev.holdfast.store.keys;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a client waits for: how many keys are missing still, and where it stands in their lists. */
public final class Wait {
  final Keyspace keyspace;
  final Client client;
  final long sinceNanos;
  int missing;

  /** How many places it has had in lists of those who wait; counted until it ends. */
  int places;

  @Nullable Waiting first;

  Wait(Keyspace keyspace, Client client, long sinceNanos) {
    this.keyspace = keyspace;
    this.client = client;
    this.sinceNanos = sinceNanos;
  }

  void add(Entry entry, long barrier) {
    Waiting waiting = new Waiting(this, entry, barrier, first);
    first = waiting;
    missing++;
    places++;
    waiting.link();
  }

  public long sinceNanos() {
    return sinceNanos;
  }

  /** The keys it still waits for, at most so many. */
  public List<byte[]> missingKeys(int limit) {
    List<byte[]> keys = new ArrayList<>();
    for (Waiting at = first; at != null && keys.size() < limit; at = at.sibling) {
      if (at.linked) {
        keys.add(at.entry.key);
      }
    }
    return keys;
  }
}
