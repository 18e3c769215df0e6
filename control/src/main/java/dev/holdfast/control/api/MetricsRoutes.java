package dev.holdfast.control.api;

import dev.holdfast.control.access.Role;
import dev.holdfast.control.api.gate.Gate;
import dev.holdfast.control.engine.Engine;
import dev.holdfast.control.meter.Meters;
import dev.holdfast.control.slurm.SlurmLink;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.MetricsText;
import io.helidon.http.HeaderNames;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.lang.management.ManagementFactory;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** How the control plane itself is, for those who watch it: beside the API, not below it. */
final class MetricsRoutes {
  /** A tick comes every second; after so long deciding is stuck, on a disk most likely. */
  static final double STUCK_SECONDS = 30;

  private final Engine engine;
  private final Gate gate;
  private final IntSupplier listeners;
  private final Supplier<Optional<SlurmLink>> slurm;
  private final Clock clock;

  MetricsRoutes(
      Engine engine,
      Gate gate,
      IntSupplier listeners,
      Supplier<Optional<SlurmLink>> slurm,
      Clock clock) {
    this.engine = engine;
    this.gate = gate;
    this.listeners = listeners;
    this.slurm = slurm;
    this.clock = clock;
  }

  /** Their paths stand at the root. */
  List<Endpoint> endpoints() {
    return List.of(
        Endpoint.get("/metrics", "Metrics in Prometheus's text form", "", List.of(), this::metrics),
        Endpoint.get("/healthz", "Whether it decides", "holdfast.health/1", List.of(), this::health)
            .with(Role.ANYONE));
  }

  private void metrics(ServerRequest request, ServerResponse response) {
    response
        .header(HeaderNames.CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")
        .header(HeaderNames.CACHE_CONTROL, "no-store")
        .send(text());
  }

  String text() {
    MetricsText text = new MetricsText();
    new ClusterMetrics(engine.state(), text).write(clock.instant());
    engine.meters().write(text);
    slurm.get().ifPresent(it -> it.status().write(text));
    text.one(
        "holdfast_control_queue_length",
        "gauge",
        "Inputs that wait to be decided.",
        engine.waiting());
    text.one(
        "holdfast_control_deciding",
        "gauge",
        "1 while it leads and decides, 0 once that has failed.",
        engine.failure().isDone() ? 0 : 1);
    text.one(
        "holdfast_control_event_listeners",
        "gauge",
        "Pages and programs that listen to events.",
        listeners.getAsInt());
    gate.write(text);
    text.one(
        "holdfast_control_heap_bytes",
        "gauge",
        "Memory in use by the program's objects.",
        ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    text.one(
        "holdfast_control_start_time_seconds",
        "gauge",
        "When the process started, in seconds since 1970.",
        ManagementFactory.getRuntimeMXBean().getStartTime() / 1000.0);
    return text.toString();
  }

  private void health(ServerRequest request, ServerResponse response) {
    double age = engine.meters().tickAgeSeconds();
    boolean failed = engine.failure().isDone();
    boolean stuck = age > STUCK_SECONDS;
    response
        .status(failed || stuck ? Status.SERVICE_UNAVAILABLE_503 : Status.OK_200)
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
                    failed
                        ? "deciding has ended: " + engine.failure().join().getMessage()
                        : stuck ? "the journal does not answer" : null,
                    "warning",
                    warning(engine.meters()),
                    "tickAgeSeconds",
                    age,
                    "waiting",
                    engine.waiting())));
  }

  private static @Nullable String warning(Meters meters) {
    String failure = meters.lastFailure();
    return meters
        .untrimmed()
        .orElse(failure.isEmpty() ? null : "could not be decided, a defect to report: " + failure);
  }
}
