package dev.holdfast.control.api;

import dev.holdfast.core.text.Json;
import io.helidon.http.HeaderNames;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerResponse;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How answers look: JSON with its schema, errors with a sentence and what to do. */
final class Answers {
  private Answers() {}

  static void json(ServerResponse response, Map<String, @Nullable Object> tree) {
    response
        .header(HeaderNames.CONTENT_TYPE, "application/json")
        .header(HeaderNames.CACHE_CONTROL, "no-store")
        .send(Json.line(tree));
  }

  static void list(ServerResponse response, String name, java.util.List<?> items) {
    json(response, Json.map("schema", "holdfast." + name + "/1", name, items));
  }

  static void error(ServerResponse response, int status, String what) {
    response
        .status(Status.create(status))
        .header(HeaderNames.CONTENT_TYPE, "application/json")
        .send(Json.line(Json.map("schema", "holdfast.error/1", "error", what)));
  }
}
