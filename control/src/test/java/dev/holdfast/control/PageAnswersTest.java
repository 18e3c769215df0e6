package dev.holdfast.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.control.access.Entrance;
import dev.holdfast.control.access.Role;
import dev.holdfast.control.decide.Input;
import dev.holdfast.control.decide.Wish;
import dev.holdfast.control.evidence.Notary;
import dev.holdfast.control.journal.Journal;
import dev.holdfast.control.testing.Rules;
import dev.holdfast.control.testing.Told;
import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.policy.KnownCheck;
import dev.holdfast.core.report.Report;
import dev.holdfast.core.report.Statement;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.os.process.Heartbeats;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The answers made for the page, and the page's own files. */
class PageAnswersTest {
  @TempDir Path folder;
  private final HttpClient client =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
  private ControlPlane control;
  private String agent;

  @BeforeEach
  void start() throws Exception {
    control =
        new ControlPlane(
            Lead.of(Journal.embedded(folder)),
            Rules.usual(),
            _ -> Rules.usual(),
            List.of(new KnownCheck("gpu.reachable", FaultClass.HARDWARE, Proof.RECORDED)),
            Notary.inMemory(),
            Entrance.inMemory(),
            "127.0.0.1",
            0,
            Clock.systemUTC(),
            new Heartbeats());
    agent = control.tokens().passing("agents", Role.AGENT, "*");
    Told n1 = Told.node("n1");
    tell(n1.say(Told.described("n1", "r1", "l1")), n1.say(Told.lostGpu("n1", 3)));
    tell(Told.node("n2").say(Told.described("n2", "r1", "l1")));
    tell(new Told("run/x").say(Told.job("x", Instant.now(), "n2")));
  }

  @AfterEach
  void stop() throws Exception {
    control.close();
    client.close();
  }

  private HttpResponse<String> ask(String path) throws IOException, InterruptedException {
    return client.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + control.port() + path))
            .timeout(Duration.ofSeconds(20))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private Fields get(String path) throws IOException, InterruptedException {
    HttpResponse<String> answer = ask("/api/v1" + path);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return Fields.of("answer", Json.object(answer.body()));
  }

  private void tell(Report... reports) throws IOException, InterruptedException {
    StringBuilder lines = new StringBuilder();
    for (Report report : reports) {
      lines.append(report.line()).append('\n');
    }
    HttpResponse<String> answer =
        client.send(
            HttpRequest.newBuilder(
                    URI.create("http://127.0.0.1:" + control.port() + "/api/v1/reports"))
                .timeout(Duration.ofSeconds(20))
                .header("Authorization", "Bearer " + agent)
                .POST(HttpRequest.BodyPublishers.ofString(lines.toString()))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
  }

  @Test
  void theHeatmapHasARowForEachNodeWithTheWorstOfEachPart() throws Exception {
    String body = ask("/api/v1/heatmap").body();
    assertThat(body)
        .contains("[\"n1\",{\"leaf\":\"l1\",\"rack\":\"r1\"},0,\"drained\",null,\"fatal\",null,")
        .contains("{\"gpu/3\":\"fatal\"}]")
        .contains("[\"n2\",{\"leaf\":\"l1\",\"rack\":\"r1\"},0,\"in\",null,null,\"x\",{}]");
    assertThat(get("/heatmap").texts("columns")).startsWith("node", "place", "layout");
    assertThat(ask("/api/v1/heatmap?nodes=n2,n9").body()).contains("\"n2\"").doesNotContain("n1");
  }

  @Test
  void goodputIsTheShareOfTimeThatWasNotLost() throws Exception {
    Instant begun = Instant.now().minusSeconds(1000);
    Statement job =
        Statement.of(
            Fields.of(
                "job",
                Json.object(
                    """
                    {"kind":"job","job":{"job":"y","state":"running","attempt":1,"begun":"%s",
                    "members":[{"node":"n1","firstRank":0,"processes":8}],
                    "losses":[{"phase":"recompute","cause":"lost-gpu","seconds":250}]}}
                    """
                        .formatted(begun))));
    tell(new Told("run/y").say(job));
    Fields line =
        get("/goodput").objects("jobs").stream()
            .filter(it -> it.text("job").equals("y"))
            .findFirst()
            .orElseThrow();
    assertThat(line.decimal("goodput", 0)).isBetween(0.74, 0.76);
    assertThat(get("/goodput").objects("losses").getFirst().decimal("processSeconds", 0))
        .isEqualTo(2000);
  }

  private static Statement job(String state, Instant begun, int attempt, long step, int lost) {
    return Statement.of(
        Fields.of(
            "job",
            Json.object(
                """
                {"kind":"job","job":{"job":"z","state":"%s","attempt":%d,"begun":"%s","step":%d,"stepSeconds":1.5,
                "members":[{"node":"n1","firstRank":0,"processes":8}],
                "losses":[{"phase":"recompute","cause":"lost-gpu","seconds":%d}]}}
                """
                    .formatted(state, attempt, begun, step, lost))));
  }

  @Test
  void timeThatWasLostWithinAWindowIsCountedAlsoForJobsThatAreOver() throws Exception {
    Instant begun = Instant.now().minusSeconds(1000);
    Told launcher = new Told("run/z");
    tell(launcher.say(job("running", begun, 0, 10, 100)));
    tell(launcher.say(job("running", begun, 1, 12, 200)));
    tell(launcher.say(job("finished", begun, 1, 40, 250)));
    assertThat(get("/goodput").objects("jobs")).noneMatch(it -> it.text("job").equals("z"));

    Fields week = get("/goodput?window=7d");
    assertThat(week.objects("jobs")).anyMatch(it -> it.text("job").equals("z"));
    assertThat(week.objects("ledger"))
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.text("job")).isEqualTo("z");
              assertThat(it.text("phase")).isEqualTo("recompute");
              assertThat(it.decimal("seconds", 0)).isEqualTo(250);
              assertThat(it.decimal("processSeconds", 0)).isEqualTo(2000);
            });
    assertThat(ask("/api/v1/goodput?window=soon").statusCode()).isEqualTo(400);

    Fields health = get("/jobs/z/health");
    assertThat(health.objects("attempts"))
        .extracting(it -> it.integer("attempt"))
        .containsExactly(0, 1);
    assertThat(health.objects("attempts").get(1).number("lastStep")).isEqualTo(40);
    assertThat(ask("/api/v1/jobs/z/health").body()).contains(",12,1.5,1.5]", ",40,1.5,1.5]");
  }

  @Test
  void theLedgerOfTrustIsThereFromTheFirstMinute() throws Exception {
    Fields trust = get("/trust");
    assertThat(trust.number("drains")).isEqualTo(1);
    assertThat(trust.object("wrongDrains").number("events")).isZero();
    assertThat(trust.object("wrongDrains").decimal("upperPerThousandNodeDays", 0)).isPositive();
    assertThat(ask("/metrics").body())
        .contains("holdfast_drains_total 1", "holdfast_wrong_total{what=\"drain\"} 0");
  }

  @Test
  void repeatOffendersAreRankedWithWhatWasToBeExpected() throws Exception {
    Fields nodes = get("/lemons").object("nodes");
    assertThat(nodes.integer("count")).isEqualTo(2);
    assertThat(nodes.objects("rows"))
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.text("subject")).isEqualTo("node/n1");
              assertThat(it.number("faults")).isEqualTo(1);
              assertThat(it.flag("lemon")).isFalse();
            });
  }

  @Test
  void aBareWordOfTheQueryMeansYes() throws Exception {
    Told n3 = Told.node("n3");
    tell(
        n3.say(Told.described("n3", "r", "l")),
        n3.say(Told.worse("n3", 1)),
        n3.say(
            new Statement.Cleared(
                "gpu.ecc.corrected",
                new dev.holdfast.core.health.Subject.Node("n3").gpu(1),
                "quiet")));
    assertThat(get("/findings?node=n3").objects("findings")).isEmpty();
    for (String all : new String[] {"all", "all=", "all=true"}) {
      assertThat(get("/findings?node=n3&" + all).objects("findings")).as(all).hasSize(1);
    }
    assertThat(get("/findings?node=n3&all=false").objects("findings")).isEmpty();
    assertThat(
            client
                .send(requests("node/n3&wait=soon"), HttpResponse.BodyHandlers.ofString())
                .statusCode())
        .isEqualTo(400);
  }

  private HttpRequest requests(String source) {
    return HttpRequest.newBuilder(
            URI.create("http://127.0.0.1:" + control.port() + "/api/v1/requests?source=" + source))
        .header("Authorization", "Bearer " + agent)
        .timeout(Duration.ofSeconds(20))
        .build();
  }

  @Test
  void whoeverWaitsForARequestIsLetGoWhenItEnds() throws Exception {
    long begin = System.nanoTime();
    var waiting =
        client.sendAsync(requests("node/n2&wait=30"), HttpResponse.BodyHandlers.ofString());
    Thread.sleep(300);
    control.close();
    try {
      assertThat(waiting.get(10, TimeUnit.SECONDS).statusCode()).isIn(200, 503);
    } catch (java.util.concurrent.ExecutionException cut) {
      assertThat(cut).hasCauseInstanceOf(IOException.class);
    }
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(10));
    start();
  }

  @Test
  void thePolicySaysWhatEachRuleDecided() throws Exception {
    Fields rule = get("/policy").objects("rules").getFirst();
    assertThat(rule.text("rule")).isEqualTo("broken-hardware");
    assertThat(rule.flag("enforce")).isTrue();
    assertThat(rule.text("lastIncident")).isEqualTo("i-1");
    assertThat(rule.object("fired").names()).hasSize(1);
  }

  @Test
  void thePolicySaysWhatIsWrongWithIt() throws Exception {
    assertThat(get("/policy").objects("problems"))
        .anySatisfy(
            it -> {
              assertThat(it.text("level")).isEqualTo("error");
              assertThat(it.text("kind")).isEqualTo("coverage");
              assertThat(it.text("what")).contains("storage");
            });
  }

  @Test
  void searchLooksIntoNamesPlacesAndTitles() throws Exception {
    assertThat(get("/search?q=N1").objects("nodes")).hasSize(1);
    assertThat(get("/search?q=r1").objects("nodes")).hasSize(2);
    assertThat(get("/search?q=gpu.reach").objects("incidents")).hasSize(1);
    assertThat(get("/search?q=gpu.reach").objects("findings")).hasSize(1);
    assertThat(get("/search?q=x").objects("jobs")).hasSize(1);
    assertThat(get("/search?q=").objects("nodes")).isEmpty();
  }

  @Test
  void theHealthOfAJobNamesItsNodesAndWhatHurtsIt() throws Exception {
    Told n2 = Told.node("n2");
    n2.say(Told.lostGpu("n2", 1));
    tell(n2.say(Told.lostGpu("n2", 1)));
    Fields health = get("/jobs/x/health");
    assertThat(health.objects("incidents")).hasSize(1);
    assertThat(health.object("line").integer("processes")).isEqualTo(8);
    assertThat(ask("/api/v1/jobs/none/health").statusCode()).isEqualTo(404);
  }

  @Test
  void theHistoryOfANodeSaysWhatHeldWhenAndHowMuchOfItThereWas() throws Exception {
    Told n3 = Told.node("n3");
    tell(n3.say(Told.described("n3", "r3", "l3")));
    tell(n3.say(Told.lostGpu("n3", 3)));
    control
        .engine()
        .submit(new Input.Wished("ada", new Wish.Drain("n3", false, "new firmware")))
        .get(20, TimeUnit.SECONDS);
    Fields history = get("/nodes/n3/history");
    assertThat(history.objects("services").getFirst().text("service")).isEqualTo("in");
    Fields last = history.objects("services").getLast();
    assertThat(last.text("service")).isEqualTo("drained");
    assertThat(last.text("why")).contains("new firmware");
    assertThat(last.text("until")).isEqualTo(history.text("until"));
    assertThat(history.objects("findings"))
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.text("check")).isEqualTo("gpu.reachable");
              assertThat(it.text("part")).isEqualTo("gpu/3");
              assertThat(it.text("incident")).isEqualTo("i-2");
              assertThat(it.optionalText("until")).isEmpty();
            });
    assertThat(history.objects("incidents"))
        .singleElement()
        .satisfies(it -> assertThat(it.text("severity")).isEqualTo("fatal"));
    Fields counts = history.object("counts");
    assertThat(counts.number("timesOut")).isEqualTo(1);
    assertThat(counts.number("findings")).isEqualTo(1);
    assertThat(
            history.object("slots").objects("rows").stream()
                .mapToLong(it -> it.number("fatal"))
                .sum())
        .isEqualTo(1);

    Fields calm = get("/nodes/n2/history?window=24h");
    assertThat(calm.objects("findings")).isEmpty();
    assertThat(calm.object("counts").decimal("inService", 0)).isEqualTo(1);
    assertThat(ask("/api/v1/nodes/n2/history?window=soon").statusCode()).isEqualTo(400);
    assertThat(ask("/api/v1/nodes/none/history").statusCode()).isEqualTo(404);
  }

  @Test
  void everyPlaceOfThePageIsThePageAndItsFilesHaveTheirTypes() throws Exception {
    for (String place : new String[] {"/", "/incidents/i-1", "/nodes/n1.example", "/search?q=a"}) {
      HttpResponse<String> answer = ask(place);
      assertThat(answer.body()).as(place).contains("/app.js");
      assertThat(answer.headers().firstValue("Content-Security-Policy").orElse(""))
          .contains("default-src 'self'");
    }
    Map<String, String> types =
        Map.of("/app.js", "text/javascript", "/style.css", "text/css", "/icon.svg", "image/svg");
    for (var type : types.entrySet()) {
      assertThat(ask(type.getKey()).headers().firstValue("Content-Type").orElse(""))
          .startsWith(type.getValue());
    }
    assertThat(ask("/Pages.class").statusCode()).isEqualTo(404);
    assertThat(ask("/web/../Pages.class").statusCode()).isNotEqualTo(200);
    assertThat(ask("/nothing.js").statusCode()).isEqualTo(404);
  }
}
