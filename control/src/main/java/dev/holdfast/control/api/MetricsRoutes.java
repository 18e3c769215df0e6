package dev.holdfast.control.api;

import dev.holdfast.control.api.gate.Gate;
import dev.holdfast.control.engine.Engine;
import dev.holdfast.control.slurm.SlurmLink;
import dev.holdfast.core.text.MetricsText;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/** How the control plane itself is, for those who watch it: beside the API, not below it. */
final class MetricsRoutes {
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
        Endpoint.get(
            "/metrics", "Metrics in Prometheus's text form", "", List.of(), this::metrics));
  }

  private void metrics(ServerRequest request, ServerResponse response) {
    Answers.bytes(
        response,
        "text/plain; version=0.0.4; charset=utf-8",
        text().getBytes(StandardCharsets.UTF_8));
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
}
