package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.os.process.Command;
import dev.holdfast.os.process.CommandResult;
import dev.holdfast.os.server.ServerAddress;
import dev.holdfast.os.server.ServerClient;
import dev.holdfast.testing.Golden;
import dev.holdfast.testing.Tools;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Metrics, alert rules and dashboard, judged by the real Prometheus. */
@Timeout(120)
class PrometheusIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Path RULES = Golden.root().resolve("deploy/prometheus");
  private static final Pattern NAME = Pattern.compile("holdfast_[a-z_]+");

  @TempDir Path folder;

  private static CommandResult promtool(String... words) {
    Path program = Tools.require("promtool", "prometheus");
    String[] all = new String[words.length + 1];
    all[0] = program.toString();
    System.arraycopy(words, 0, all, 1, words.length);
    return Command.of(all).within(PATIENCE).run();
  }

  @Test
  void alertRulesAreSoundAndTellWhatTheyPromise() throws IOException {
    String rules = RULES.resolve("holdfast.rules.yml").toString();
    CommandResult checked = promtool("check", "rules", rules);
    assertThat(checked.succeeded()).as(checked.output() + checked.error()).isTrue();
    CommandResult tested = promtool("test", "rules", RULES.resolve("holdfast.test.yml").toString());
    assertThat(tested.succeeded()).as(tested.output() + tested.error()).isTrue();
    CommandResult config = promtool("check", "config", RULES.resolve("prometheus.yml").toString());
    assertThat(config.succeeded()).as(config.output() + config.error()).isTrue();
    Path broken = folder.resolve("holdfast.rules.yml");
    Files.writeString(broken, Files.readString(Path.of(rules)).replace("for: 2m", "for: 9m"));
    Files.copy(RULES.resolve("holdfast.test.yml"), folder.resolve("holdfast.test.yml"));
    CommandResult worse = promtool("test", "rules", folder.resolve("holdfast.test.yml").toString());
    assertThat(worse.succeeded()).as("the tests of the rules can fail").isFalse();
  }

  @Test
  void metricsAreInOrderAndRulesAndDashboardAskOnlyForThose() throws Exception {
    try (Serving serving = new Serving(folder.resolve("state"))) {
      String metrics = serving.get("/metrics");
      requireInOrder(metrics);
      Set<String> asked = names(Files.readString(RULES.resolve("holdfast.rules.yml")));
      asked.addAll(names(Files.readString(Golden.root().resolve("deploy/grafana/holdfast.json"))));
      assertThat(asked).hasSizeGreaterThan(15);
      Set<String> told = names(metrics);
      told.add("holdfast_goodput_ratio"); // told once there is a job
      told.add("holdfast_control_standby_troubled"); // told by standbys
      assertThat(told).containsAll(asked);
    }
  }

  @Test
  void metricsOfAnAgentAreInOrder() throws Exception {
    int port = freePort();
    TestConsole console = new TestConsole();
    Thread agent =
        Thread.ofPlatform()
            .start(
                () ->
                    console.run(
                        "agent",
                        "--state",
                        folder.resolve("agent").toString(),
                        "--socket",
                        folder.resolve("a.sock").toString(),
                        "--metrics-port",
                        Integer.toString(port)));
    try {
      requireInOrder(await("http://127.0.0.1:" + port, "/metrics", "holdfast_", PATIENCE));
    } finally {
      agent.interrupt();
      agent.join(PATIENCE.toMillis());
    }
  }

  @Test
  void prometheusScrapesAControlPlane() throws Exception {
    Path program = Tools.require("prometheus", "prometheus");
    try (Serving serving = new Serving(folder.resolve("state"))) {
      Path config =
          Files.writeString(
              folder.resolve("prometheus.yml"),
              """
              global: { scrape_interval: 1s, evaluation_interval: 1s }
              rule_files: [ "%s" ]
              scrape_configs:
                - job_name: holdfast-control
                  static_configs: [ { targets: [ "%s" ] } ]
              """
                  .formatted(RULES.resolve("holdfast.rules.yml"), serving.target()));
      int port = freePort();
      Process prometheus =
          new ProcessBuilder(
                  program.toString(),
                  "--config.file=" + config,
                  "--storage.tsdb.path=" + folder.resolve("data"),
                  "--web.listen-address=127.0.0.1:" + port)
              .redirectErrorStream(true)
              .redirectOutput(folder.resolve("prometheus.log").toFile())
              .start();
      try {
        String url = "http://127.0.0.1:" + port;
        await(url, query("up{job=\"holdfast-control\"}"), "\"1\"", PATIENCE);
        String series = await(url, query("holdfast_control_deciding"), "\"1\"", PATIENCE);
        List<Fields> result =
            Fields.of("answer", Json.object(series)).object("data").objects("result");
        assertThat(result).hasSize(1);
        assertThat(result.getFirst().object("metric").text("instance")).isEqualTo(serving.target());
        String rules = await(url, "/api/v1/rules", "HoldfastDown", PATIENCE);
        assertThat(rules).contains("\"health\":\"ok\"").doesNotContain("\"health\":\"err\"");
      } finally {
        prometheus.destroy();
        if (!prometheus.waitFor(20, TimeUnit.SECONDS)) {
          prometheus.destroyForcibly();
        }
      }
    }
  }

  private static String query(String expression) {
    return "/api/v1/query?query=" + ServerClient.encoded(expression);
  }

  /** Asks until the answer has that text. */
  private static String await(String url, String path, String text, Duration patience)
      throws InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    String last = "";
    try (ServerClient client = new ServerClient(ServerAddress.plain(url))) {
      while (System.nanoTime() < deadline) {
        try {
          last = client.get(path, Duration.ofSeconds(5));
          if (last.contains(text)) {
            return last;
          }
        } catch (IOException notYet) {
          last = String.valueOf(notYet);
        }
        Thread.sleep(200);
      }
    }
    throw new AssertionError(text + " did not come from " + url + path + ": " + last);
  }

  private void requireInOrder(String metrics) throws Exception {
    Path program = Tools.require("promtool", "prometheus");
    Path file = Files.writeString(folder.resolve("metrics.txt"), metrics);
    Process lint =
        new ProcessBuilder(program.toString(), "check", "metrics")
            .redirectInput(file.toFile())
            .redirectErrorStream(true)
            .start();
    String said =
        new String(lint.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
    assertThat(lint.waitFor()).as(said).isZero();
    assertThat(said).isBlank();
  }

  private static Set<String> names(String text) {
    Set<String> names = new TreeSet<>();
    NAME.matcher(text).results().forEach(it -> names.add(it.group()));
    return names;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
