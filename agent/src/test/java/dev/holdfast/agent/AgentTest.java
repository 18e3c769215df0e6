package dev.holdfast.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.agent.testing.TryAgent;
import dev.holdfast.agent.testing.TryNode;
import dev.holdfast.agent.testing.TryPlane;
import dev.holdfast.control.state.FindingView;
import dev.holdfast.os.server.ServerAddress;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An agent of a simulated node and a real control plane. */
class AgentTest {
  private static final Duration SOON = Duration.ofSeconds(30);

  @TempDir Path folder;

  @Test
  void theControlPlaneLearnsWhatTheNodeIsAndWhatBreaks() throws Exception {
    TryNode node = TryNode.in(folder);
    try (TryPlane plane = TryPlane.fresh();
        Agent agent = TryAgent.start(node, folder.resolve("state"), Optional.of(plane.address()))) {
      assertThat(agent.memory().epoch()).isEqualTo(1);
      var state = plane.plane().engine().state();
      TryPlane.until("described", SOON, () -> state.node(TryNode.NAME).isPresent());
      var described = state.node(TryNode.NAME).orElseThrow().description().orElseThrow();
      assertThat(described.devices().stream().filter(it -> it.kind().equals("gpu"))).hasSize(8);
      assertThat(described.place()).containsEntry("rack", "r1");

      node.gpuLost(3);
      TryPlane.until("lost", SOON, () -> plane.holds("gpu.reachable", "gpu/3"));
      node.link("mlx5_2", false);
      TryPlane.until("down", SOON, () -> plane.holds("nic.link.state", "nic/mlx5_2/1"));
      node.link("mlx5_2", true);
      TryPlane.until("up", SOON, () -> !plane.holds("nic.link.state", "nic/mlx5_2/1"));
      node.kernelSays(TryNode.xid(79, "1b", 900_000));
      TryPlane.until("xid", SOON, () -> plane.finding("gpu.kernel.xid", "gpu/0").isPresent());
      node.gpuBack(folder);
      TryPlane.until("back", SOON, () -> !plane.holds("gpu.reachable", "gpu/3"));
    }
  }

  @Test
  void aRestartRepeatsNoEventAndForgetsNoCondition() throws Exception {
    TryNode node = TryNode.in(folder);
    Path kept = folder.resolve("state");
    try (TryPlane plane = TryPlane.fresh()) {
      try (Agent first = TryAgent.start(node, kept, Optional.of(plane.address()))) {
        node.kernelSays(TryNode.xid(79, "1b", 900_000));
        node.gpuLost(3);
        TryPlane.until("lost", SOON, () -> plane.holds("gpu.reachable", "gpu/3"));
        TryPlane.until("xid", SOON, () -> plane.finding("gpu.kernel.xid", "gpu/0").isPresent());
        assertThat(first.memory().epoch()).isEqualTo(1);
      }
      node.kernelSays(TryNode.xid(48, "2b", 900_100));
      node.gpuBack(folder);
      try (Agent second = TryAgent.start(node, kept, Optional.of(plane.address()))) {
        assertThat(second.memory().epoch()).isEqualTo(2);
        TryPlane.until(
            "what happened meanwhile",
            SOON,
            () ->
                plane.plane().engine().state().findings().stream()
                    .anyMatch(
                        it ->
                            it.finding().check().equals("gpu.kernel.xid")
                                && it.finding().summary().contains("48")));
        TryPlane.until("cleared", SOON, () -> !plane.holds("gpu.reachable", "gpu/3"));
        FindingView old = plane.finding("gpu.kernel.xid", "gpu/0").orElseThrow();
        assertThat(old.times()).isEqualTo(1);
      }
    }
  }

  @Test
  void reportsWaitWhileTheControlPlaneIsAway() throws Exception {
    TryNode node = TryNode.in(folder);
    String journal = "jdbc:h2:mem:away;DB_CLOSE_DELAY=-1";
    int port;
    ServerAddress address;
    try (TryPlane plane = TryPlane.at(journal, 0)) {
      port = plane.port();
      address = plane.address();
    }
    try (Agent agent = TryAgent.start(node, folder.resolve("state"), Optional.of(address))) {
      node.kernelSays(TryNode.xid(79, "1b", 900_000));
      node.gpuLost(3);
      TryPlane.until("waiting", SOON, () -> agent.memory().waitingReports() >= 3);
      try (TryPlane plane = TryPlane.at(journal, port)) {
        TryPlane.until("lost", SOON, () -> plane.holds("gpu.reachable", "gpu/3"));
        assertThat(plane.finding("gpu.kernel.xid", "gpu/0")).isPresent();
        TryPlane.until("all told", SOON, () -> agent.memory().waitingReports() == 0);
      }
    }
  }

  @Test
  void anAgentThatLostItsStateTakesBackWhatNoLongerHolds() throws Exception {
    TryNode node = TryNode.in(folder);
    try (TryPlane plane = TryPlane.fresh()) {
      try (Agent _ = TryAgent.start(node, folder.resolve("state"), Optional.of(plane.address()))) {
        node.gpuLost(3);
        TryPlane.until("lost", SOON, () -> plane.holds("gpu.reachable", "gpu/3"));
      }
      node.gpuBack(folder);
      try (Agent agent =
          TryAgent.start(node, folder.resolve("other"), Optional.of(plane.address()))) {
        TryPlane.until("taken back", SOON, () -> !plane.holds("gpu.reachable", "gpu/3"));
        assertThat(agent.memory().epoch()).isGreaterThan(1);
      }
    }
  }

  @Test
  void theMetricsTellOfTheNodeAndOfTheAgent() throws Exception {
    TryNode node = TryNode.in(folder);
    try (Agent agent = TryAgent.start(node, folder.resolve("state"), Optional.empty());
        HttpClient client = HttpClient.newHttpClient()) {
      String place = "http://127.0.0.1:" + agent.metricsPort().orElseThrow();
      node.gpuLost(3);
      TryPlane.until(
          "finding",
          SOON,
          () ->
              get(client, place + "/metrics")
                  .contains(
                      "holdfast_finding{check=\"gpu.reachable\",subject=\"node/clean/gpu/3\""));
      assertThat(get(client, place + "/metrics"))
          .contains("holdfast_agent_epoch 1\n")
          .contains("holdfast_check_outcome{check=\"gpu.reachable\",outcome=\"fail\"} 1\n");
      assertThat(get(client, place + "/healthz")).contains("\"well\":true");
      assertThat(get(client, place + "/other")).contains("404");
    }
  }

  @Test
  void healthNamesAThreadThatMustLiveAndDoesNot() throws Exception {
    TryNode node = TryNode.in(folder);
    AtomicBoolean poison = new AtomicBoolean();
    InstantSource clock =
        () -> {
          if (poison.get() && Thread.currentThread().getName().equals("kernel events")) {
            throw new IllegalStateException("poisoned by the test");
          }
          return Instant.now();
        };
    try (Agent agent = TryAgent.start(node, folder.resolve("state"), Optional.empty(), clock);
        HttpClient client = HttpClient.newHttpClient()) {
      String place = "http://127.0.0.1:" + agent.metricsPort().orElseThrow();
      assertThat(get(client, place + "/readyz")).contains("\"well\":true", "\"late\":[]");

      poison.set(true);

      TryPlane.until(
          "noticed", SOON, () -> get(client, place + "/healthz").contains("\"well\":false"));
      assertThat(get(client, place + "/readyz"))
          .contains("\"thread\":\"judging the kernel log\"", "\"ended\":true");
    }
  }

  private static String get(HttpClient client, String place) {
    try {
      HttpRequest request = HttpRequest.newBuilder(URI.create(place)).build();
      return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
