package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.agent.Agent;
import dev.holdfast.control.ControlPlane;
import dev.holdfast.control.entry.Service;
import dev.holdfast.control.entry.Stand;
import dev.holdfast.control.journal.Journal;
import dev.holdfast.control.state.ClusterState;
import dev.holdfast.control.state.DecisionView;
import dev.holdfast.core.policy.Policy;
import dev.holdfast.core.policy.PolicyYaml;
import dev.holdfast.doctor.Checks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** From a line in the kernel log of a node to what is done about it: may an error code act? */
@Timeout(120)
class PlantedLineIT {
  private static final String LINE =
      "<3>[ 5000.000001] NVRM: Xid (PCI:0000:5d:00): %d, pid=1234, name=python3, %s\n";

  @TempDir Path folder;

  private static Policy policy(String accept) {
    return PolicyYaml.read(
        "site.yaml",
        """
        schema: holdfast.policy/1
        name: our-site
        %s
        rules:
          - id: device-error
            when: {checks: [gpu.kernel.xid], severity: fatal}
            then: drain-now
            coolDown: 1h
            enforce: true
            reason: work on the device fails
        """
            .formatted(accept));
  }

  /** What is decided about n1 after its kernel wrote this line. */
  private DecisionView planted(String accept, int code, String words, Service expected)
      throws Exception {
    Policy policy = policy(accept);
    try (ControlPlane control =
            new ControlPlane(
                Journal.embedded(folder.resolve("control")),
                policy,
                _ -> policy,
                "127.0.0.1",
                0,
                Clock.systemUTC());
        Agent agent = new FolderAgents(folder, control).agent("n1", Checks.all())) {
      agent.start();
      ClusterState state = control.engine().state();
      await(() -> state.node("n1").isPresent());
      plant(folder.resolve("node-n1/probe/kernel-log"), code, words);
      plant(folder.resolve("n1.log"), code, words);
      await(() -> state.decisions().iterator().hasNext());
      await(() -> state.node("n1").orElseThrow().service() == expected);
      return state.decisions().iterator().next();
    }
  }

  /** In the log that is followed, and in the one the check reads again before a node comes back. */
  private static void plant(Path log, int code, String words) throws IOException {
    Files.writeString(log, LINE.formatted(code, words), StandardOpenOption.APPEND);
  }

  private static void await(java.util.function.BooleanSupplier condition)
      throws InterruptedException {
    long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("in time").isLessThan(end);
      Thread.sleep(20);
    }
  }

  @Test
  void aPostedCodeDrainsTheNodeWhereThePolicyAcceptsWhatIsRecorded() throws Exception {
    DecisionView made =
        planted("accept: recorded", 79, "GPU has fallen off the bus.", Service.DRAINED);
    assertThat(made.stand()).isEqualTo(Stand.DONE);
    assertThat(made.made().rule()).isEqualTo("device-error");
  }

  @Test
  void withoutAcceptTheSamePolicyOnlyRecommends() throws Exception {
    DecisionView made = planted("", 79, "GPU has fallen off the bus.", Service.IN);
    assertThat(made.stand()).isEqualTo(Stand.RECOMMENDED);
    assertThat(made.made().held()).contains("recorded", "the policy has no 'accept'");
  }

  @Test
  void aCodeNobodyPostedIsOnlyRecommended() throws Exception {
    DecisionView made =
        planted("accept: recorded", 95, "Uncontained: LTC TAG (0x2,0x0)", Service.IN);
    assertThat(made.stand()).isEqualTo(Stand.RECOMMENDED);
    assertThat(made.made().held()).contains("written from documents only");
  }
}
