package dev.holdfast.control.state;

import dev.holdfast.control.entry.KeptEntry;
import dev.holdfast.control.entry.SourceEntry;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;

/** Those who report: how far each was heard, and how much one from outside may still tell. */
final class SourceTable {
  private final ConcurrentMap<String, Cursor> cursors = new ConcurrentHashMap<>();
  private final ConcurrentMap<String, Allowance> allowances = new ConcurrentHashMap<>();
  private volatile long reportsLost;
  private volatile long reportsStrange;

  void apply(SourceEntry entry) {
    switch (entry) {
      case SourceEntry.Heard heard ->
          cursors.put(heard.source(), new Cursor(heard.epoch(), heard.sequence()));
      case SourceEntry.Lost lost -> reportsLost = reportsLost + lost.count();
      case SourceEntry.Strange _ -> reportsStrange = reportsStrange + 1;
    }
  }

  void toldFault(String source, Instant at) {
    allowances.put(source, allowance(source).spend(at));
  }

  Cursor cursor(String source) {
    return cursors.getOrDefault(source, Cursor.NOTHING);
  }

  Map<String, Cursor> cursors() {
    return Collections.unmodifiableMap(cursors);
  }

  Allowance allowance(String source) {
    return allowances.getOrDefault(source, Allowance.FULL);
  }

  /** A source's cursor, of a checkpoint. */
  record KeptCursor(String source, Cursor cursor) {}

  /** The same of what it may tell. */
  record KeptAllowance(String source, Allowance allowance) {}

  void keep(Consumer<KeptEntry.Thing> out) {
    cursors.forEach(
        (source, it) -> out.accept(new KeptEntry.Thing("cursor", new KeptCursor(source, it))));
    allowances.forEach(
        (source, it) ->
            out.accept(new KeptEntry.Thing("allowance", new KeptAllowance(source, it))));
  }

  void restore(KeptCursor kept) {
    cursors.put(kept.source(), kept.cursor());
  }

  void restore(KeptAllowance kept) {
    allowances.put(kept.source(), kept.allowance());
  }

  void restoreCounts(long lost, long strange) {
    reportsLost = lost;
    reportsStrange = strange;
  }

  long reportsStrange() {
    return reportsStrange;
  }

  /** A source that is not to be heard again; if it is, it begins anew. */
  void forget(String source) {
    cursors.remove(source);
    allowances.remove(source);
  }

  long reportsLost() {
    return reportsLost;
  }
}
