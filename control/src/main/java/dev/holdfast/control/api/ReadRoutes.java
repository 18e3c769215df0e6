package dev.holdfast.control.api;

import dev.holdfast.control.state.ClusterState;
import dev.holdfast.control.state.DecisionView;
import dev.holdfast.control.state.FindingView;
import dev.holdfast.control.state.IncidentView;
import dev.holdfast.control.state.JobView;
import dev.holdfast.control.state.NodeView;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.text.Times;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.time.Clock;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What can be asked. Every list takes {@code limit}; nothing here changes anything. */
final class ReadRoutes {
  private static final Comparator<String> NEWEST = Subject.NATURAL.reversed();

  private final ClusterState state;
  private final Clock clock;

  ReadRoutes(ClusterState state, Clock clock) {
    this.state = state;
    this.clock = clock;
  }

  List<Endpoint> endpoints() {
    List<String> limit = List.of("limit", "after");
    List<String> all = List.of("all", "limit", "after");
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
            (request, response) ->
                list(
                    request,
                    response,
                    "nodes",
                    state.nodes(),
                    NodeView::name,
                    Subject.NATURAL,
                    it -> StateJson.node(state, it))),
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
            List.of("node", "all", "limit", "after"),
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
            (request, response) ->
                list(
                    request,
                    response,
                    "jobs",
                    state.jobs(),
                    JobView::id,
                    Subject.NATURAL,
                    StateJson::job)),
        Endpoint.get("/jobs/{id}", "One job", "holdfast.job/1", List.of(), this::job));
  }

  private void overview(ServerRequest request, ServerResponse response) {
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    tree.put("schema", "holdfast.overview/1");
    tree.putAll(StateJson.overview(state, clock.instant()));
    Answers.json(response, tree);
  }

  private void incidents(ServerRequest request, ServerResponse response) {
    list(
        request,
        response,
        "incidents",
        flag(request, "all") ? state.incidents() : state.openIncidents(),
        IncidentView::id,
        NEWEST,
        it -> StateJson.incident(state, it));
  }

  /** The newest first; that one was found again does not move it to another page. */
  private void findings(ServerRequest request, ServerResponse response) {
    boolean all = flag(request, "all");
    Optional<String> node = request.query().first("node").asOptional();
    Collection<FindingView> which =
        node.isPresent() ? state.findingsOf(node.get()) : state.findings();
    PageOf page = page(request, response);
    if (page != null) {
      Iterable<FindingView> wanted =
          () -> which.stream().filter(it -> all || it.holds()).iterator();
      List<FindingView> first =
          page.first(wanted, ReadRoutes::key, Comparator.<String>naturalOrder().reversed());
      // An agent that lost its memory asks so; it must not believe that the rest does not hold.
      page.answer(
          response,
          "findings",
          first.stream(),
          ReadRoutes::key,
          StateJson::finding,
          node.isPresent());
    }
  }

  private static String key(FindingView view) {
    return Times.show(view.first()) + " " + view.key().check() + " " + view.key().subject();
  }

  private void decisions(ServerRequest request, ServerResponse response) {
    list(
        request,
        response,
        "decisions",
        flag(request, "all") ? state.decisions() : state.openDecisions(),
        DecisionView::id,
        NEWEST,
        it -> StateJson.decision(state, it));
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

  private static <T> void list(
      ServerRequest request,
      ServerResponse response,
      String name,
      Collection<T> all,
      Function<T, String> key,
      Comparator<String> order,
      Function<T, Map<String, @Nullable Object>> show) {
    PageOf page = page(request, response);
    if (page != null) {
      page.answer(response, name, page.first(all, key, order).stream(), key, show, false);
    }
  }

  /** The page that is asked for; null: what was asked is wrong and has been answered. */
  private static @Nullable PageOf page(ServerRequest request, ServerResponse response) {
    try {
      return PageOf.asked(request);
    } catch (IllegalArgumentException wrong) {
      Answers.error(response, 400, String.valueOf(wrong.getMessage()));
      return null;
    }
  }

  /** {@code ?all}, {@code ?all=} and {@code ?all=true} mean the same. */
  private static boolean flag(ServerRequest request, String name) {
    return request.query().contains(name)
        && !request.query().first(name).asOptional().orElse("").equals("false");
  }
}
