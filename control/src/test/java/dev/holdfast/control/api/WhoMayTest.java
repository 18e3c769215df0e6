package dev.holdfast.control.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.control.access.Entrance;
import dev.holdfast.control.access.Grant;
import dev.holdfast.control.access.Role;
import dev.holdfast.control.access.Tokens;
import dev.holdfast.control.decide.Decider;
import dev.holdfast.control.engine.Engine;
import dev.holdfast.control.evidence.Notary;
import dev.holdfast.control.journal.Journal;
import dev.holdfast.control.state.ClusterState;
import dev.holdfast.control.testing.Rules;
import dev.holdfast.control.testing.Told;
import dev.holdfast.os.process.Heartbeats;
import io.helidon.http.Method;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every endpoint is asked by everybody: whoever may gets an answer, everybody else a refusal. */
class WhoMayTest {
  @TempDir Path folder;
  private final HttpClient client =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
  private Tokens tokens;
  private Engine engine;
  private Journal journal;

  @BeforeEach
  void start() throws Exception {
    tokens = Tokens.open(folder, Clock.systemUTC(), _ -> {});
    journal = Journal.embedded(folder.resolve("journal"));
    ClusterState state = new ClusterState();
    engine =
        new Engine(
            state,
            new Decider(state, Rules.usual(), _ -> Rules.usual()),
            journal,
            Clock.systemUTC());
    engine.start(new Heartbeats());
  }

  private ApiServer serve(boolean strict) {
    return new ApiServer(
        engine,
        new Liveness(engine.state(), Clock.systemUTC()),
        Rules::usual,
        List.of(),
        Notary.inMemory(),
        new Entrance(tokens, strict),
        Optional::empty,
        "127.0.0.1",
        0,
        Clock.systemUTC(),
        new Heartbeats());
  }

  @AfterEach
  void stop() throws Exception {
    engine.close();
    journal.close();
    client.close();
  }

  private static Map<String, String> table() throws IOException {
    Map<String, String> table = new TreeMap<>();
    try (InputStream file = WhoMayTest.class.getResourceAsStream("/who-may.txt")) {
      String text = new String(file.readAllBytes(), StandardCharsets.UTF_8);
      for (String line : text.lines().filter(it -> !it.startsWith("#")).toList()) {
        String[] words = line.strip().split("\\s+");
        table.put(words[0] + " " + words[1], words[2]);
      }
    }
    return table;
  }

  @Test
  void everyEndpointHasALineThatSaysWhoMay() throws Exception {
    try (ApiServer server = serve(false)) {
      Map<String, String> built = new TreeMap<>();
      all(server).forEach(it -> built.put(it.line(), Grant.word(it.endpoint().role())));
      assertThat(built).as("endpoints beside who-may.txt").isEqualTo(table());
    }
  }

  /** An endpoint with its whole path. */
  private record Place(String path, Endpoint endpoint) {
    String line() {
      return endpoint.method().text() + " " + path;
    }
  }

  private static List<Place> all(ApiServer server) {
    List<Place> all = new ArrayList<>();
    server.endpoints().forEach(it -> all.add(new Place("/api/v1" + it.path(), it)));
    server.beside().forEach(it -> all.add(new Place(it.path(), it)));
    return all;
  }

  /** Everybody who could ask, by a name for messages; an empty token is none. */
  private Map<String, String> people() throws Exception {
    Map<String, String> people = new LinkedHashMap<>();
    people.put("nobody", "");
    for (Role role : List.of(Role.VIEWER, Role.OPERATOR, Role.ADMIN)) {
      people.put(
          Grant.word(role),
          tokens.create("a " + Grant.word(role), role, "", Optional.empty()).token());
    }
    people.put("agent", tokens.create("n1", Role.AGENT, "node/n1", Optional.empty()).token());
    people.put("admin of the file", tokens.admin());
    people.put("revoked", tokens.create("gone", Role.ADMIN, "", Optional.empty()).token());
    tokens.revoke("gone");
    people.put(
        "expired",
        tokens.create("late", Role.ADMIN, "", Optional.of(Duration.ofMillis(1))).token());
    Thread.sleep(5);
    people.put("wrong", "hf_" + "A".repeat(43));
    return people;
  }

  private static boolean may(String who, String least, boolean strict) {
    return switch (who) {
      case "nobody" -> least.equals("anyone") || least.equals("viewer") && !strict;
      case "viewer" -> List.of("anyone", "viewer").contains(least);
      case "operator" -> List.of("anyone", "viewer", "operator").contains(least);
      case "admin", "admin of the file" -> true;
      case "agent" -> List.of("anyone", "agent").contains(least);
      default -> least.equals("anyone");
    };
  }

  @Test
  void whoeverMayIsAnsweredAndEverybodyElseIsRefused() throws Exception {
    Map<String, String> people = people();
    for (boolean strict : List.of(false, true)) {
      try (ApiServer server = serve(strict)) {
        List<String> wrong = new ArrayList<>();
        for (Place place : all(server)) {
          for (Map.Entry<String, String> person : people.entrySet()) {
            String least = table().getOrDefault(place.line(), "undecided");
            int status = ask(server, place, person.getValue());
            boolean refused = status == 401 || status == 403 || status == 429;
            if (refused == may(person.getKey(), least, strict) || status >= 500) {
              wrong.add(
                  "%s %s: %d%s"
                      .formatted(person.getKey(), place.line(), status, strict ? ", strict" : ""));
            }
          }
        }
        assertThat(wrong).isEmpty();
      }
    }
  }

  private int ask(ApiServer server, Place place, String token)
      throws IOException, InterruptedException {
    Endpoint endpoint = place.endpoint();
    String path = place.path().replace("{id}", "x9");
    String query = endpoint.role() == Role.AGENT ? "?source=node/n1" : "";
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path + query))
            .timeout(Duration.ofSeconds(20));
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    request.method(
        endpoint.method().text(),
        endpoint.method().equals(Method.POST) && endpoint.role() != Role.AGENT
            ? HttpRequest.BodyPublishers.ofString("{}")
            : HttpRequest.BodyPublishers.noBody());
    HttpResponse<InputStream> answer =
        client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
    answer.body().close();
    return answer.statusCode();
  }

  private HttpResponse<String> send(ApiServer server, String path, String body, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/api/v1" + path))
            .timeout(Duration.ofSeconds(20));
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    if (!body.isEmpty()) {
      request.POST(HttpRequest.BodyPublishers.ofString(body));
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void anAgentSpeaksForItsOwnNodeOnly() throws Exception {
    String bearer = "Bearer " + people().get("agent");
    String foreign = Told.node("n2").say(Told.described("n2", "r1", "l1")).line();
    String own = Told.node("n1").say(Told.described("n1", "r1", "l1")).line();
    try (ApiServer server = serve(false)) {
      HttpResponse<String> refused = send(server, "/reports", foreign, "Authorization", bearer);
      assertThat(refused.statusCode()).isEqualTo(403);
      assertThat(refused.body()).contains("speaks for node/n1, not for node/n2");
      assertThat(engine.state().nodeCount()).isZero();
      assertThat(
              send(server, "/reports?source=node/n1", foreign, "Authorization", bearer)
                  .statusCode())
          .isEqualTo(400);
      assertThat(send(server, "/requests?source=node/n2", "", "Authorization", bearer).statusCode())
          .isEqualTo(403);
      assertThat(send(server, "/reports", own, "Authorization", bearer).statusCode())
          .isEqualTo(200);
      assertThat(send(server, "/findings?node=n1", "", "Authorization", bearer).statusCode())
          .isEqualTo(200);
      for (String other : List.of("n2", "n1&node=n2", "", "n1/gpu/0")) {
        assertThat(
                send(server, "/findings?node=" + other, "", "Authorization", bearer).statusCode())
            .as(other)
            .isEqualTo(403);
      }
    }
  }

  @Test
  void headersThatAreNotAsTheyShouldBeLetNobodyIn() throws Exception {
    String good = tokens.admin();
    try (ApiServer server = serve(false)) {
      for (String header :
          List.of(
              good,
              "Basic " + good,
              "Bearer",
              "Bearer " + good + "x",
              "Bearer " + good.substring(1),
              "Bearer " + good + "," + good,
              "Bearer hf_" + "é".repeat(3),
              "Bearer " + "x".repeat(7000))) {
        int status = send(server, "/pause", "{}", "Authorization", header).statusCode();
        assertThat(status).as(header).isBetween(400, 499);
      }
      assertThat(
              send(server, "/pause", "{}", "Authorization", "Bearer " + good, "Authorization", "x")
                  .statusCode())
          .isIn(401, 429);
      assertThat(engine.state().paused()).isEmpty();
      assertThat(send(server, "/pause", "{}", "Authorization", "bearer " + good).statusCode())
          .isEqualTo(200);
    }
  }

  @Test
  void whatIsPassedOnForOthersIsNotFromHere() throws Exception {
    try (ApiServer server = serve(false)) {
      assertThat(send(server, "/overview", "").statusCode()).isEqualTo(200);
      assertThat(send(server, "/overview", "", "X-Forwarded-For", "10.0.0.1").statusCode())
          .isEqualTo(401);
    }
  }

  @Test
  void wrongTokensAreSlowedDownAndRightOnesAreNot() throws Exception {
    try (ApiServer server = serve(false)) {
      int last = 0;
      for (int i = 0; i < 12; i++) {
        last = send(server, "/overview", "", "Authorization", "Bearer wrong").statusCode();
      }
      assertThat(last).isEqualTo(429);
      assertThat(
              send(server, "/overview", "", "Authorization", "Bearer " + tokens.admin())
                  .statusCode())
          .isEqualTo(200);
    }
  }

  @Test
  void whatIsTooLargeIsRefusedWhoeverSendsIt() throws Exception {
    String huge = "x".repeat(6 << 20);
    try (ApiServer server = serve(false)) {
      for (String token : List.of(tokens.admin(), "wrong")) {
        int status;
        try {
          status = send(server, "/notes", huge, "Authorization", "Bearer " + token).statusCode();
        } catch (IOException cut) {
          status = 413;
        }
        assertThat(status).isBetween(400, 499);
      }
      assertThat(send(server, "/overview", "").statusCode()).isEqualTo(200);
    }
  }
}
