package dev.holdfast.control.api;

import dev.holdfast.control.state.ClusterState;
import dev.holdfast.control.state.IncidentView;
import dev.holdfast.control.state.JobHistory;
import dev.holdfast.control.state.JobView;
import dev.holdfast.control.state.NodeView;
import dev.holdfast.core.policy.KnownCheck;
import dev.holdfast.core.policy.Policy;
import dev.holdfast.core.text.Durations;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Times;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a page needs in one answer instead of many; nothing here changes anything. */
final class PageRoutes {
  private static final int MOST_NODES = 500;

  private final ClusterState state;
  private final Supplier<Policy> policy;
  private final PolicyAnswer policyAnswer;
  private final Clock clock;

  PageRoutes(
      ClusterState state, Supplier<Policy> policy, Collection<KnownCheck> known, Clock clock) {
    this.state = state;
    this.policy = policy;
    this.policyAnswer = new PolicyAnswer(state, policy, known);
    this.clock = clock;
  }

  List<Endpoint> endpoints() {
    return List.of(
        Endpoint.get(
            "/heatmap",
            "Every node as one cell",
            "holdfast.heatmap/1",
            List.of("nodes"),
            this::heatmap),
        Endpoint.get(
            "/goodput",
            "Where the time of jobs went: of those that run, or of all within a window such as 7d",
            "holdfast.goodput/1",
            List.of("window"),
            this::goodput),
        Endpoint.get(
            "/lemons",
            "Nodes and devices that fail more often than chance explains",
            "holdfast.lemons/1",
            List.of(),
            (_, to) -> Answers.json(to, LemonsJson.of(state, policy.get(), clock.instant()))),
        Endpoint.get(
            "/trust",
            "What was done without a person, and how much of it was wrong",
            "holdfast.trust/1",
            List.of(),
            (_, to) -> Answers.json(to, TrustJson.of(state, clock.instant()))),
        Endpoint.get(
            "/policy",
            "The rules, what fired, what lint says",
            "holdfast.policy/1",
            List.of(),
            (_, to) -> Answers.bytes(to, "application/json", policyAnswer.json())),
        Endpoint.get(
            "/search",
            "Whatever has the text in its name",
            "holdfast.search/1",
            List.of("q"),
            this::search),
        Endpoint.get(
            "/nodes/{id}/history",
            "What happened to a node, all that is remembered or within a window such as 24h",
            "holdfast.nodehistory/1",
            List.of("window"),
            this::history),
        Endpoint.get(
            "/jobs/{id}/health",
            "A job, its nodes and what hurts it",
            "holdfast.jobhealth/1",
            List.of(),
            this::job));
  }

  /** All nodes, or those named by {@code nodes=n1,n2}. */
  private void heatmap(ServerRequest request, ServerResponse response) {
    Optional<String> named = request.query().first("nodes").asOptional();
    Collection<NodeView> nodes =
        named.isEmpty()
            ? state.nodes()
            : Stream.of(named.get().split(",", MOST_NODES + 1))
                .limit(MOST_NODES)
                .flatMap(it -> state.node(it).stream())
                .toList();
    Answers.json(response, HeatmapJson.of(state, nodes, clock.instant()));
  }

  private void goodput(ServerRequest request, ServerResponse response) {
    Optional<String> window = request.query().first("window").asOptional();
    try {
      Answers.json(
          response,
          window.isEmpty()
              ? GoodputJson.of(state, clock.instant())
              : GoodputJson.within(state, Durations.parse(window.get()), clock.instant()));
    } catch (IllegalArgumentException wrong) {
      Answers.error(response, 400, "window: " + wrong.getMessage());
    }
  }

  private void history(ServerRequest request, ServerResponse response) {
    String id = request.path().pathParameters().get("id");
    Optional<NodeView> node = state.node(id);
    if (node.isEmpty()) {
      Answers.error(response, 404, "no node " + id);
      return;
    }
    try {
      Optional<Duration> window =
          request.query().first("window").asOptional().map(Durations::parse);
      Answers.json(
          response, new NodeHistoryJson(state, node.get(), window, clock.instant()).answer());
    } catch (IllegalArgumentException wrong) {
      Answers.error(response, 400, "window: " + wrong.getMessage());
    }
  }

  private void search(ServerRequest request, ServerResponse response) {
    String text = request.query().first("q").asOptional().orElse("");
    Answers.json(response, new Search(state, clock.instant(), text).answer());
  }

  /** How the nodes of a job are, which incidents hurt it, and what was decided for it. */
  private void job(ServerRequest request, ServerResponse response) {
    String id = request.path().pathParameters().get("id");
    Optional<JobView> found = state.job(id);
    if (found.isEmpty()) {
      Answers.error(response, 404, "no job " + id);
      return;
    }
    JobView job = found.get();
    List<NodeView> nodes =
        job.job().members().among(state.nodeNames()).stream()
            .flatMap(it -> state.node(it).stream())
            .toList();
    List<Map<String, @Nullable Object>> incidents =
        state.newestOpenIncidents().stream()
            .filter(it -> hurts(it, job))
            .map(it -> StateJson.incident(state, it))
            .toList();
    String subject = "job/" + id;
    Answers.json(
        response,
        Json.map(
            "schema",
            "holdfast.jobhealth/1",
            "line",
            GoodputJson.line(job, clock.instant()),
            "attempts",
            job.history().attempts().stream().map(PageRoutes::attempt).toList(),
            "steps",
            job.history().course().stream()
                .map(it -> List.of(Times.show(it.at()), it.step(), it.seconds(), it.slowest()))
                .toList(),
            "heatmap",
            HeatmapJson.of(state, nodes, clock.instant()),
            "incidents",
            incidents,
            "decisions",
            state.decisions().stream()
                .filter(it -> it.made().subject().equals(subject))
                .map(it -> StateJson.decision(state, it))
                .toList()));
  }

  private static Map<String, @Nullable Object> attempt(JobHistory.Attempt attempt) {
    return Json.map(
        "attempt",
        attempt.attempt(),
        "from",
        Times.show(attempt.from()),
        "until",
        Times.show(attempt.until()),
        "nodes",
        attempt.nodes(),
        "firstStep",
        attempt.firstStep(),
        "lastStep",
        attempt.lastStep());
  }

  private static boolean hurts(IncidentView incident, JobView job) {
    return incident.jobs().contains(job.id())
        || (incident.cause().kind().equals("job")
            && incident.cause().name().equals(job.job().job()));
  }
}
