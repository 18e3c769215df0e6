package dev.holdfast.control.web;

import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.Status;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Serves the files of the page from the program itself. Every address a person can be at is the
 * same file, which then shows what the address names; names of nodes and jobs may hold dots, so the
 * first word decides.
 */
public final class Pages implements HttpService {
  private static final Set<String> PLACES =
      Set.of("", "incidents", "nodes", "jobs", "policy", "search");
  private static final Pattern NAME = Pattern.compile("[a-z0-9-]+(/[a-z0-9-]+)*\\.[a-z0-9]+");
  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "svg", "image/svg+xml",
          "json", "application/json");
  private static final HeaderName CONTENT_POLICY = HeaderNames.create("Content-Security-Policy");
  private static final HeaderName NO_SNIFFING = HeaderNames.create("X-Content-Type-Options");
  private static final HeaderName REFERRER = HeaderNames.create("Referrer-Policy");

  @Override
  public void routing(HttpRules rules) {
    rules.get("/*", this::serve);
  }

  private void serve(ServerRequest request, ServerResponse response) throws IOException {
    String path = request.path().path().substring(1);
    int slash = path.indexOf('/');
    String first = slash < 0 ? path : path.substring(0, slash);
    String name = PLACES.contains(first) ? "index.html" : path;
    try (InputStream file =
        NAME.matcher(name).matches() ? Pages.class.getResourceAsStream(name) : null) {
      if (file == null) {
        response.status(Status.NOT_FOUND_404).send("not here");
        return;
      }
      byte[] bytes = file.readAllBytes();
      response
          .header(
              HeaderNames.CONTENT_TYPE,
              TYPES.getOrDefault(name.substring(name.lastIndexOf('.') + 1), "text/plain"))
          .header(
              CONTENT_POLICY,
              "default-src 'self'; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'")
          .header(NO_SNIFFING, "nosniff")
          .header(REFERRER, "no-referrer")
          .header(HeaderNames.CACHE_CONTROL, "no-cache")
          .header(HeaderNames.CONTENT_LENGTH, Integer.toString(bytes.length))
          .send(bytes);
    }
  }
}
