package dev.holdfast.control.api;

import dev.holdfast.control.entry.Service;
import dev.holdfast.control.state.ClusterState;
import dev.holdfast.control.state.FindingView;
import dev.holdfast.control.state.IncidentView;
import dev.holdfast.control.state.NodeHistory;
import dev.holdfast.control.state.NodeView;
import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Times;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What happened to one node between two moments, ready to be drawn: the states it was in without a
 * gap, what held when, its incidents, and how much of all that there was.
 */
final class NodeHistoryJson {
  private static final int SLOTS = 60;
  private static final List<Duration> STEPS =
      List.of(
          Duration.ofSeconds(1),
          Duration.ofSeconds(5),
          Duration.ofSeconds(15),
          Duration.ofMinutes(1),
          Duration.ofMinutes(5),
          Duration.ofMinutes(15),
          Duration.ofHours(1),
          Duration.ofHours(3),
          Duration.ofHours(12),
          Duration.ofDays(1),
          Duration.ofDays(7));

  private final ClusterState state;
  private final NodeView node;
  private final NodeHistory history;
  private final Instant from;
  private final Instant until;
  private final List<Stay> stays;
  private final List<NodeHistory.Episode> episodes;

  /** A state it was in, and who or what brought it there. */
  private record Stay(
      Service service, Instant from, Instant until, Optional<NodeHistory.Move> move) {
    double seconds() {
      return Duration.between(from, until).toMillis() / 1000.0;
    }
  }

  /**
   * @param window how far back to look; none: as far as is remembered
   */
  NodeHistoryJson(ClusterState state, NodeView node, Optional<Duration> window, Instant now) {
    this.state = state;
    this.node = node;
    this.history = state.history(node.name());
    this.until = now;
    Instant known =
        Stream.of(
                node.first(),
                history.complete(),
                history.moves().isEmpty() ? node.serviceSince() : node.first())
            .max(Instant::compareTo)
            .orElseThrow();
    Instant wanted = window.map(now::minus).orElse(known);
    this.from = earlier(later(known, wanted), now);
    this.stays = stays();
    this.episodes = episodes();
  }

  Map<String, @Nullable Object> answer() {
    List<IncidentView> incidents = incidents();
    return Json.map(
        "schema",
        "holdfast.nodehistory/1",
        "node",
        node.name(),
        "from",
        Times.show(from),
        "until",
        Times.show(until),
        "known",
        Times.show(node.first()),
        "services",
        stays.stream().map(NodeHistoryJson::stay).toList(),
        "silences",
        silences().map(NodeHistoryJson::silence).toList(),
        "findings",
        episodes.stream().map(NodeHistoryJson::episode).toList(),
        "incidents",
        incidents.stream().map(this::incident).toList(),
        "counts",
        counts(incidents.size()),
        "slots",
        slots());
  }

  private List<Stay> stays() {
    List<Stay> found = new ArrayList<>();
    List<NodeHistory.Move> moves = history.moves();
    Instant begin = from;
    Service service = moves.isEmpty() ? node.service() : moves.getFirst().from();
    Optional<NodeHistory.Move> by = Optional.empty();
    for (NodeHistory.Move move : moves) {
      if (move.at().isAfter(begin)) {
        found.add(new Stay(service, begin, earlier(move.at(), until), by));
        begin = earlier(move.at(), until);
      }
      service = move.to();
      by = Optional.of(move);
    }
    found.add(new Stay(service, begin, until, by));
    return found;
  }

  /** What was remembered, and what holds and came before anything was. */
  private List<NodeHistory.Episode> episodes() {
    Stream<NodeHistory.Episode> older =
        state.findingsOf(node.name()).stream()
            .filter(FindingView::holds)
            .filter(it -> history.episodes().stream().noneMatch(known -> holding(known, it)))
            .map(NodeHistoryJson::episodeOf);
    return Stream.concat(older, history.episodes().stream())
        .filter(it -> it.until().map(end -> !end.isBefore(from)).orElse(true))
        .toList();
  }

  private static boolean holding(NodeHistory.Episode known, FindingView finding) {
    return known.until().isEmpty()
        && known.check().equals(finding.finding().check())
        && known.part().equals(part(finding));
  }

  private static String part(FindingView finding) {
    return NodeHistory.partOf(finding.key());
  }

  private static NodeHistory.Episode episodeOf(FindingView view) {
    return new NodeHistory.Episode(
        view.finding().check(),
        part(view),
        view.finding().severity(),
        view.finding().kind(),
        view.first(),
        Optional.empty(),
        view.incident());
  }

  private Stream<NodeHistory.Silence> silences() {
    return history.silences().stream()
        .filter(it -> it.until().map(end -> !end.isBefore(from)).orElse(true));
  }

  /** Those it had a part in; of one that turned out to be part of another, the other. */
  private List<IncidentView> incidents() {
    Map<String, IncidentView> found = new LinkedHashMap<>();
    Stream.of(
            episodes.stream().map(NodeHistory.Episode::incident),
            history.moves().stream().map(NodeHistory.Move::incident),
            state.decisionsAbout(node.name()).stream().map(it -> it.made().incident()))
        .flatMap(it -> it)
        .flatMap(it -> whole(it).stream())
        .filter(it -> it.closed().map(end -> !end.isBefore(from)).orElse(true))
        .forEach(it -> found.put(it.id(), it));
    return found.values().stream().sorted((a, b) -> a.opened().compareTo(b.opened())).toList();
  }

  private Optional<IncidentView> whole(String id) {
    Optional<IncidentView> found = state.incident(id);
    for (int hop = 0; hop < 10 && found.isPresent() && !found.get().into().isEmpty(); hop++) {
      found = state.incident(found.get().into());
    }
    return found;
  }

  private Map<String, @Nullable Object> incident(IncidentView view) {
    return Json.map(
        "incident",
        view.id(),
        "title",
        view.title(),
        "severity",
        view.findings().stream()
            .flatMap(it -> state.finding(it).stream())
            .map(it -> it.finding().severity())
            .max(Severity::compareTo)
            .map(Severity::word)
            .orElse(null),
        "opened",
        Times.show(view.opened()),
        "closed",
        view.closed().map(Times::show).orElse(null));
  }

  private Map<String, @Nullable Object> counts(int incidents) {
    double all = Duration.between(from, until).toMillis() / 1000.0;
    double serving =
        stays.stream().filter(it -> it.service().takesJobs()).mapToDouble(Stay::seconds).sum();
    double quiet =
        silences()
            .mapToDouble(
                it ->
                    Duration.between(later(it.from(), from), it.until().orElse(until)).toMillis()
                        / 1000.0)
            .sum();
    // By moves, not by stays: one that was shorter than the clock can tell has no length.
    long taken =
        history.moves().stream()
            .filter(it -> !it.at().isBefore(from) && !it.at().isAfter(until))
            .filter(it -> it.from().takesJobs() && !it.to().takesJobs())
            .count();
    return Json.map(
        "seconds",
        all,
        "inService",
        all > 0 ? serving / all : null,
        "outSeconds",
        all - serving,
        "timesOut",
        taken,
        "silentSeconds",
        quiet,
        "incidents",
        incidents,
        "findings",
        episodes.stream().filter(it -> !it.from().isBefore(from)).count());
  }

  /** How many findings came in each of some equal stretches of time, by severity. */
  private Map<String, @Nullable Object> slots() {
    Duration all = Duration.between(from, until);
    Duration step =
        STEPS.stream()
            .filter(it -> it.multipliedBy(SLOTS).compareTo(all) >= 0)
            .findFirst()
            .orElseGet(() -> all.dividedBy(SLOTS).plusSeconds(1));
    Instant begin =
        Instant.ofEpochSecond(from.getEpochSecond() / step.toSeconds() * step.toSeconds());
    int count = (int) (Duration.between(begin, until).dividedBy(step) + 1);
    int[][] found = new int[count][Severity.values().length];
    for (NodeHistory.Episode episode : episodes) {
      if (!episode.from().isBefore(from)) {
        long slot = Duration.between(begin, episode.from()).dividedBy(step);
        found[(int) Math.min(count - 1, slot)][episode.severity().ordinal()]++;
      }
    }
    List<Object> rows = new ArrayList<>();
    for (int slot = 0; slot < count; slot++) {
      Map<String, @Nullable Object> row = new LinkedHashMap<>();
      row.put("from", Times.show(begin.plus(step.multipliedBy(slot))));
      for (Severity severity : Severity.values()) {
        row.put(severity.word(), found[slot][severity.ordinal()]);
      }
      rows.add(row);
    }
    return Json.map("seconds", step.toSeconds(), "rows", rows);
  }

  private static Map<String, @Nullable Object> stay(Stay stay) {
    return Json.map(
        "service",
        stay.service().word(),
        "from",
        Times.show(stay.from()),
        "until",
        Times.show(stay.until()),
        "actor",
        stay.move().map(NodeHistory.Move::actor).orElse(null),
        "why",
        stay.move().map(NodeHistory.Move::why).filter(it -> !it.isEmpty()).orElse(null),
        "incident",
        stay.move().map(NodeHistory.Move::incident).filter(it -> !it.isEmpty()).orElse(null));
  }

  private static Map<String, @Nullable Object> silence(NodeHistory.Silence silence) {
    return Json.map(
        "from", Times.show(silence.from()), "until", silence.until().map(Times::show).orElse(null));
  }

  private static Map<String, @Nullable Object> episode(NodeHistory.Episode episode) {
    return Json.map(
        "check",
        episode.check(),
        "part",
        episode.part(),
        "severity",
        episode.severity().word(),
        "event",
        episode.kind() == Finding.Kind.EVENT,
        "from",
        Times.show(episode.from()),
        "until",
        episode.until().map(Times::show).orElse(null),
        "incident",
        episode.incident().isEmpty() ? null : episode.incident());
  }

  private static Instant later(Instant a, Instant b) {
    return a.isAfter(b) ? a : b;
  }

  private static Instant earlier(Instant a, Instant b) {
    return a.isBefore(b) ? a : b;
  }
}
