package dev.holdfast.control.state;

import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Subject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A finding as it is known now.
 *
 * @param first when it was first applied; {@code last}: most recently
 * @param times how often it was raised, those counted that a source folded into one
 * @param cleared when it was cleared, if it was
 * @param incident the one it belongs to, empty: none
 * @param recent its last raises
 */
public record FindingView(
    Finding finding,
    String source,
    Instant first,
    Instant last,
    long times,
    Optional<Instant> cleared,
    String incident,
    String external,
    List<Subject> affects,
    Optional<Instant> expires,
    List<Raise> recent) {
  /** More are not needed to know whether something was repeated. */
  private static final int RECENT = 64;

  /** Raised at that time, so often. */
  public record Raise(Instant at, long count) {}

  public FindingKey key() {
    return FindingKey.of(finding);
  }

  /** A condition until it clears; an event is over as it happens. */
  public boolean holds() {
    return finding.kind() == Finding.Kind.CONDITION && cleared.isEmpty();
  }

  /** How often it was raised since then, as far as that is remembered. */
  public long recently(Instant since) {
    return recent.stream().filter(it -> !it.at().isBefore(since)).mapToLong(Raise::count).sum();
  }

  FindingView again(FindingView newer) {
    List<Raise> raises = new ArrayList<>(recent);
    raises.addAll(newer.recent);
    return new FindingView(
        newer.finding,
        newer.source,
        cleared.isPresent() ? newer.first : first,
        newer.last,
        times + newer.times,
        Optional.empty(),
        incident,
        newer.external,
        newer.affects,
        newer.expires,
        List.copyOf(raises.subList(Math.max(0, raises.size() - RECENT), raises.size())));
  }

  FindingView clearedAt(Instant at) {
    return new FindingView(
        finding,
        source,
        first,
        last,
        times,
        Optional.of(at),
        incident,
        external,
        affects,
        expires,
        recent);
  }

  FindingView in(String incident) {
    return new FindingView(
        finding, source, first, last, times, cleared, incident, external, affects, expires, recent);
  }
}
