package dev.holdfast.control.notify;

import dev.holdfast.control.engine.Engine;
import dev.holdfast.control.entry.Batch;
import dev.holdfast.control.entry.DecisionEntry;
import dev.holdfast.control.entry.IncidentEntry;
import dev.holdfast.control.state.ClusterState;
import dev.holdfast.control.state.DecisionView;
import dev.holdfast.control.state.IncidentView;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Times;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps an Alertmanager in step with the open incidents, one alert each. Every round sends all of
 * them with an end {@link #VALID} ahead, so that alerts of a control plane that is gone end by
 * themselves; an incident that closes is sent with its end once more. Being told of the same alert
 * again changes nothing there, so nothing needs to be remembered over a restart.
 */
public final class Alertmanager implements AutoCloseable {
  static final Duration VALID = Duration.ofMinutes(5);
  private static final Duration AGAIN = Duration.ofMinutes(1);
  private static final Duration AFTER_FAILURE = Duration.ofSeconds(5);
  private static final long CALM_MILLIS = 500;
  private static final int MOST_AT_ONCE = 200;
  private static final int MOST_NODES = 20;
  private static final long END_MILLIS = 2_000;

  private final Engine engine;
  private final Poster poster;
  private final Clock clock;
  private final Consumer<String> says;
  private final Semaphore news = new Semaphore(1);
  private final Map<String, String> told = new HashMap<>();
  private final Thread thread;
  private volatile boolean closing;
  private boolean troubled;

  /**
   * @param address of the Alertmanager, without the path of its API
   */
  public Alertmanager(Engine engine, URI address, Clock clock, Consumer<String> says) {
    this.engine = engine;
    this.poster =
        new Poster(URI.create(address.toString().replaceAll("/+$", "") + "/api/v2/alerts"));
    this.clock = clock;
    this.says = says;
    this.thread = Thread.ofPlatform().name("alertmanager").daemon().unstarted(this::work);
    engine.listen(this::durable);
  }

  public void start() {
    thread.start();
  }

  /** On the deciding thread: a sign, nothing else. */
  private void durable(Batch batch) {
    boolean concerns =
        batch.entries().stream()
            .anyMatch(it -> it instanceof IncidentEntry || it instanceof DecisionEntry);
    if (concerns && news.availablePermits() == 0) {
      news.release();
    }
  }

  private void work() {
    Duration wait = AGAIN;
    try {
      while (!closing) {
        boolean _ = news.tryAcquire(wait.toMillis(), TimeUnit.MILLISECONDS);
        Thread.sleep(CALM_MILLIS);
        news.drainPermits();
        wait = round() ? AGAIN : AFTER_FAILURE;
      }
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean round() throws InterruptedException {
    ClusterState state = engine.state();
    Instant now = clock.instant();
    List<Map<String, @Nullable Object>> alerts = new ArrayList<>();
    Map<String, String> open = new HashMap<>();
    for (IncidentView incident : state.openIncidents()) {
      String severity = severity(state, incident);
      open.put(incident.id(), severity);
      alerts.add(alert(state, incident, severity, now.plus(VALID)));
    }
    // An alert is named by its labels: one whose severity has changed is another one.
    told.forEach(
        (id, severity) -> {
          if (!severity.equals(open.get(id))) {
            state
                .incident(id)
                .ifPresent(it -> alerts.add(alert(state, it, severity, it.closed().orElse(now))));
          }
        });
    for (int from = 0; from < alerts.size(); from += MOST_AT_ONCE) {
      List<?> some = alerts.subList(from, Math.min(alerts.size(), from + MOST_AT_ONCE));
      boolean taken = poster.post(Json.line(some), Map.of()) == Poster.Result.TAKEN;
      engine.meters().told("alertmanager", taken);
      if (!taken) {
        open.forEach(told::putIfAbsent);
        trouble();
        return false;
      }
    }
    troubled = false;
    told.clear();
    told.putAll(open);
    return true;
  }

  private static String severity(ClusterState state, IncidentView incident) {
    return incident.findings().stream()
        .flatMap(it -> state.finding(it).stream())
        .map(it -> it.finding().severity())
        .max(Severity::compareTo)
        .map(Severity::word)
        .orElse("info");
  }

  private static Map<String, @Nullable Object> alert(
      ClusterState state, IncidentView incident, String severity, Instant ends) {
    List<String> nodes =
        incident.findings().stream()
            .map(it -> it.node())
            .filter(it -> !it.isEmpty())
            .distinct()
            .limit(MOST_NODES)
            .toList();
    String decided =
        incident.decisions().isEmpty()
            ? ""
            : state.decision(incident.decisions().getLast()).map(Alertmanager::words).orElse("");
    return Json.map(
        "labels",
        Json.map("alertname", "HoldfastIncident", "incident", incident.id(), "severity", severity),
        "annotations",
        Json.map(
            "summary",
            incident.title(),
            "cause",
            incident.cause().toString(),
            "nodes",
            nodes.isEmpty() ? null : String.join(",", nodes),
            "decision",
            decided.isEmpty() ? null : decided,
            "runbook",
            "holdfast incidents " + incident.id()),
        "startsAt",
        Times.show(incident.opened()),
        "endsAt",
        Times.show(ends));
  }

  private static String words(DecisionView decision) {
    return decision.id() + " " + decision.made().rung().word() + " is " + decision.stand().word();
  }

  /** Said once until it goes well again. */
  private void trouble() {
    if (!troubled) {
      troubled = true;
      says.accept("alertmanager: " + poster.place() + " does not take alerts; trying again");
    }
  }

  @Override
  public void close() throws InterruptedException {
    closing = true;
    thread.interrupt();
    thread.join(END_MILLIS);
    poster.close();
  }
}
