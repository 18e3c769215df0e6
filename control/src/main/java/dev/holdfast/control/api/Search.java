package dev.holdfast.control.api;

import dev.holdfast.control.state.ClusterState;
import dev.holdfast.control.state.IncidentView;
import dev.holdfast.core.text.Json;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Where a word stands: in names of nodes, places and jobs, in incidents and in findings. */
final class Search {
  private static final int MOST = 50;

  private final ClusterState state;
  private final Instant now;
  private final String word;

  Search(ClusterState state, Instant now, String text) {
    this.state = state;
    this.now = now;
    this.word = text.strip().toLowerCase(Locale.ROOT);
  }

  Map<String, @Nullable Object> answer() {
    boolean nothing = word.isEmpty();
    return Json.map(
        "schema",
        "holdfast.search/1",
        "most",
        MOST,
        "nodes",
        nothing ? List.of() : nodes(),
        "jobs",
        nothing ? List.of() : jobs(),
        "incidents",
        nothing ? List.of() : incidents(),
        "findings",
        nothing ? List.of() : findings());
  }

  private List<?> nodes() {
    return state.nodes().stream()
        .filter(
            it ->
                in(it.name())
                    || it.description().stream()
                        .flatMap(known -> known.place().values().stream())
                        .anyMatch(place -> place.toLowerCase(Locale.ROOT).equals(word)))
        .limit(MOST)
        .map(it -> StateJson.node(state, it))
        .toList();
  }

  private List<?> jobs() {
    return state.jobs().stream()
        .filter(it -> in(it.job().job(), it.job().user()))
        .limit(MOST)
        .map(it -> GoodputJson.line(it, now))
        .toList();
  }

  /** Open ones first, then the newest. */
  private List<?> incidents() {
    List<IncidentView> newest = List.copyOf(state.incidents()).reversed();
    return Stream.concat(
            newest.stream().filter(IncidentView::open), newest.stream().filter(it -> !it.open()))
        .filter(it -> in(it.id(), it.title(), it.cause().toString()))
        .limit(MOST)
        .map(it -> StateJson.incident(state, it))
        .toList();
  }

  private List<?> findings() {
    return state.findings().stream()
        .filter(
            it -> in(it.finding().check(), it.finding().summary(), it.key().subject().toString()))
        .sorted((a, b) -> b.last().compareTo(a.last()))
        .limit(MOST)
        .map(StateJson::finding)
        .toList();
  }

  private boolean in(String... texts) {
    return Stream.of(texts).anyMatch(it -> it.toLowerCase(Locale.ROOT).contains(word));
  }
}
