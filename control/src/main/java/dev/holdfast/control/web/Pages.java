package dev.holdfast.control.web;

import io.helidon.http.HeaderNames;
import io.helidon.http.Status;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.regex.Pattern;

/** Serves the files of the page from the program itself; any path without a dot is the page. */
public final class Pages implements HttpService {
  private static final Pattern NAME = Pattern.compile("[a-z0-9-]+(/[a-z0-9-]+)*\\.[a-z0-9]+");
  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "svg", "image/svg+xml",
          "json", "application/json");

  @Override
  public void routing(HttpRules rules) {
    rules.get("/*", this::serve);
  }

  private void serve(ServerRequest request, ServerResponse response) throws IOException {
    String path = request.path().path().substring(1);
    String name = path.contains(".") ? path : "index.html";
    try (InputStream file =
        NAME.matcher(name).matches() ? Pages.class.getResourceAsStream(name) : null) {
      if (file == null) {
        response.status(Status.NOT_FOUND_404).send("not here");
        return;
      }
      response
          .header(
              HeaderNames.CONTENT_TYPE,
              TYPES.getOrDefault(name.substring(name.lastIndexOf('.') + 1), "text/plain"))
          .header(
              HeaderNames.create("Content-Security-Policy"),
              "default-src 'self'; style-src 'self' 'unsafe-inline'")
          .header(HeaderNames.CACHE_CONTROL, "no-cache")
          .send(file.readAllBytes());
    }
  }
}
