package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.control.notify.Alertmanager;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.report.Statement;
import dev.holdfast.os.server.ServerAddress;
import dev.holdfast.os.server.ServerClient;
import dev.holdfast.testing.Tools;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Open incidents as alerts of a real Alertmanager. */
@Timeout(120)
class AlertmanagerIT {
  private static final Duration PATIENCE = Duration.ofSeconds(40);

  @TempDir Path folder;

  @Test
  void anOpenIncidentIsAnAlertUntilItCloses() throws Exception {
    Path program = Tools.require("prometheus-alertmanager", "prometheus-alertmanager");
    int port = freePort();
    URI address = URI.create("http://127.0.0.1:" + port);
    List<String> said = new CopyOnWriteArrayList<>();
    try (TestCluster cluster = new TestCluster(Files.createDirectory(folder.resolve("state")));
        Alertmanager telling =
            new Alertmanager(cluster.control().engine(), address, Clock.systemUTC(), said::add)) {
      telling.start();
      long deadline = System.nanoTime() + PATIENCE.toNanos();
      while (said.isEmpty() && System.nanoTime() < deadline) {
        Thread.sleep(50);
      }
      assertThat(said.getFirst()).as("it is not there yet").contains("trying again");
      Process alertmanager = start(program, port);
      try {
        String alert = await(address, it -> it.contains("\"i-1\""));
        assertThat(alert)
            .contains("HoldfastIncident", "\"severity\":\"fatal\"", "GPU 3 does not answer")
            .contains("holdfast incidents i-1", "drain-now is recommended");
        cluster.tell(
            "node/n2",
            new Statement.Cleared("gpu.reachable", new Subject.Node("n2").gpu(3), "it is back"));
        assertThat(cluster.control().engine().state().openIncidents()).isEmpty();
        await(address, it -> !it.contains("\"i-1\""));
      } finally {
        alertmanager.destroy();
        if (!alertmanager.waitFor(20, TimeUnit.SECONDS)) {
          alertmanager.destroyForcibly();
        }
      }
    }
  }

  private Process start(Path program, int port) throws IOException {
    Path config =
        Files.writeString(
            folder.resolve("alertmanager.yml"),
            "route: { receiver: nobody }\nreceivers: [ { name: nobody } ]\n");
    return new ProcessBuilder(
            program.toString(),
            "--config.file=" + config,
            "--storage.path=" + folder.resolve("data"),
            "--cluster.listen-address=",
            "--web.listen-address=127.0.0.1:" + port)
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("alertmanager.log").toFile())
        .start();
  }

  private static String await(URI address, Predicate<String> wanted) throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    String last = "";
    try (ServerClient client = new ServerClient(ServerAddress.plain(address.toString()))) {
      while (System.nanoTime() < deadline) {
        try {
          last = client.get("/api/v2/alerts", Duration.ofSeconds(5));
          if (wanted.test(last)) {
            return last;
          }
        } catch (IOException notYet) {
          last = String.valueOf(notYet);
        }
        Thread.sleep(200);
      }
    }
    throw new AssertionError("Alertmanager says " + last);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
