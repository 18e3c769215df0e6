package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.holdfast.control.notify.Webhook;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.report.Statement;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.IntUnaryOperator;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Incidents told to a receiver that is well, away, slow, or does not want them. */
@Timeout(90)
class WebhookTest {
  private static final byte[] SECRET = "between us".getBytes(StandardCharsets.UTF_8);

  @TempDir Path folder;
  private final List<Got> got = new CopyOnWriteArrayList<>();
  private final List<String> said = new CopyOnWriteArrayList<>();
  private final CountDownLatch hold = new CountDownLatch(1);
  private TestCluster cluster;
  private HttpServer receiver;
  private volatile IntUnaryOperator status = _ -> 200;
  private volatile boolean slow;

  private record Got(String body, String delivery, String signature) {
    Fields fields() {
      return Fields.of("notice", Json.object(body));
    }
  }

  @BeforeEach
  void start() throws Exception {
    cluster = new TestCluster(Files.createDirectory(folder.resolve("state")));
    receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
    receiver.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    receiver.createContext(
        "/in",
        exchange -> {
          try (exchange) {
            String body =
                new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            got.add(
                new Got(
                    body,
                    exchange.getRequestHeaders().getFirst("X-Holdfast-Delivery"),
                    String.valueOf(exchange.getRequestHeaders().getFirst("X-Holdfast-Signature"))));
            if (slow) {
              boolean _ = hold.await(30, TimeUnit.SECONDS);
            }
            exchange.sendResponseHeaders(status.applyAsInt(got.size()), -1);
          } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
          }
        });
    receiver.start();
  }

  @AfterEach
  void stop() throws Exception {
    hold.countDown();
    receiver.stop(0);
    cluster.close();
  }

  private Webhook webhook(Clock clock) {
    Webhook webhook =
        new Webhook(
            cluster.control().engine(),
            URI.create("http://127.0.0.1:" + receiver.getAddress().getPort() + "/in?key=hidden"),
            SECRET,
            clock,
            said::add);
    webhook.start();
    return webhook;
  }

  private Webhook webhook() {
    return webhook(Clock.systemUTC());
  }

  private void await(String event, String incident, int times) throws InterruptedException {
    long deadline = System.nanoTime() + Duration.ofSeconds(40).toNanos();
    while (System.nanoTime() < deadline) {
      long there =
          got.stream()
              .map(Got::fields)
              .filter(it -> it.text("event").equals(event))
              .filter(it -> it.object("incident").text("incident").equals(incident))
              .count();
      if (there >= times) {
        return;
      }
      Thread.sleep(50);
    }
    throw new AssertionError(event + " of " + incident + " did not come: " + got + said);
  }

  /** Whoever starts listens from now on. */
  private void settle() throws InterruptedException {
    Thread.sleep(500);
  }

  private void clear(String node) throws Exception {
    cluster.tell(
        "node/" + node,
        new Statement.Cleared("gpu.reachable", new Subject.Node(node).gpu(3), "answers again"));
  }

  @Test
  void incidentsAreToldAsTheyOpenAreDecidedAndCloseAndEachIsSigned() throws Exception {
    try (Webhook _ = webhook()) {
      settle();
      cluster.tell("node/n10", TestCluster.lostGpu("n10"));
      await("incident.opened", "i-2", 1);
      await("incident.decided", "i-2", 1);
      clear("n10");
      await("incident.closed", "i-2", 1);
    }
    assertThat(got).noneMatch(it -> it.body().contains("\"i-1\""));
    assertThat(got).extracting(Got::delivery).doesNotHaveDuplicates();
    for (Got one : got) {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(SECRET, "HmacSHA256"));
      assertThat(one.signature())
          .isEqualTo(
              "sha256="
                  + HexFormat.of()
                      .formatHex(mac.doFinal(one.body().getBytes(StandardCharsets.UTF_8))));
      assertThat(one.fields().text("schema")).isEqualTo("holdfast.notice/1");
    }
  }

  @Test
  void aReceiverThatIsAwayIsToldLaterUnderTheSameId() throws Exception {
    status = count -> count <= 2 ? 503 : 200;
    try (Webhook _ = webhook()) {
      settle();
      cluster.tell("node/n10", TestCluster.lostGpu("n10"));
      await("incident.opened", "i-2", 3);
    }
    assertThat(got.get(0).delivery()).isEqualTo(got.get(1).delivery());
    assertThat(said).hasSize(1);
    assertThat(said.getFirst()).contains("trying again").doesNotContain("hidden");
  }

  @Test
  void whatHappenedDuringARestartIsToldAfterIt() throws Exception {
    try (Webhook _ = webhook()) {
      settle();
      cluster.tell("node/n10", TestCluster.lostGpu("n10"));
      await("incident.opened", "i-2", 1);
      await("incident.decided", "i-2", 1);
    }
    int before = got.size();
    clear("n10");
    try (Webhook _ = webhook()) {
      await("incident.closed", "i-2", 1);
    }
    assertThat(got.subList(before, got.size()))
        .as("what was told is not told again")
        .noneMatch(it -> it.fields().text("event").equals("incident.opened"));
  }

  @Test
  void whatIsNotWantedIsCountedAndDoesNotHoldUpTheRest() throws Exception {
    status = _ -> 400;
    try (Webhook _ = webhook()) {
      settle();
      cluster.tell("node/n10", TestCluster.lostGpu("n10"));
      await("incident.opened", "i-2", 3);
      status = _ -> 200;
      clear("n10");
      await("incident.closed", "i-2", 1);
    }
    assertThat(metrics()).contains("{outlet=\"webhook\",result=\"lost\"}");
  }

  @Test
  void whatIsADayOldIsNoNewsAnyMore() throws Exception {
    Clock tomorrow = Clock.offset(Clock.systemUTC(), Duration.ofHours(25)).withZone(ZoneOffset.UTC);
    try (Webhook _ = webhook(tomorrow)) {
      settle();
      cluster.tell("node/n10", TestCluster.lostGpu("n10"));
      long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
      while (!metrics().contains("result=\"lost\"") && System.nanoTime() < deadline) {
        Thread.sleep(50);
      }
    }
    assertThat(metrics()).contains("{outlet=\"webhook\",result=\"lost\"}");
    assertThat(got).isEmpty();
  }

  @Test
  void aReceiverThatHangsHoldsNobodyUp() throws Exception {
    slow = true;
    try (Webhook _ = webhook()) {
      settle();
      cluster.tell("node/n10", TestCluster.lostGpu("n10"));
      long deadline = System.nanoTime() + Duration.ofSeconds(10).toNanos();
      while (got.isEmpty() && System.nanoTime() < deadline) {
        Thread.sleep(20);
      }
      assertThat(got).hasSize(1);
      long begun = System.nanoTime();
      for (int i = 0; i < 20; i++) {
        cluster.tell("node/n1", TestCluster.described("n1"));
      }
      assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(5));
    }
    cluster.tell("node/n1", TestCluster.described("n1"));
    assertThat(cluster.control().engine().failure()).as("the journal lives on").isNotDone();
  }

  private String metrics() {
    dev.holdfast.core.text.MetricsText text = new dev.holdfast.core.text.MetricsText();
    cluster.control().engine().meters().write(text);
    return text.toString();
  }
}
