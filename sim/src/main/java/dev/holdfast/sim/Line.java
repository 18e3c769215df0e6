package dev.holdfast.sim;

import dev.holdfast.core.report.Receipt;
import dev.holdfast.core.report.Report;
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
import java.util.List;
import java.util.stream.Collectors;

/** The way to the control plane; shared by all simulated sources. */
public final class Line implements AutoCloseable {
  private static final Duration ANSWER = Duration.ofSeconds(20);

  private final String server;
  private final String token;
  private final HttpClient client;

  public Line(String server, String token) {
    this.server = server;
    this.token = token;
    this.client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();
  }

  private HttpRequest.Builder request(String path, String source, Duration deadline) {
    String where =
        server
            + "/api/v1"
            + path
            + (path.contains("?") ? "&" : "?")
            + "source="
            + URLEncoder.encode(source, StandardCharsets.UTF_8);
    HttpRequest.Builder builder = HttpRequest.newBuilder(URI.create(where)).timeout(deadline);
    if (!token.isEmpty()) {
      builder.header("Authorization", "Bearer " + token);
    }
    return builder;
  }

  private Fields send(HttpRequest request) throws IOException, InterruptedException {
    HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      throw new IOException(answer.statusCode() + " " + answer.body());
    }
    return Fields.of("answer", Json.object(answer.body()));
  }

  /** Tells; up to where it is durable. */
  Receipt tell(String source, List<Report> reports) throws IOException, InterruptedException {
    String lines = reports.stream().map(Report::line).collect(Collectors.joining("\n"));
    return Receipt.of(
        send(
            request("/reports", source, ANSWER)
                .POST(HttpRequest.BodyPublishers.ofString(lines))
                .build()));
  }

  /** What is asked of a source; waits a while for something to come. */
  List<Request> asked(String source, int seconds) throws IOException, InterruptedException {
    return send(request("/requests?wait=" + seconds, source, ANSWER.plusSeconds(seconds)).build())
        .objects("requests")
        .stream()
        .map(Request::of)
        .toList();
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
