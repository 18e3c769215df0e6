package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.control.ControlPlane;
import dev.holdfast.control.access.Role;
import dev.holdfast.control.journal.Journal;
import dev.holdfast.control.state.ClusterState;
import dev.holdfast.core.policy.DefaultPolicy;
import dev.holdfast.core.policy.Policy;
import dev.holdfast.os.server.ServerAddress;
import dev.holdfast.sim.Demo;
import dev.holdfast.sim.Line;
import dev.holdfast.sim.Shape;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The whole loop through the real protocol: a fault is found, decided, mended and verified. */
class DemoIT {
  private static final Duration PATIENCE = Duration.ofSeconds(150);

  @TempDir Path folder;

  @Test
  @Timeout(240)
  void aSimulatedClusterLivesThroughFaultsFromTheFindingToTheVerification() throws Exception {
    Policy shipped = DefaultPolicy.policy();
    Policy acting =
        shipped.withRules(shipped.rules().stream().map(it -> it.enforced(true)).toList());
    try (ControlPlane control =
            new ControlPlane(
                Journal.embedded(folder), acting, _ -> acting, "127.0.0.1", 0, Clock.systemUTC());
        Demo demo =
            new Demo(
                new Shape(128, 8),
                new Line(
                    new ServerAddress(
                        URI.create("http://127.0.0.1:" + control.port()),
                        control.tokens().passing("demo", Role.AGENT, "*"),
                        "")),
                Clock.systemUTC(),
                1)) {
      demo.start();
      ClusterState state = control.engine().state();
      assertThat(state.nodeCount()).isEqualTo(128);
      long deadline = System.nanoTime() + PATIENCE.toNanos();
      while (state.incidents().stream().noneMatch(it -> it.closedWhy().startsWith("verified"))
          && System.nanoTime() < deadline) {
        Thread.sleep(200);
      }
      assertThat(state.incidents())
          .as("an incident that ended with a verified node")
          .anyMatch(it -> it.closedWhy().startsWith("verified"));
      assertThat(state.jobs()).hasSize(6);
    }
  }
}
