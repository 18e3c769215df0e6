package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.agent.Agent;
import dev.holdfast.control.ControlPlane;
import dev.holdfast.control.decide.Input;
import dev.holdfast.control.decide.Wish;
import dev.holdfast.control.entry.Service;
import dev.holdfast.control.journal.Journal;
import dev.holdfast.control.state.ClusterState;
import dev.holdfast.control.state.DecisionView;
import dev.holdfast.core.cluster.JobDescription;
import dev.holdfast.core.cluster.JobMember;
import dev.holdfast.core.policy.DefaultPolicy;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real job under a real control plane: it is known there, and leaves a node when asked to. */
@Timeout(300)
class ControlledJobIT {
  @TempDir Path folder;

  @Test
  void aJobIsKnownAndLeavesANodeThatIsDrainedAndEndsWell() throws Exception {
    try (ControlPlane control =
            new ControlPlane(
                Journal.embedded(folder.resolve("control")),
                DefaultPolicy.policy(),
                _ -> DefaultPolicy.policy(),
                "127.0.0.1",
                0,
                Clock.systemUTC());
        Agent first = agent("n0", control);
        Agent second = agent("n1", control);
        LocalLaunchers job = new LocalLaunchers(folder)) {
      first.start();
      second.start();
      job.environment.put("HOLDFAST_AGENT_SOCKET", folder.resolve("{node}.sock").toString());
      List<Process> nodes = job.pair(List.of(), 60);
      ClusterState state = control.engine().state();
      job.await(() -> members(state).equals(List.of("n0", "n1")), "the job at the control plane");

      Optional<String> refused =
          control
              .engine()
              .submit(new Input.Wished("ann", new Wish.Drain("n1", true, "smells of smoke")))
              .get(10, TimeUnit.SECONDS);
      assertThat(refused).isEmpty();
      job.await(() -> members(state).equals(List.of("n0")), "the job without n1");
      assertThat(job.output("n0"))
          .contains("The control plane asked to leave n1")
          .contains("smells of smoke")
          .contains("this does not count as a restart");
      job.await(() -> state.node("n1").orElseThrow().service() == Service.DRAINED, "n1 is drained");
      job.awaitEnd(nodes.getFirst(), "n0");
      job.await(
          () -> state.jobs().iterator().next().job().state() == JobDescription.State.FINISHED,
          "the end of the job at the control plane");
      JobDescription over = state.jobs().iterator().next().job();
      assertThat(over.step()).isEqualTo(60);
      assertThat(over.checkpoint()).isPresent();
      assertThat(over.losses()).anyMatch(it -> it.cause().equals("preemption"));
      assertThat(state.decisions())
          .filteredOn(it -> it.made().subject().startsWith("job/"))
          .singleElement()
          .extracting(DecisionView::made)
          .satisfies(it -> assertThat(it.reason()).contains("n1"));
    }
  }

  private static List<String> members(ClusterState state) {
    return state.jobs().stream()
        .flatMap(it -> it.job().members().stream())
        .map(JobMember::node)
        .toList();
  }

  /** It looks at nothing; what it does for launchers is what matters here. */
  private Agent agent(String name, ControlPlane control) throws IOException {
    return new FolderAgents(folder, control).agent(name, List.of());
  }
}
