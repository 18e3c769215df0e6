package dev.holdfast.control.api;

import dev.holdfast.control.access.Caller;
import dev.holdfast.control.engine.Engine;
import dev.holdfast.control.journal.History;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;

/**
 * The journal itself, batch by batch as JSON lines, for whoever replays it. {@code after} is the
 * position of the last line that was read; an answer without lines is the end.
 */
final class JournalRoutes {
  private static final String TYPE = "application/x-ndjson";
  private static final int LIMIT = 1_000;

  private final Engine engine;

  /** A whole state takes room; it is put together for one of those who ask without a token. */
  private final Semaphore one = new Semaphore(1);

  private final Semaphore known = new Semaphore(2);

  JournalRoutes(Engine engine) {
    this.engine = engine;
  }

  List<Endpoint> endpoints() {
    return List.of(
        Endpoint.get(
            "/journal",
            "The journal as JSON lines",
            "holdfast.journal/1",
            List.of("after", "limit"),
            this::journal),
        Endpoint.get(
            "/journal/base",
            "The state the journal begins with, as JSON lines",
            "holdfast.journal/1",
            List.of(),
            this::base));
  }

  private void base(ServerRequest request, ServerResponse response) {
    Semaphore places = Access.caller(request).equals(Caller.HERE) ? one : known;
    if (!places.tryAcquire()) {
      Answers.error(response, 503, "others are reading it; try again in a minute");
      return;
    }
    try {
      Answers.bytes(response, TYPE, base());
    } catch (IOException problem) {
      Answers.error(response, 503, String.valueOf(problem.getMessage()));
    } finally {
      places.release();
    }
  }

  private byte[] base() throws IOException {
    List<String> parts = new ArrayList<>();
    long position = engine.base(batch -> parts.add(batch.line()));
    StringBuilder lines = new StringBuilder();
    parts.forEach(it -> line(lines, position, it));
    parts.clear();
    return lines.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static void line(StringBuilder lines, long position, String batch) {
    lines.append("{\"position\":").append(position).append(',');
    lines.append(batch, 1, batch.length()).append('\n');
  }

  private void journal(ServerRequest request, ServerResponse response) {
    byte[] lines;
    try {
      long after = number(request, "after", 0);
      int limit = Math.clamp(number(request, "limit", LIMIT), 1, LIMIT);
      lines = rows(after, limit);
    } catch (NumberFormatException wrong) {
      Answers.error(response, 400, "after and limit should be numbers");
      return;
    } catch (IOException problem) {
      Answers.error(response, 503, String.valueOf(problem.getMessage()));
      return;
    }
    Answers.bytes(response, TYPE, lines);
  }

  private byte[] rows(long after, int limit) throws IOException {
    StringBuilder lines = new StringBuilder();
    for (History.Row row : engine.history(after, limit)) {
      line(lines, row.position(), row.batch());
    }
    return lines.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static long number(ServerRequest request, String name, long otherwise) {
    return request.query().first(name).asOptional().map(Long::parseLong).orElse(otherwise);
  }
}
