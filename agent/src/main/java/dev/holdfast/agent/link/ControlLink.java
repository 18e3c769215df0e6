package dev.holdfast.agent.link;

import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.FindingForm;
import dev.holdfast.core.report.Receipt;
import dev.holdfast.core.report.Request;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The requests to the control plane: reports there, what it asks back. The one place that knows how
 * it is reached; who we are and whether it is the right one are to be proven here too.
 */
public final class ControlLink implements AutoCloseable {
  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final Duration ANSWER = Duration.ofSeconds(20);
  private static final int MOST_ANSWER = 4 << 20;

  /** What we sent is not understood, and never will be. */
  public static final class Refused extends IOException {
    Refused(String why) {
      super(why);
    }
  }

  private final URI server;
  private final String source;
  private final HttpClient client;

  public ControlLink(URI server, String source) {
    this.server = server;
    this.source = source;
    this.client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();
  }

  /** Sends reports, or none to hear where the control plane stands. */
  public Receipt send(List<String> lines) throws IOException, InterruptedException {
    String body = lines.isEmpty() ? "" : String.join("\n", lines) + "\n";
    String answer =
        answer(
            request("/api/v1/reports?source=", ANSWER)
                .header("Content-Type", "application/x-ndjson")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build());
    return read(() -> Receipt.of(Fields.of("receipt", Json.object(answer))));
  }

  /** What the control plane asks; waits up to {@code wait} for something. */
  public List<Request> requests(Duration wait) throws IOException, InterruptedException {
    HttpRequest.Builder poll =
        request("/api/v1/requests?wait=" + wait.toSeconds() + "&source=", wait.plus(ANSWER));
    String answer = answer(poll.GET().build());
    return read(
        () -> {
          List<Request> requests = new ArrayList<>();
          Fields document = Fields.of("requests", Json.object(answer));
          document.objects("requests").forEach(fields -> requests.add(Request.of(fields)));
          return requests;
        });
  }

  /** What the control plane believes to hold because we once said so. */
  public List<Finding> held() throws IOException, InterruptedException {
    String node = source.substring(source.indexOf('/') + 1);
    URI place = server.resolve("/api/v1/findings?limit=1000&node=" + encoded(node));
    String answer = answer(HttpRequest.newBuilder(place).timeout(ANSWER).GET().build());
    return read(
        () ->
            Fields.of("findings", Json.object(answer)).objects("findings").stream()
                .filter(it -> it.text("source", "").equals(source))
                .map(FindingForm::of)
                .toList());
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private HttpRequest.Builder request(String path, Duration patience) {
    return HttpRequest.newBuilder(server.resolve(path + encoded(source))).timeout(patience);
  }

  private String answer(HttpRequest request) throws IOException, InterruptedException {
    HttpResponse<java.io.InputStream> response =
        client.send(request, HttpResponse.BodyHandlers.ofInputStream());
    String text;
    try (java.io.InputStream body = response.body()) {
      text = new String(body.readNBytes(MOST_ANSWER), StandardCharsets.UTF_8);
    }
    int status = response.statusCode();
    if (status == 200) {
      return text;
    }
    String why = status + " " + text.substring(0, Math.min(200, text.length())).strip();
    throw status == 400 || status == 413 ? new Refused(why) : new IOException(why);
  }

  private static <T> T read(java.util.function.Supplier<T> reading) throws IOException {
    try {
      return reading.get();
    } catch (IllegalArgumentException foreign) {
      throw new IOException("not an answer of a control plane: " + foreign.getMessage(), foreign);
    }
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
