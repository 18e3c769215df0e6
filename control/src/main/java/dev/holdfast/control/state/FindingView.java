package dev.holdfast.control.state;

import dev.holdfast.core.health.Evidence;
import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Subject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A finding as it is known now.
 *
 * @param first when it was first applied; {@code last}: most recently
 * @param times how often it was raised, those counted that a source folded into one
 * @param cleared when it was cleared, if it was
 * @param incident the one it belongs to, empty: none
 * @param external the id of a fault told from outside, empty: a finding of our own
 * @param expires when it counts as over unless it is said again
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

  private static final Duration BURST = Duration.ofMinutes(3);

  /** Raised from that time on, so often within {@link #BURST}. */
  public record Raise(Instant at, long count) {}

  /** How many characters of it are remembered. */
  public long text() {
    long more = external.length();
    for (Subject one : affects) {
      more += one.toString().length();
    }
    return more + text(finding);
  }

  public static long text(Finding finding) {
    long evidence = 0;
    for (Evidence one : finding.evidence()) {
      evidence += one.source().length() + one.value().length();
    }
    return evidence
        + finding.check().length()
        + finding.subject().toString().length()
        + finding.summary().length()
        + finding.meaning().length()
        + finding.remedy().length();
  }

  public FindingKey key() {
    return FindingKey.of(finding);
  }

  /** A condition until it clears; an event is over as it happens. */
  public boolean holds() {
    return finding.kind() == Finding.Kind.CONDITION && cleared.isEmpty();
  }

  /** Since when it is over, if it is. */
  public Optional<Instant> over() {
    return holds() ? Optional.empty() : Optional.of(cleared.orElse(last));
  }

  /**
   * How often it came back since then, as far as that is remembered. A storm of events is one, and
   * starts another every {@link #BURST} while it lasts: a hundred lines of the kernel log within a
   * second are one fault, not a hundred.
   */
  public long recently(Instant since) {
    return times(recent.stream(), since);
  }

  /** The same over several findings: parts that fail together have failed once. */
  public static long times(Stream<Raise> raises, Instant since) {
    long times = 0;
    Instant counted = since;
    for (Instant at : (Iterable<Instant>) raises.map(Raise::at).sorted()::iterator) {
      if (!at.isBefore(since) && (times == 0 || !at.isBefore(counted.plus(BURST)))) {
        times++;
        counted = at;
      }
    }
    return times;
  }

  FindingView again(FindingView newer) {
    List<Raise> raises = new ArrayList<>(recent);
    if (!holds()) { // a condition that only changes has not come back
      newer.recent.forEach(it -> add(raises, it));
    }
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

  private static void add(List<Raise> raises, Raise newer) {
    Raise last = raises.isEmpty() ? newer : raises.getLast();
    if (!raises.isEmpty() && newer.at().isBefore(last.at().plus(BURST))) {
      raises.set(raises.size() - 1, new Raise(last.at(), last.count() + newer.count()));
    } else {
      raises.add(newer);
    }
  }

  FindingView until(Instant later, Instant at) {
    return new FindingView(
        finding,
        source,
        first,
        at,
        times,
        cleared,
        incident,
        external,
        affects,
        Optional.of(later),
        recent);
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
