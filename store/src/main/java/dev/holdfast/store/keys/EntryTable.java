package dev.holdfast.store.keys;

import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Entries by key, found by the bytes of a request where they lie: a look at a key that is there
 * allocates nothing. A map of the JDK would want an object for every look.
 */
final class EntryTable {
  private final KeyHash hashes = KeyHash.random();
  private Entry[] buckets = new Entry[1024];
  private int size;

  @Nullable Entry find(byte[] bytes, int from, int to) {
    int hash = hashes.of(bytes, from, to);
    for (Entry at = buckets[hash & buckets.length - 1]; at != null; at = at.next) {
      if (at.hash == hash && at.keyEquals(bytes, from, to)) {
        return at;
      }
    }
    return null;
  }

  /** Adds an entry for a key that is not there. */
  Entry add(byte[] bytes, int from, int to) {
    if (size >= buckets.length) {
      grow();
    }
    Entry fresh = new Entry(Arrays.copyOfRange(bytes, from, to), hashes.of(bytes, from, to));
    link(fresh);
    size++;
    return fresh;
  }

  private void link(Entry entry) {
    int bucket = entry.hash & buckets.length - 1;
    entry.next = buckets[bucket];
    buckets[bucket] = entry;
  }

  private void grow() {
    Entry[] old = buckets;
    buckets = new Entry[old.length * 2];
    for (Entry entry : old) {
      while (entry != null) {
        Entry next = entry.next;
        link(entry);
        entry = next;
      }
    }
  }

  /** Takes an entry out; false when it was not there. */
  boolean remove(Entry entry) {
    int bucket = entry.hash & buckets.length - 1;
    Entry before = null;
    for (Entry at = buckets[bucket]; at != null; before = at, at = at.next) {
      if (at == entry) {
        if (before == null) {
          buckets[bucket] = at.next;
        } else {
          before.next = at.next;
        }
        size--;
        return true;
      }
    }
    return false;
  }

  /** How many places for chains of entries there are; all are passed by to look at all entries. */
  int buckets() {
    return buckets.length;
  }

  void forEach(Consumer<Entry> consumer) {
    for (Entry bucket : buckets) {
      for (Entry at = bucket; at != null; at = at.next) {
        consumer.accept(at);
      }
    }
  }
}
