package dev.holdfast.control.decide;

import dev.holdfast.control.entry.Cause;
import dev.holdfast.control.entry.DecisionEntry;
import dev.holdfast.control.entry.IncidentEntry;
import dev.holdfast.control.entry.Stand;
import dev.holdfast.control.state.ClusterState;
import dev.holdfast.control.state.FindingKey;
import dev.holdfast.control.state.FindingView;
import dev.holdfast.control.state.IncidentView;
import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.text.Wrap;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Which findings have one cause.
 *
 * <p>A finding joins the open incident of its part, of what that part hangs on, or of what its node
 * shares with others, whichever is nearest. If there is none, one is opened for the part itself, at
 * once: a broken GPU must not wait for others to break. When several incidents of the same kind of
 * fault that began within {@link #TOGETHER} share something, and enough of what shares it is hit,
 * they become one incident of that shared thing. Half of the nodes behind a leaf is enough; two of
 * thirty-two are two broken nodes.
 */
final class Incidents {
  static final Duration TOGETHER = Duration.ofMinutes(2);
  private static final int MOST_TITLE = 300;
  private static final int ENOUGH_NODES = 3;
  private static final int ENOUGH_DEVICES = 3;

  private Incidents() {}

  /** Finds or opens the incident of a finding that was just applied; tells which. */
  static String place(Finding finding, String source, Outbox out) {
    ClusterState state = out.state;
    FindingKey key = FindingKey.of(finding);
    List<Cause> causes = Causes.of(finding, state.node(key.node()));
    for (Cause cause : causes) {
      Optional<String> open = state.incidentOf(cause);
      if (open.isPresent() && alike(state, open.get(), finding, cause)) {
        join(open.get(), key, out);
        return open.get();
      }
    }
    Limits.makeRoom(source, out);
    String id = "i-" + (state.incidentCount() + 1);
    out.add(
        new IncidentEntry.Opened(
            id, causes.getFirst(), Wrap.cut(finding.summary(), MOST_TITLE), source));
    join(id, key, out);
    return widen(id, finding, causes, out);
  }

  private static void join(String incident, FindingKey key, Outbox out) {
    boolean known =
        out.state.incident(incident).map(it -> it.findings().contains(key)).orElse(false);
    if (!known) {
      out.add(new IncidentEntry.Joined(incident, key.check(), key.subject()));
    }
  }

  /** The nearest cause takes every finding; a wider one only faults of its own kind. */
  private static boolean alike(ClusterState state, String id, Finding finding, Cause cause) {
    if (Causes.of(finding, Optional.empty()).getFirst().equals(cause)) {
      return true;
    }
    return state.incident(id).stream()
        .flatMap(it -> each(state, it))
        .anyMatch(it -> alike(it, finding));
  }

  static List<FindingView> findings(ClusterState state, String incident) {
    return state.incident(incident).stream().flatMap(it -> each(state, it)).toList();
  }

  /** Those of an incident that are where a finding of it is. */
  static List<FindingView> beside(ClusterState state, String incident, FindingKey key) {
    String place = key.place();
    return state.incident(incident).stream()
        .flatMap(it -> it.findings().stream())
        .filter(it -> it.place().equals(place))
        .flatMap(it -> state.finding(it).stream())
        .toList();
  }

  /** All of an incident, in the order in which they joined. */
  static Stream<FindingView> each(ClusterState state, IncidentView incident) {
    return incident.findings().stream().flatMap(key -> state.finding(key).stream());
  }

  private static String widen(String id, Finding finding, List<Cause> causes, Outbox out) {
    for (Cause cause : causes.subList(1, causes.size())) {
      if (explains(out.state, cause)) {
        List<IncidentView> under = under(cause, finding, out);
        if (under.size() > 1 && enough(out.state, cause, under)) {
          return unite(id, cause, finding, under, out);
        }
      }
    }
    return id;
  }

  /** What nearly every node shares explains nothing. */
  private static boolean explains(ClusterState state, Cause cause) {
    return within(cause) || state.sharing(cause).size() * 2 <= state.nodeCount();
  }

  /** Whether it is one node, or a part of one. */
  private static boolean within(Cause cause) {
    return cause.kind().equals("node") || cause.kind().equals("pci-switch");
  }

  /**
   * The open incidents that began just now and may have that cause, the newest first: those whose
   * findings of the same class are where the cause reaches.
   */
  private static List<IncidentView> under(Cause cause, Finding finding, Outbox out) {
    ClusterState state = out.state;
    Instant since = out.now.minus(TOGETHER);
    String node = FindingKey.of(finding).node();
    Stream<String> places =
        within(cause)
            ? Stream.of(node)
            : Stream.concat(state.sharing(cause).stream(), Stream.of(FindingKey.placeOf(cause)));
    return places
        .flatMap(place -> state.incidentsAt(place).stream())
        .distinct()
        .flatMap(id -> state.incident(id).stream())
        .filter(it -> !it.opened().isBefore(since))
        .filter(it -> mayHave(cause, it, finding, state))
        .sorted(Comparator.comparing(IncidentView::id, Subject.NATURAL).reversed())
        .toList();
  }

  /** Whether all that an incident has of the same class is where the cause reaches. */
  private static boolean mayHave(
      Cause cause, IncidentView incident, Finding finding, ClusterState state) {
    boolean any = false;
    for (FindingKey key : incident.findings()) {
      boolean reached = reaches(cause, key, state);
      boolean tells = reached ? !any : !key.node().isEmpty();
      if (tells && state.finding(key).filter(it -> alike(it, finding)).isPresent()) {
        if (!reached) {
          return false;
        }
        any = true;
      }
    }
    return any;
  }

  private static boolean alike(FindingView other, Finding finding) {
    return other.finding().faultClass() == finding.faultClass();
  }

  private static boolean reaches(Cause cause, FindingKey key, ClusterState state) {
    String place = key.place();
    if (within(cause)) {
      return state
          .finding(key)
          .filter(it -> Causes.of(it.finding(), state.node(place)).contains(cause))
          .isPresent();
    }
    return state.sharing(cause).contains(place) || place.equals(FindingKey.placeOf(cause));
  }

  private static boolean enough(ClusterState state, Cause cause, List<IncidentView> under) {
    Set<FindingKey> keys = new LinkedHashSet<>();
    under.forEach(it -> keys.addAll(it.findings()));
    if (cause.kind().equals("pci-switch")) {
      return keys.stream().map(it -> it.subject().toString()).distinct().count() > 1;
    }
    if (cause.kind().equals("node")) {
      long parts = keys.stream().map(it -> it.subject().toString()).distinct().count();
      return parts >= ENOUGH_DEVICES;
    }
    long nodes = keys.stream().map(FindingKey::node).filter(it -> !it.isEmpty()).distinct().count();
    return nodes >= ENOUGH_NODES && nodes * 2 >= state.sharing(cause).size();
  }

  private static String unite(
      String id, Cause cause, Finding finding, List<IncidentView> under, Outbox out) {
    IncidentView first =
        under.stream().min((a, b) -> a.opened().compareTo(b.opened())).orElseThrow();
    List<String> absorbed =
        under.stream().map(IncidentView::id).filter(it -> !it.equals(first.id())).toList();
    long nodes =
        under.stream()
            .flatMap(it -> it.findings().stream())
            .map(FindingKey::node)
            .distinct()
            .count();
    String title =
        nodes > 1
            ? "%s: %d of %d nodes report %s"
                .formatted(cause, nodes, out.state.sharing(cause).size(), finding.check())
            : "%s: several parts report %s".formatted(cause, finding.check());
    out.add(new IncidentEntry.Widened(first.id(), cause, absorbed, title));
    under.forEach(it -> withdraw(it, cause, out));
    return first.id();
  }

  private static void withdraw(IncidentView incident, Cause cause, Outbox out) {
    for (String decision : incident.decisions()) {
      out.state
          .decision(decision)
          .filter(it -> !it.stand().over() && it.stand() != Stand.ACTING)
          .ifPresent(
              it ->
                  out.add(
                      new DecisionEntry.Settled(
                          it.id(), Stand.WITHDRAWN, Decider.SELF, "one cause: " + cause)));
    }
  }
}
