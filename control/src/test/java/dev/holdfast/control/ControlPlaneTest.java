package dev.holdfast.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.control.access.Role;
import dev.holdfast.control.journal.Journal;
import dev.holdfast.control.testing.Rules;
import dev.holdfast.control.testing.Told;
import dev.holdfast.core.report.Report;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ControlPlaneTest {
  @TempDir Path folder;
  private final HttpClient client =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
  private ControlPlane control;
  private String agent;

  @BeforeEach
  void start() throws Exception {
    control =
        new ControlPlane(
            Journal.embedded(folder),
            Rules.usual(),
            _ -> Rules.usual(),
            "127.0.0.1",
            0,
            Clock.systemUTC());
    agent = control.tokens().passing("agents", Role.AGENT, "*");
  }

  @AfterEach
  void stop() throws Exception {
    control.close();
    client.close();
  }

  private HttpRequest.Builder request(String path) {
    boolean agents = path.startsWith("/reports") || path.startsWith("/requests");
    return HttpRequest.newBuilder(
            URI.create("http://127.0.0.1:" + control.port() + "/api/v1" + path))
        .header("Authorization", "Bearer " + (agents ? agent : control.tokens().admin()))
        .timeout(Duration.ofSeconds(20));
  }

  private Fields get(String path) throws IOException, InterruptedException {
    HttpResponse<String> answer =
        client.send(request(path).build(), HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return Fields.of("answer", Json.object(answer.body()));
  }

  private HttpResponse<String> post(String path, String body)
      throws IOException, InterruptedException {
    return client.send(
        request(path).POST(HttpRequest.BodyPublishers.ofString(body)).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private static String lines(Report... reports) {
    return List.of(reports).stream().map(Report::line).collect(Collectors.joining("\n"));
  }

  @Test
  void aReportedFaultBecomesAnIncidentADecisionAndARequest() throws Exception {
    Told told = Told.node("n1");
    CompletableFuture<HttpResponse<String>> asked =
        client.sendAsync(
            request("/requests?source=node/n1&wait=20").build(),
            HttpResponse.BodyHandlers.ofString());
    HttpResponse<String> receipt =
        post(
            "/reports",
            lines(told.say(Told.described("n1", "r1", "l1")), told.say(Told.lostGpu("n1", 3))));
    assertThat(receipt.body()).contains("\"sequence\":2");

    Fields incident = get("/incidents").objects("incidents").getFirst();
    assertThat(incident.text("severity")).isEqualTo("fatal");
    assertThat(incident.object("decision").text("rung")).isEqualTo("drain-now");
    assertThat(get("/nodes/n1").text("service")).isEqualTo("drained");
    assertThat(get("/overview").integer("openIncidents")).isEqualTo(1);
    assertThat(asked.get(20, TimeUnit.SECONDS).body()).contains("cordon");
    assertThat(get("/incidents/i-1").objects("findingList")).hasSize(1);
  }

  @Test
  void peopleArePermittedAndRefusedWithTheReason() throws Exception {
    post("/reports", lines(Told.node("n1").say(Told.described("n1", "r1", "l1"))));
    assertThat(post("/nodes/n1/drain", "{\"why\":\"new disk\"}").statusCode()).isEqualTo(200);
    HttpResponse<String> again = post("/nodes/n1/drain", "{\"why\":\"again\"}");
    assertThat(again.statusCode()).isEqualTo(409);
    assertThat(again.body()).contains("drained already");
    assertThat(post("/decisions/d-99/approve", "").statusCode()).isEqualTo(409);
    assertThat(post("/nodes/n1/drain", "not json").statusCode()).isEqualTo(400);
    assertThat(post("/reports", "rubbish").statusCode()).isEqualTo(400);
  }

  @Test
  void whatHappensIsToldAsItHappens() throws Exception {
    HttpResponse<java.util.stream.Stream<String>> events =
        client.send(request("/events").build(), HttpResponse.BodyHandlers.ofLines());
    post("/reports", lines(Told.node("n1").say(Told.described("n1", "r1", "l1"))));
    post("/pause", "{\"why\":\"try\"}");
    try (var lines = events.body()) {
      assertThat(
              lines.filter(it -> it.startsWith("data:") && it.contains("rule.paused")).findFirst())
          .isPresent();
    }
  }

  @Test
  void pagesOfOtherSitesMayNotAsk() throws Exception {
    HttpRequest.Builder pause =
        request("/pause").POST(HttpRequest.BodyPublishers.ofString("{\"why\":\"x\"}"));
    HttpResponse<String> foreign =
        client.send(
            pause.copy().header("Origin", "http://example.org").build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(foreign.statusCode()).isEqualTo(403);
    assertThat(control.engine().state().paused()).isEmpty();
    HttpResponse<String> own =
        client.send(
            pause.copy().header("Origin", "http://127.0.0.1:" + control.port()).build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(own.statusCode()).isEqualTo(200);
  }

  @Test
  void aNameThatLeadsHereIsNotOurs() throws Exception {
    try (java.net.Socket socket = new java.net.Socket("127.0.0.1", control.port())) {
      socket.setSoTimeout(10_000);
      socket
          .getOutputStream()
          .write(
              "GET /api/v1/overview HTTP/1.1\r\nHost: example.org\r\nConnection: close\r\n\r\n"
                  .getBytes(java.nio.charset.StandardCharsets.US_ASCII));
      String answer =
          new String(
              socket.getInputStream().readNBytes(12), java.nio.charset.StandardCharsets.UTF_8);
      assertThat(answer).startsWith("HTTP/1.1 403");
    }
  }
}
