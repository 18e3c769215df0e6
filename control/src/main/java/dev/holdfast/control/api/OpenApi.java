package dev.holdfast.control.api;

import dev.holdfast.control.access.Role;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import io.helidon.http.Method;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The API as an OpenAPI 3.1 document, made from the list of endpoints, so that nothing can be asked
 * that is not in it. What answers look like lies in {@code schemas.json} beside this class.
 */
final class OpenApi {
  private static final Pattern NAME = Pattern.compile("\\{(\\w+)}");

  private final Map<String, @Nullable Object> known;
  private final Fields parameters;
  private final Fields bodies;
  private final Map<String, @Nullable Object> schemas;

  OpenApi() {
    this.known = Json.object(resource());
    this.parameters = Fields.of("parameters", known.get("parameters"));
    this.bodies = Fields.of("bodies", known.get("bodies"));
    this.schemas = tree(known.get("schemas"));
  }

  /**
   * @param beside what stands at the root instead of below {@code /api/v1}
   */
  Map<String, @Nullable Object> document(List<Endpoint> endpoints, List<Endpoint> beside) {
    Map<String, @Nullable Object> paths = new LinkedHashMap<>();
    endpoints.forEach(it -> add(paths, "/api/v1" + it.path(), it));
    beside.forEach(it -> add(paths, it.path(), it));
    return Json.map(
        "openapi",
        "3.1.0",
        "info",
        Json.map(
            "title",
            "Holdfast control plane",
            "version",
            "1",
            "description",
            "Everything the control plane knows and can be asked for. An answer of 200 to a POST means"
                + " that it is durable.",
            "license",
            Json.map("name", "Apache-2.0", "identifier", "Apache-2.0")),
        "servers",
        List.of(Json.map("url", "http://127.0.0.1:7070")),
        "paths",
        paths,
        "components",
        Json.map(
            "schemas",
            schemas,
            "securitySchemes",
            Json.map("token", Json.map("type", "http", "scheme", "bearer"))));
  }

  private void add(Map<String, @Nullable Object> paths, String path, Endpoint endpoint) {
    Map<String, @Nullable Object> item =
        tree(paths.computeIfAbsent(path, _ -> new LinkedHashMap<String, @Nullable Object>()));
    item.put(endpoint.method().text().toLowerCase(Locale.ROOT), operation(endpoint));
  }

  private Map<String, @Nullable Object> operation(Endpoint endpoint) {
    boolean post = !endpoint.method().equals(Method.GET);
    String role = endpoint.role().name().toLowerCase(Locale.ROOT);
    return Json.map(
        "operationId",
        id(endpoint),
        "summary",
        endpoint.summary(),
        "x-role",
        role,
        "security",
        endpoint.role() == Role.ANYONE ? List.of() : List.of(Json.map("token", List.of())),
        "parameters",
        parameters(endpoint),
        "requestBody",
        post ? body(endpoint) : null,
        "responses",
        responses(endpoint, post));
  }

  private static String id(Endpoint endpoint) {
    String path = endpoint.path().replaceAll("[{}]", "");
    return endpoint.method().text().toLowerCase(Locale.ROOT) + path.replaceAll("\\W+", "-");
  }

  private List<Object> parameters(Endpoint endpoint) {
    List<Object> all = new ArrayList<>();
    NAME.matcher(endpoint.path())
        .results()
        .forEach(
            it ->
                all.add(
                    Json.map(
                        "name",
                        it.group(1),
                        "in",
                        "path",
                        "required",
                        true,
                        "schema",
                        Json.map("type", "string"))));
    for (String name : endpoint.query()) {
      Map<String, @Nullable Object> parameter = Json.map("name", name, "in", "query");
      parameter.putAll(
          parameters.has(name)
              ? tree(tree(known.get("parameters")).get(name))
              : Json.map("schema", Json.map("type", "string")));
      all.add(parameter);
    }
    return all;
  }

  private Map<String, @Nullable Object> body(Endpoint endpoint) {
    if (endpoint.answer().equals("holdfast.receipt/1")) {
      return content("application/x-ndjson", Json.map("type", "string"));
    }
    if (!endpoint.answer().equals("holdfast.done/1")) {
      return content("application/json", Json.map("type", "object"));
    }
    return content("application/json", reference(bodies.text(endpoint.path(), "wish")));
  }

  private Map<String, @Nullable Object> responses(Endpoint endpoint, boolean post) {
    Map<String, @Nullable Object> responses = new LinkedHashMap<>();
    responses.put("200", described("As asked.", answer(endpoint)));
    refusal(responses, "401", "No token, or one that is not known.");
    refusal(responses, "403", "The token's role may not.");
    if (endpoint.path().contains("{")) {
      refusal(responses, "404", "Nothing of that name.");
    }
    if (post) {
      refusal(responses, "400", "The body cannot be read.");
      refusal(responses, "409", "Not as things stand; the sentence says why.");
    }
    refusal(responses, "503", "Busy or ending; ask again.");
    return responses;
  }

  private void refusal(Map<String, @Nullable Object> responses, String status, String what) {
    responses.put(status, described(what, content("application/json", reference("error"))));
  }

  private Map<String, @Nullable Object> answer(Endpoint endpoint) {
    return switch (endpoint.path()) {
      case "/openapi.json" -> content("application/json", Json.map("type", "object"));
      case "/metrics" -> content("text/plain", Json.map("type", "string"));
      case "/events" -> content("text/event-stream", Json.map("type", "string"));
      case "/journal", "/journal/base" ->
          content("application/x-ndjson", Json.map("type", "string"));
      default ->
          endpoint.answer().equals("application/zip")
              ? content("application/zip", Json.map())
              : content("application/json", schema(endpoint.answer()));
    };
  }

  /** What is not described closer at least says which schema it is. */
  private Map<String, @Nullable Object> schema(String answer) {
    String name = answer.replaceAll("^holdfast\\.|/\\d+$", "");
    return schemas.containsKey(name)
        ? reference(name)
        : Json.map(
            "type",
            "object",
            "properties",
            Json.map("schema", Json.map("const", answer)),
            "required",
            List.of("schema"));
  }

  private static Map<String, @Nullable Object> described(
      String what, Map<String, @Nullable Object> content) {
    Map<String, @Nullable Object> response = Json.map("description", what);
    response.putAll(content);
    return response;
  }

  private static Map<String, @Nullable Object> content(
      String type, Map<String, @Nullable Object> schema) {
    return Json.map("content", Json.map(type, Json.map("schema", schema)));
  }

  private static Map<String, @Nullable Object> reference(String name) {
    return Json.map("$ref", "#/components/schemas/" + name);
  }

  @SuppressWarnings("unchecked")
  private static Map<String, @Nullable Object> tree(@Nullable Object value) {
    return (Map<String, @Nullable Object>) Objects.requireNonNull(value);
  }

  private static String resource() {
    try (InputStream in =
        Objects.requireNonNull(OpenApi.class.getResourceAsStream("schemas.json"))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new UncheckedIOException("schemas.json", unreadable);
    }
  }
}
