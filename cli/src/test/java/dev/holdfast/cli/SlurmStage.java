package dev.holdfast.cli;

import dev.holdfast.agent.Agent;
import dev.holdfast.control.ControlPlane;
import dev.holdfast.control.api.StateJson;
import dev.holdfast.control.journal.Journal;
import dev.holdfast.control.slurm.SlurmSettings;
import dev.holdfast.control.state.ClusterState;
import dev.holdfast.core.policy.Policy;
import dev.holdfast.core.policy.PolicyYaml;
import dev.holdfast.core.text.Json;
import dev.holdfast.doctor.Checks;
import dev.holdfast.doctor.node.FolderNode;
import dev.holdfast.testing.Golden;
import dev.holdfast.testing.slurm.SlurmCluster;
import dev.holdfast.testing.slurm.SlurmPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * A real Slurm, a real control plane beside it, and agents for its nodes: a real one for {@link
 * #REAL}, which looks at a node laid out as a folder in which faults are planted, and pretended
 * ones for the others.
 */
final class SlurmStage implements AutoCloseable {
  static final Duration PATIENCE = Duration.ofSeconds(90);

  /** The node with the real agent. */
  static final int REAL = 2;

  private static final String POLICY =
      """
      schema: holdfast.policy/1
      name: slurm
      silence: 1h
      guard: {share: 100%, nodes: 1000, perRack: 1000, perJob: 1000, burst: 100000, window: 1m}
      rules:
        - id: device-lost
          when: {checks: [gpu.count], severity: fatal}
          then: drain-now
          enforce: true
          reason: a device is gone
      """;

  final SlurmCluster cluster;
  final ControlPlane control;
  final ClusterState state;
  private final Path folder;
  private final PretendedAgents pretended;
  private final FolderAgents agents;
  private final Agent agent;

  SlurmStage(Path folder, SlurmPlan plan) throws Exception {
    this.folder = folder;
    this.cluster = plan.start();
    Policy policy = PolicyYaml.read("test", POLICY);
    this.control =
        new ControlPlane(
            Journal.embedded(folder.resolve("control")),
            policy,
            _ -> policy,
            "127.0.0.1",
            0,
            Clock.systemUTC());
    this.state = control.engine().state();
    this.pretended = new PretendedAgents(control.engine(), 1);
    for (int node = 1; node <= cluster.nodes(); node++) {
      if (node != REAL) {
        pretended.add("node" + node);
      }
    }
    agents = new FolderAgents(folder, control);
    agent =
        agents.agent(
            "node" + REAL,
            Checks.all().stream().filter(it -> it.info().id().equals("gpu.count")).toList());
    agent.start();
    cluster.await("all agents", () -> state.nodeCount() == cluster.nodes());
    control.link(settings(), _ -> {});
    cluster.await(
        "what Slurm says of all nodes",
        () -> state.nodes().stream().allMatch(it -> it.scheduling().isPresent()));
  }

  private SlurmSettings settings() {
    return new SlurmSettings(
        Duration.ofSeconds(1),
        Duration.ofSeconds(5),
        "",
        true,
        true,
        SlurmSettings.Rest.NONE,
        cluster.environment());
  }

  /** A GPU is gone: what NVML says on the node changes, or its agent says so. */
  synchronized void breakGpu(int node) throws IOException {
    if (node == REAL) {
      nvml("gpu-lost");
    } else {
      pretended.breakGpu("node" + node);
    }
  }

  synchronized void mendGpu(int node) throws IOException {
    if (node == REAL) {
      nvml("clean");
    } else {
      pretended.mendGpu("node" + node);
    }
  }

  private void nvml(String fixture) throws IOException {
    Path other = folder.resolve(fixture);
    if (!Files.exists(other)) {
      FolderNode.unfold(Golden.root().resolve("fixtures/nodes").resolve(fixture), other);
    }
    Path part = Files.copy(other.resolve("probe/nvml"), folder.resolve("nvml.part"));
    Files.move(
        part,
        agents.node("node" + REAL).resolve("probe/nvml"),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
  }

  /** A job that counts steps, keeps the last one where all nodes see it, and goes on from there. */
  String train(Path log, String... options) throws IOException {
    Path checkpoint = log.resolveSibling(log.getFileName() + ".step");
    List<String> words = new ArrayList<>(List.of("--requeue", "--ntasks-per-node=1"));
    words.addAll(List.of("--output=/dev/null", "--open-mode=append"));
    words.addAll(List.of(options));
    return cluster.submit(
        """
        step=$(cat %2$s 2>/dev/null || echo 0)
        echo "attempt ${SLURM_RESTART_COUNT:-0} from $step on $SLURM_JOB_NODELIST" >> %1$s
        srun --ntasks-per-node=1 sleep 1000 &
        while true; do
          step=$((step + 1)); echo $step > %2$s.new; mv %2$s.new %2$s; sleep 0.1
        done
        """
            .formatted(log, checkpoint),
        words.toArray(String[]::new));
  }

  /** Waits until it holds; fails with what is known. */
  void await(String what, BooleanSupplier condition) throws InterruptedException {
    try {
      cluster.await(what, PATIENCE, condition);
    } catch (AssertionError late) {
      throw new AssertionError(known() + "\n" + late.getMessage(), late);
    }
  }

  private String known() {
    StringBuilder text = new StringBuilder();
    state.findings().forEach(it -> text.append(Json.line(StateJson.finding(it))).append('\n'));
    state.nodes().forEach(it -> text.append(Json.line(StateJson.node(state, it))).append('\n'));
    state.jobs().forEach(it -> text.append(Json.line(StateJson.job(it))).append('\n'));
    state
        .decisions()
        .forEach(it -> text.append(Json.line(StateJson.decision(state, it))).append('\n'));
    control.link().ifPresent(it -> text.append(Json.line(it.status().json())));
    return text.toString();
  }

  @Override
  public void close() throws Exception {
    agent.close();
    pretended.close();
    control.close();
    cluster.close();
  }
}
