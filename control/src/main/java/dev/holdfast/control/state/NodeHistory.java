package dev.holdfast.control.state;

import dev.holdfast.control.entry.Service;
import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.health.Subject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * What happened to a node, so much of it as a picture can show. A finding is known only as it is
 * now; here is each time it came and went, so that one sees what comes back again and again.
 *
 * @param complete nothing is missing since then; {@link Instant#EPOCH}: nothing ever was dropped
 */
public record NodeHistory(
    Instant complete, List<Move> moves, List<Silence> silences, List<Episode> episodes) {
  static final NodeHistory NONE = new NodeHistory(Instant.EPOCH, List.of(), List.of(), List.of());

  private static final int MOST_MOVES = 60;
  private static final int MOST_SILENCES = 30;
  private static final int MOST_EPISODES = 80;

  /** Events that follow each other as closely are one. */
  private static final Duration BURST = Duration.ofMinutes(3);

  /** From then on it was in that state, up to then in the other. */
  public record Move(
      Instant at, Service from, Service to, String actor, String why, String incident) {}

  /** Nothing was heard of it. */
  public record Silence(Instant from, Optional<Instant> until) {}

  /**
   * A finding from when it came to when it went.
   *
   * @param part of the node, empty: the node itself
   * @param until none: it still holds
   */
  public record Episode(
      String check,
      String part,
      Severity severity,
      Finding.Kind kind,
      Instant from,
      Optional<Instant> until,
      String incident) {
    Episode ending(Instant at) {
      return new Episode(check, part, severity, kind, from, Optional.of(at), incident);
    }

    Episode in(String other) {
      return new Episode(check, part, severity, kind, from, until, other);
    }

    private boolean goesOn(Finding finding, Instant at) {
      return until.isEmpty()
          || (finding.kind() == Finding.Kind.EVENT && at.isBefore(until.get().plus(BURST)));
    }

    private Episode again(Finding finding, Instant at) {
      Severity worst = severity.compareTo(finding.severity()) > 0 ? severity : finding.severity();
      return new Episode(check, part, worst, kind, from, until.map(_ -> at), incident);
    }
  }

  public NodeHistory {
    moves = List.copyOf(moves);
    silences = List.copyOf(silences);
    episodes = List.copyOf(episodes);
  }

  /** What of the node it is about, empty: the node itself. */
  public static String partOf(FindingKey key) {
    return key.subject() instanceof Subject.Part part ? String.join("/", part.path()) : "";
  }

  NodeHistory moved(Move move) {
    List<Move> more = with(moves, move);
    boolean full = more.size() > MOST_MOVES;
    // What comes after the one that goes is known.
    Instant since = full ? later(complete, more.get(1).at()) : complete;
    return new NodeHistory(since, full ? rest(more) : more, silences, episodes);
  }

  NodeHistory silent(Instant since) {
    if (!silences.isEmpty() && silences.getLast().until().isEmpty()) {
      return this;
    }
    List<Silence> more = with(silences, new Silence(since, Optional.empty()));
    boolean full = more.size() > MOST_SILENCES;
    Instant known = full ? later(complete, more.getFirst().until().orElse(complete)) : complete;
    return new NodeHistory(known, moves, full ? rest(more) : more, episodes);
  }

  NodeHistory heard(Instant at) {
    if (silences.isEmpty() || silences.getLast().until().isPresent()) {
      return this;
    }
    List<Silence> changed = new ArrayList<>(silences);
    changed.add(new Silence(changed.removeLast().from(), Optional.of(at)));
    return new NodeHistory(complete, moves, changed, episodes);
  }

  NodeHistory raised(Finding finding, Instant at) {
    FindingKey key = FindingKey.of(finding);
    int last = last(key);
    if (last >= 0 && episodes.get(last).goesOn(finding, at)) {
      return change(last, it -> it.again(finding, at));
    }
    List<Episode> more =
        with(
            episodes,
            new Episode(
                finding.check(),
                partOf(key),
                finding.severity(),
                finding.kind(),
                at,
                finding.kind() == Finding.Kind.EVENT ? Optional.of(at) : Optional.empty(),
                ""));
    boolean full = more.size() > MOST_EPISODES;
    Instant known = full ? later(complete, more.getFirst().until().orElse(at)) : complete;
    return new NodeHistory(known, moves, silences, full ? rest(more) : more);
  }

  NodeHistory cleared(FindingKey key, Instant at) {
    int last = last(key);
    return last >= 0 && episodes.get(last).until().isEmpty()
        ? change(last, it -> it.ending(at))
        : this;
  }

  NodeHistory joined(FindingKey key, String incident) {
    int last = last(key);
    return last < 0 ? this : change(last, it -> it.in(incident));
  }

  /** Without what was over before that time; the state it was in then stays known. */
  NodeHistory since(Instant before) {
    Predicate<Optional<Instant>> over = it -> it.isPresent() && it.get().isBefore(before);
    List<Move> kept = new ArrayList<>(moves);
    while (kept.size() > 1 && kept.get(1).at().isBefore(before)) {
      kept.removeFirst();
    }
    List<Silence> quiet = silences.stream().filter(it -> !over.test(it.until())).toList();
    List<Episode> found = episodes.stream().filter(it -> !over.test(it.until())).toList();
    boolean same =
        kept.size() == moves.size()
            && quiet.size() == silences.size()
            && found.size() == episodes.size();
    return same ? this : new NodeHistory(later(complete, before), kept, quiet, found);
  }

  private int last(FindingKey key) {
    String part = partOf(key);
    for (int i = episodes.size() - 1; i >= 0; i--) {
      Episode episode = episodes.get(i);
      if (episode.part().equals(part) && episode.check().equals(key.check())) {
        return i;
      }
    }
    return -1;
  }

  private NodeHistory change(int index, UnaryOperator<Episode> how) {
    Episode changed = how.apply(episodes.get(index));
    if (changed.equals(episodes.get(index))) {
      return this;
    }
    List<Episode> all = new ArrayList<>(episodes);
    all.set(index, changed);
    return new NodeHistory(complete, moves, silences, all);
  }

  private static <T> List<T> with(List<T> old, T more) {
    List<T> all = new ArrayList<>(old);
    all.add(more);
    return all;
  }

  private static <T> List<T> rest(List<T> all) {
    return all.subList(1, all.size());
  }

  private static Instant later(Instant a, Instant b) {
    return a.isAfter(b) ? a : b;
  }
}
