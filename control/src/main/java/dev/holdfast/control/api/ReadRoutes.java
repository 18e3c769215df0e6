package dev.holdfast.control.api;

import dev.holdfast.control.state.ClusterState;
import dev.holdfast.core.text.Json;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What can be asked. Every list takes {@code limit}; nothing here changes anything. */
final class ReadRoutes {
  private static final int LIMIT = 1_000;
  private static final int MOST = 100_000;

  private final ClusterState state;
  private final Clock clock;

  ReadRoutes(ClusterState state, Clock clock) {
    this.state = state;
    this.clock = clock;
  }

  List<Endpoint> endpoints() {
    List<String> limit = List.of("limit");
    List<String> all = List.of("all", "limit");
    return List.of(
        Endpoint.get(
            "/overview",
            "Counts, and what is wrong now",
            "holdfast.overview/1",
            List.of(),
            this::overview),
        Endpoint.get(
            "/nodes",
            "All nodes",
            "holdfast.nodes/1",
            limit,
            (request, response) -> list(request, response, "nodes", nodes())),
        Endpoint.get(
            "/nodes/{id}", "One node with its history", "holdfast.node/1", List.of(), this::node),
        Endpoint.get(
            "/incidents", "Open incidents, or all", "holdfast.incidents/1", all, this::incidents),
        Endpoint.get(
            "/incidents/{id}",
            "One incident with its evidence",
            "holdfast.incident/1",
            List.of(),
            this::incident),
        Endpoint.get(
            "/findings",
            "Findings that hold, or all",
            "holdfast.findings/1",
            List.of("node", "all", "limit"),
            this::findings),
        Endpoint.get(
            "/decisions", "Open decisions, or all", "holdfast.decisions/1", all, this::decisions),
        Endpoint.get(
            "/decisions/{id}", "One decision", "holdfast.decision/1", List.of(), this::decision),
        Endpoint.get(
            "/jobs",
            "All jobs",
            "holdfast.jobs/1",
            limit,
            (request, response) -> list(request, response, "jobs", jobs())),
        Endpoint.get("/jobs/{id}", "One job", "holdfast.job/1", List.of(), this::job));
  }

  private void overview(ServerRequest request, ServerResponse response) {
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    tree.put("schema", "holdfast.overview/1");
    tree.putAll(StateJson.overview(state, clock.instant()));
    Answers.json(response, tree);
  }

  private Stream<Map<String, @Nullable Object>> nodes() {
    return state.nodes().stream().map(it -> StateJson.node(state, it));
  }

  private Stream<Map<String, @Nullable Object>> jobs() {
    return state.jobs().stream().map(StateJson::job);
  }

  private void incidents(ServerRequest request, ServerResponse response) {
    boolean all = flag(request, "all");
    var which =
        all ? List.copyOf(state.incidents()).reversed() : List.copyOf(state.newestOpenIncidents());
    list(request, response, "incidents", which.stream().map(it -> StateJson.incident(state, it)));
  }

  private void findings(ServerRequest request, ServerResponse response) {
    boolean all = flag(request, "all");
    Optional<String> node = request.query().first("node").asOptional();
    var which =
        node.isPresent() ? state.findingsOf(node.get()).stream() : state.findings().stream();
    list(
        request,
        response,
        "findings",
        which
            .filter(it -> all || it.holds())
            .sorted((a, b) -> b.last().compareTo(a.last()))
            .map(StateJson::finding));
  }

  private void decisions(ServerRequest request, ServerResponse response) {
    boolean all = flag(request, "all");
    var which = all ? List.copyOf(state.decisions()).reversed() : state.openDecisions().reversed();
    list(request, response, "decisions", which.stream().map(it -> StateJson.decision(state, it)));
  }

  private void node(ServerRequest request, ServerResponse response) {
    one(request, response, "node", id -> state.node(id).map(it -> StateJson.nodeWhole(state, it)));
  }

  private void incident(ServerRequest request, ServerResponse response) {
    one(
        request,
        response,
        "incident",
        id -> state.incident(id).map(it -> StateJson.incidentWhole(state, it)));
  }

  private void decision(ServerRequest request, ServerResponse response) {
    one(
        request,
        response,
        "decision",
        id -> state.decision(id).map(it -> StateJson.decision(state, it)));
  }

  private void job(ServerRequest request, ServerResponse response) {
    one(request, response, "job", id -> state.job(id).map(StateJson::job));
  }

  private static void one(
      ServerRequest request,
      ServerResponse response,
      String kind,
      Function<String, Optional<Map<String, @Nullable Object>>> find) {
    String id = request.path().pathParameters().get("id");
    Optional<Map<String, @Nullable Object>> found = find.apply(id);
    if (found.isEmpty()) {
      Answers.error(response, 404, "no " + kind + " " + id);
      return;
    }
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    tree.put("schema", "holdfast." + kind + "/1");
    tree.putAll(found.get());
    Answers.json(response, tree);
  }

  private static void list(
      ServerRequest request,
      ServerResponse response,
      String name,
      Stream<Map<String, @Nullable Object>> items) {
    int limit;
    try {
      limit = request.query().first("limit").asOptional().map(Integer::parseInt).orElse(LIMIT);
    } catch (NumberFormatException wrong) {
      Answers.error(response, 400, "limit should be a number");
      return;
    }
    Answers.json(
        response,
        Json.map(
            "schema",
            "holdfast." + name + "/1",
            name,
            items.limit(Math.clamp(limit, 1, MOST)).toList()));
  }

  /** {@code ?all}, {@code ?all=} and {@code ?all=true} mean the same. */
  private static boolean flag(ServerRequest request, String name) {
    return request.query().contains(name)
        && !request.query().first(name).asOptional().orElse("").equals("false");
  }
}
