package dev.holdfast.control.api;

import dev.holdfast.control.access.Caller;
import dev.holdfast.control.access.Role;
import dev.holdfast.control.api.gate.Body;
import dev.holdfast.control.decide.Input;
import dev.holdfast.control.engine.Engine;
import dev.holdfast.control.engine.Overloaded;
import dev.holdfast.control.engine.RequestBoard;
import dev.holdfast.control.state.ActionView;
import dev.holdfast.control.state.Cursor;
import dev.holdfast.core.report.Receipt;
import dev.holdfast.core.report.Report;
import dev.holdfast.core.text.Json;
import io.helidon.http.HeaderNames;
import io.helidon.http.Method;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Where agents, launchers and scripts tell and ask: reports go in as JSON lines of one source and
 * are answered with a receipt once durable; requests are fetched, and wait a while for one to come.
 */
final class ReportRoutes {
  private static final long LONGEST_WAIT_SECONDS = 30;
  private static final int MOST_LINES = 2_000;

  /** Of all reports sent at once. */
  static final int MOST_BYTES = 4 * 1024 * 1024;

  private final Engine engine;
  private final Liveness liveness;
  private final RequestBoard board;
  private final Introductions introductions;
  private final ReportPace pace = new ReportPace();

  ReportRoutes(Engine engine, Liveness liveness, RequestBoard board, Introductions introductions) {
    this.engine = engine;
    this.liveness = liveness;
    this.board = board;
    this.introductions = introductions;
  }

  List<Endpoint> endpoints() {
    return List.of(
        new Endpoint(
            Method.POST,
            "/reports",
            Role.AGENT,
            "Report, as JSON lines",
            "holdfast.receipt/1",
            List.of("source"),
            MOST_BYTES,
            this::reports),
        Endpoint.get(
                "/requests",
                "What is asked of a source",
                "holdfast.requests/1",
                List.of("source", "wait"),
                this::requests)
            .with(Role.AGENT));
  }

  private void reports(ServerRequest request, ServerResponse response) throws InterruptedException {
    List<Report> reports = new ArrayList<>();
    String source;
    try {
      source = request.query().first("source").orElse("");
      String body = Body.of(request);
      int cost = body.isEmpty() ? 0 : ReportPace.cost(body);
      if (hurried(request, response, source, cost)) {
        return;
      }
      for (String line : body.lines().toList()) {
        if (!line.isBlank()) {
          reports.add(Report.of(line));
        }
      }
      if (source.isEmpty() && !reports.isEmpty()) {
        source = reports.getFirst().source();
      }
      require(source, reports);
    } catch (IllegalArgumentException wrong) {
      Answers.error(response, 400, String.valueOf(wrong.getMessage()));
      return;
    }
    if (stranger(request, response, source)
        || hurried(request, response, source, ReportPace.cost(reports))) {
      return;
    }
    List<Receipt.Refused> refused = List.of();
    liveness.heard(source);
    if (!reports.isEmpty()) {
      try {
        var decided = engine.report(new Input.Reported(source, reports));
        // What waits to be decided takes room, also when nobody waits for the answer any more.
        Runnable release = Body.keep(request);
        var _ = decided.whenComplete((_, _) -> release.run());
        refused = decided.get(WriteRoutes.PATIENCE_SECONDS, TimeUnit.SECONDS);
      } catch (ExecutionException problem) {
        boolean busy = problem.getCause() instanceof Overloaded;
        Answers.error(response, 503, busy ? "busy, try again" : "the control plane is ending");
        return;
      } catch (TimeoutException slow) {
        Answers.error(response, 504, "not durable in time; send it again");
        return;
      }
    }
    Cursor cursor = engine.durable(source);
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    tree.put("schema", "holdfast.receipt/1");
    tree.putAll(new Receipt(source, cursor.epoch(), cursor.sequence(), refused).json());
    Answers.json(response, tree);
  }

  /** Whether a source says more than it may in a second, which has been answered then. */
  private boolean hurried(ServerRequest request, ServerResponse response, String source, int cost) {
    String own = Access.caller(request).source();
    String whose = own.isEmpty() || own.equals("*") ? source : own;
    OptionalLong wait = pace.spend(whose, cost, System.nanoTime());
    if (wait.isEmpty()) {
      return false;
    }
    pace.sentBack(whose, cost, System.nanoTime())
        .ifPresent(count -> engine.submit(new Input.Hurried(whose, count)));
    response.header(HeaderNames.RETRY_AFTER, Long.toString(wait.getAsLong()));
    Answers.error(
        response,
        429,
        "%s says more than %d reports a second; send it again in %d s"
            .formatted(whose, ReportPace.PER_SECOND, wait.getAsLong()));
    return true;
  }

  /** Whether somebody speaks for a source that is not his, which has been answered then. */
  private boolean stranger(ServerRequest request, ServerResponse response, String source) {
    Caller caller = Access.caller(request);
    if (!caller.speaksFor(source)) {
      Answers.error(
          response, 403, "this token speaks for %s, not for %s".formatted(caller.source(), source));
      return true;
    }
    Optional<String> second = introductions.objection(request, source);
    second.ifPresent(why -> Answers.error(response, 409, why));
    return second.isPresent();
  }

  private static void require(String source, List<Report> reports) {
    if (source.isEmpty()) {
      throw new IllegalArgumentException("whose reports? give ?source=node/NAME");
    }
    if (source.startsWith("slurm/")) {
      throw new IllegalArgumentException("for Slurm the control plane speaks itself");
    }
    if (reports.size() > MOST_LINES) {
      throw new IllegalArgumentException("more than " + MOST_LINES + " reports at once");
    }
    for (Report report : reports) {
      if (!report.source().equals(source)) {
        throw new IllegalArgumentException("reports of several sources in one batch");
      }
    }
  }

  private void requests(ServerRequest request, ServerResponse response) {
    String source = request.query().first("source").orElse("");
    if (source.isEmpty()) {
      Answers.error(response, 400, "whose requests? give ?source=node/NAME");
      return;
    }
    if (stranger(request, response, source)) {
      return;
    }
    long wait;
    List<ActionView> open;
    try {
      wait = request.query().first("wait").asOptional().map(Long::parseLong).orElse(0L);
    } catch (NumberFormatException wrong) {
      Answers.error(response, 400, "wait should be a number of seconds");
      return;
    }
    liveness.heard(source);
    try {
      open = board.await(source, Duration.ofSeconds(Math.clamp(wait, 0, LONGEST_WAIT_SECONDS)));
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
      Answers.error(response, 503, "the control plane is ending");
      return;
    }
    if (!Access.stands(request)) {
      Answers.error(response, 401, "this token was revoked or has expired meanwhile");
      return;
    }
    liveness.heard(source);
    Answers.json(
        response,
        Json.map(
            "schema",
            "holdfast.requests/1",
            "requests",
            open.stream().map(it -> it.request().json()).toList()));
  }
}
