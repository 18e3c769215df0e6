package dev.holdfast.control.api;

import dev.holdfast.control.access.Role;
import dev.holdfast.control.engine.Engine;
import dev.holdfast.core.text.Json;
import dev.holdfast.os.process.Heartbeats;
import io.helidon.http.HeaderNames;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Does the control plane do what it is there for, and should it be asked? */
final class Health {
  private final Engine engine;
  private final Heartbeats heartbeats;

  Health(Engine engine, Heartbeats heartbeats) {
    this.engine = engine;
    this.heartbeats = heartbeats;
  }

  /** Their paths stand at the root. A leader that is well is ready; a standby never is. */
  List<Endpoint> endpoints() {
    return List.of(
        Endpoint.get("/healthz", "Whether it decides", "holdfast.health/1", List.of(), this::tell)
            .with(Role.ANYONE),
        Endpoint.get(
                "/readyz",
                "Whether it is the one to ask: 503 from a standby",
                "holdfast.health/1",
                List.of(),
                this::tell)
            .with(Role.ANYONE));
  }

  private void tell(ServerRequest request, ServerResponse response) {
    List<Heartbeats.Late> late = heartbeats.late();
    boolean failed = engine.failure().isDone();
    Optional<String> problem =
        failed
            ? Optional.of("deciding has ended: " + engine.failure().join().getMessage())
            : problem(late);
    response
        .status(problem.isPresent() ? Status.SERVICE_UNAVAILABLE_503 : Status.OK_200)
        .header(HeaderNames.CONTENT_TYPE, "application/json")
        .header(HeaderNames.CACHE_CONTROL, "no-store")
        .send(
            Json.line(
                Json.map(
                    "schema",
                    "holdfast.health/1",
                    "role",
                    failed ? "ended" : "leader",
                    "problem",
                    problem.orElse(null),
                    "warning",
                    warning().orElse(null),
                    "late",
                    late.stream().map(Heartbeats.Late::json).toList(),
                    "tickAgeSeconds",
                    engine.meters().tickAgeSeconds(),
                    "waiting",
                    engine.waiting())));
  }

  private Optional<String> warning() {
    String failure = engine.meters().lastFailure();
    return engine
        .meters()
        .untrimmed()
        .or(
            () ->
                failure.isEmpty()
                    ? Optional.empty()
                    : Optional.of("could not be decided, a defect to report: " + failure));
  }

  /** In words, if a thread that must live does not. */
  static Optional<String> problem(List<Heartbeats.Late> late) {
    return late.isEmpty()
        ? Optional.empty()
        : Optional.of(late.stream().map(Object::toString).collect(Collectors.joining("; ")));
  }
}
