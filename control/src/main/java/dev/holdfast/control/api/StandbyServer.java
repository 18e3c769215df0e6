package dev.holdfast.control.api;

import dev.holdfast.control.access.Entrance;
import dev.holdfast.control.api.gate.Doorkeeper;
import dev.holdfast.control.api.gate.Gate;
import dev.holdfast.control.api.gate.GateLimits;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.MetricsText;
import dev.holdfast.os.process.Heartbeats;
import io.helidon.http.HeaderNames;
import io.helidon.http.Method;
import io.helidon.http.Status;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The port of a control plane that waits: it says that it does, sends browsers to the leader, and
 * refuses all else with 503, so that whoever has several addresses tries the next.
 */
public final class StandbyServer implements AutoCloseable {
  private final WebServer server;
  private final Gate gate;
  private final Supplier<String> leader;
  private final Supplier<Optional<String>> problem;
  private final LongSupplier position;
  private final Heartbeats heartbeats;

  /**
   * @param leader where the leader is reached, empty: not known
   * @param problem why the journal cannot be followed
   * @param position how much of the journal is read
   * @param heartbeats the threads of this process that must live
   */
  public StandbyServer(
      Entrance entrance,
      String host,
      int port,
      Supplier<String> leader,
      Supplier<Optional<String>> problem,
      LongSupplier position,
      Heartbeats heartbeats) {
    ServerErrors.listen();
    this.gate = new Gate(GateLimits.ofProcess(entrance.identity().isPresent()));
    this.leader = leader;
    this.problem = problem;
    this.position = position;
    this.heartbeats = heartbeats;
    Doorkeeper door = new Doorkeeper(gate);
    var builder = door.limit(WebServer.builder(), 0);
    entrance.identity().map(Encryption::of).ifPresent(builder::tls);
    this.server =
        builder
            .host(host)
            .port(port)
            .shutdownHook(false)
            .routing(
                routing ->
                    routing
                        .addFilter(door)
                        .addFilter(new Neighbours(entrance))
                        .get("/healthz", (_, response) -> health(response, false))
                        .get("/readyz", (_, response) -> health(response, true))
                        .get("/metrics", this::metrics)
                        .get("/", this::page)
                        .any(this::refuse))
            .build()
            .start();
    if (!server.isRunning()) {
      throw new UncheckedIOException(
          new BindException(host + ":" + port + " cannot be served; is it taken?"));
    }
    gate.start(heartbeats);
  }

  public int port() {
    return server.port();
  }

  /** It may be well and is still not the one to ask. */
  private void health(ServerResponse response, boolean toBeAsked) {
    List<Heartbeats.Late> late = heartbeats.late();
    Optional<String> wrong = problem.get().or(() -> Health.problem(late));
    response.status(Status.create(wrong.isPresent() || toBeAsked ? 503 : 200));
    Answers.json(
        response,
        Json.map(
            "schema",
            "holdfast.health/1",
            "role",
            "standby",
            "leader",
            leader.get(),
            "position",
            position.getAsLong(),
            "problem",
            wrong.orElse(null),
            "late",
            late.stream().map(Heartbeats.Late::json).toList()));
  }

  /** That it waits, and how far it has read: nothing about the cluster. */
  private void metrics(ServerRequest request, ServerResponse response) {
    MetricsText text = new MetricsText();
    text.one("holdfast_control_standby", "gauge", "1 while it waits to lead.", 1);
    text.one(
        "holdfast_control_standby_position",
        "gauge",
        "How much of the journal it has read, in batches.",
        position.getAsLong());
    text.one(
        "holdfast_control_standby_troubled",
        "gauge",
        "1 while it cannot follow the journal.",
        problem.get().isPresent() ? 1 : 0);
    response
        .header(HeaderNames.CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")
        .send(text.toString());
  }

  private void page(ServerRequest request, ServerResponse response) {
    String where = leader.get();
    if (where.isEmpty() || !request.prologue().method().equals(Method.GET)) {
      refuse(request, response);
    } else {
      response
          .status(Status.TEMPORARY_REDIRECT_307)
          .header(HeaderNames.LOCATION, where + "/")
          .send();
    }
  }

  private void refuse(ServerRequest request, ServerResponse response) {
    String where = leader.get();
    Answers.error(
        response,
        503,
        "this control plane is a standby; "
            + (where.isEmpty() ? "who leads is not known" : "ask the one that leads: " + where));
  }

  @Override
  public void close() {
    server.stop();
    gate.close();
  }
}
