package dev.holdfast.control.api;

import dev.holdfast.control.access.Caller;
import dev.holdfast.control.api.gate.Gate;
import dev.holdfast.control.entry.Batch;
import dev.holdfast.control.entry.Entry;
import dev.holdfast.control.entry.JobEntry;
import dev.holdfast.control.entry.SourceEntry;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Times;
import io.helidon.http.sse.SseEvent;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.helidon.webserver.sse.SseSink;
import java.net.SocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Everything durable as it happens, as server-sent events. Whoever reads too slowly is told to
 * begin again instead of holding others up.
 */
final class EventRoutes {
  private static final int BEHIND = 1_000;
  private static final int LISTENERS = 400;

  /** Of one token, or of one address without. */
  private static final int LISTENERS_OF_ONE = 16;

  /** Places of their own, so that who brings a token finds one however many watch without. */
  private static final int WITHOUT_TOKEN = 100;

  private static final long KEEP_ALIVE_SECONDS = 15;

  private final Set<BlockingQueue<String>> listeners = ConcurrentHashMap.newKeySet();
  private final BriefJobs brief = new BriefJobs();
  private final Places places = new Places(LISTENERS, LISTENERS_OF_ONE, "listen already; end some");
  private final Places placesWithoutToken =
      new Places(WITHOUT_TOKEN, LISTENERS_OF_ONE, "listen without a token already; bring one");
  private final Gate gate;
  private volatile boolean closing;

  EventRoutes(Gate gate) {
    this.gate = gate;
  }

  List<Endpoint> endpoints() {
    return List.of(
        Endpoint.get(
            "/events",
            "Everything durable as it happens, as server-sent events",
            "holdfast.event/1",
            List.of(),
            this::events));
  }

  /** On the deciding thread: hands over and never waits. */
  void durable(Batch batch) {
    if (listeners.isEmpty()) {
      return;
    }
    for (Entry entry : batch.entries()) {
      if (entry instanceof SourceEntry.Heard) {
        continue;
      }
      Map<String, @Nullable Object> tree =
          entry instanceof JobEntry.Told told ? brief.of(told) : entry.tree();
      String line = Json.line(Json.map("at", Times.show(batch.at()), "entry", tree));
      for (BlockingQueue<String> queue : listeners) {
        if (!queue.offer(line)) {
          listeners.remove(queue);
        }
      }
    }
  }

  private void events(ServerRequest request, ServerResponse response) {
    Caller caller = Access.caller(request);
    if (caller.equals(Caller.HERE)) {
      String who = "address " + Gate.address(request.remotePeer().address());
      listen(who, placesWithoutToken, request, response);
    } else {
      listen("token " + caller.name(), places, request, response);
    }
  }

  private void listen(String who, Places some, ServerRequest request, ServerResponse response) {
    Optional<String> full = some.enter(who);
    if (full.isPresent()) {
      Answers.error(response, 503, full.get());
      return;
    }
    try {
      listen(request, response);
    } finally {
      some.leave(who);
    }
  }

  private void listen(ServerRequest request, ServerResponse response) {
    SocketAddress remote = request.remotePeer().address();
    BlockingQueue<String> queue = new ArrayBlockingQueue<>(BEHIND);
    listeners.add(queue);
    try (SseSink sink = response.sink(SseSink.TYPE)) {
      sink.emit(SseEvent.builder().name("hello").data("{}").build());
      while (!closing) {
        String line = queue.poll(KEEP_ALIVE_SECONDS, TimeUnit.SECONDS);
        gate.progress(remote);
        if (!Access.stands(request)) {
          return;
        }
        if (line != null) {
          sink.emit(SseEvent.builder().name("entry").data(line).build());
        } else if (!listeners.contains(queue)) {
          sink.emit(SseEvent.builder().name("behind").data("{}").build());
          return;
        } else {
          sink.emit(SseEvent.builder().name("alive").data("{}").build());
        }
      }
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
    } finally {
      listeners.remove(queue);
    }
  }

  /** How many listen. */
  int listeners() {
    return listeners.size();
  }

  void close() {
    closing = true;
  }
}
