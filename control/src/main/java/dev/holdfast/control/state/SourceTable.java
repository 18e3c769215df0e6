package dev.holdfast.control.state;

import dev.holdfast.control.entry.KeptEntry;
import dev.holdfast.control.entry.SourceEntry;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;

/** Those who report: how far each was heard, and how much one from outside may still tell. */
final class SourceTable {
  private final ConcurrentMap<String, Cursor> cursors = new ConcurrentHashMap<>();
  private final ConcurrentMap<String, Allowance> allowances = new ConcurrentHashMap<>();
  private final ConcurrentMap<String, Refusals> refusals = new ConcurrentHashMap<>();
  private final ConcurrentMap<String, Speakers> speakers = new ConcurrentHashMap<>();
  private volatile List<Refusals.OfGround> refused = List.of();
  private volatile long reportsLost;
  private volatile long reportsStrange;

  void apply(SourceEntry entry, Instant at) {
    switch (entry) {
      case SourceEntry.Heard heard ->
          cursors.put(heard.source(), new Cursor(heard.epoch(), heard.sequence()));
      case SourceEntry.Lost lost -> reportsLost = reportsLost + lost.count();
      case SourceEntry.Strange _ -> reportsStrange = reportsStrange + 1;
      case SourceEntry.Refused of -> {
        refused = Refusals.more(refused, of.ground(), of.count());
        refusals.compute(
            of.source(), (_, it) -> it == null ? Refusals.first(of, at) : it.and(of, at));
      }
      case SourceEntry.Spoken of ->
          speakers.compute(
              of.source(),
              (_, it) ->
                  it == null ? Speakers.first(of.speaker()) : it.then(of.speaker(), of.intruded()));
      case SourceEntry.Trimmed _ -> {} // of what others keep
      case SourceEntry.Reset reset -> forget(reset.source());
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

  /** The same of what it told in vain. */
  record KeptRefusals(String source, Refusals refusals) {}

  /** The same of who speaks for it. */
  record KeptSpeakers(String source, Speakers speakers) {}

  void keep(Consumer<KeptEntry.Thing> out) {
    cursors.forEach(
        (source, it) -> out.accept(new KeptEntry.Thing("cursor", new KeptCursor(source, it))));
    allowances.forEach(
        (source, it) ->
            out.accept(new KeptEntry.Thing("allowance", new KeptAllowance(source, it))));
    refusals.forEach(
        (source, it) -> out.accept(new KeptEntry.Thing("refusals", new KeptRefusals(source, it))));
    speakers.forEach(
        (source, it) -> out.accept(new KeptEntry.Thing("speakers", new KeptSpeakers(source, it))));
  }

  void restore(KeptRefusals kept) {
    refusals.put(kept.source(), kept.refusals());
  }

  void restore(KeptSpeakers kept) {
    speakers.put(kept.source(), kept.speakers());
  }

  void restore(KeptCursor kept) {
    cursors.put(kept.source(), kept.cursor());
  }

  void restore(KeptAllowance kept) {
    allowances.put(kept.source(), kept.allowance());
  }

  void restoreCounts(long lost, long strange, List<Refusals.OfGround> refusedSoFar) {
    reportsLost = lost;
    reportsStrange = strange;
    refused = List.copyOf(refusedSoFar);
  }

  /** How many statements were refused, ever, on which ground. */
  List<Refusals.OfGround> refused() {
    return refused;
  }

  Optional<Refusals> refusals(String source) {
    return Optional.ofNullable(refusals.get(source));
  }

  Map<String, Refusals> refusals() {
    return Collections.unmodifiableMap(refusals);
  }

  Optional<Speakers> speakers(String source) {
    return Optional.ofNullable(speakers.get(source));
  }

  long reportsStrange() {
    return reportsStrange;
  }

  /** A source that is not to be heard again; if it is, it begins anew. */
  void forget(String source) {
    cursors.remove(source);
    allowances.remove(source);
    refusals.remove(source);
    speakers.remove(source);
  }

  long reportsLost() {
    return reportsLost;
  }
}
