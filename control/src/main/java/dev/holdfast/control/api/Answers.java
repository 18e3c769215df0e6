package dev.holdfast.control.api;

import dev.holdfast.core.text.Json;
import io.helidon.http.HeaderNames;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How answers look: JSON with its schema, errors with a sentence and what to do. */
final class Answers {
  private Answers() {}

  static void json(ServerResponse response, Map<String, @Nullable Object> tree) {
    bytes(response, "application/json", bytes(tree));
  }

  /** What it was made of need not be kept while it is sent. */
  private static byte[] bytes(Map<String, @Nullable Object> tree) {
    return Json.line(tree).getBytes(StandardCharsets.UTF_8);
  }

  /** Sends what is known as a whole, and says how long it is. */
  static void bytes(ServerResponse response, String type, byte[] bytes) {
    response
        .header(HeaderNames.CONTENT_TYPE, type)
        .header(HeaderNames.CACHE_CONTROL, "no-store")
        .header(HeaderNames.CONTENT_LENGTH, Integer.toString(bytes.length))
        .send(bytes);
  }

  static void list(ServerResponse response, String name, java.util.List<?> items) {
    json(response, Json.map("schema", "holdfast." + name + "/1", name, items));
  }

  /** Who is refused because there is too much to do may try again in a moment. */
  static void busy(ServerResponse response, String what) {
    response.header(HeaderNames.RETRY_AFTER, "1");
    error(response, 503, what);
  }

  static void error(ServerResponse response, int status, String what) {
    response
        .status(Status.create(status))
        .header(HeaderNames.CONTENT_TYPE, "application/json")
        .send(Json.line(Json.map("schema", "holdfast.error/1", "error", what)));
  }
}
