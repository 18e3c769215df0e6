package dev.holdfast.cli;

import dev.holdfast.control.ControlPlane;
import dev.holdfast.control.decide.Input;
import dev.holdfast.control.journal.Journal;
import dev.holdfast.core.cluster.DeviceDescription;
import dev.holdfast.core.cluster.JobDescription;
import dev.holdfast.core.cluster.JobLoss;
import dev.holdfast.core.cluster.JobMember;
import dev.holdfast.core.cluster.NodeDescription;
import dev.holdfast.core.health.Evidence;
import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.policy.DefaultPolicy;
import dev.holdfast.core.policy.Policy;
import dev.holdfast.core.report.Report;
import dev.holdfast.core.report.Statement;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * A real control plane that was told of three nodes, a job on two of them and a lost GPU in one.
 */
final class TestCluster implements AutoCloseable {
  private final ControlPlane control;
  private final String address;
  private final Path token;
  private boolean closed;

  TestCluster(Path folder) throws Exception {
    Policy shipped = DefaultPolicy.policy();
    this.control =
        new ControlPlane(
            Journal.embedded(folder), shipped, _ -> shipped, "127.0.0.1", 0, Clock.systemUTC());
    this.address = "http://127.0.0.1:" + control.port();
    this.token = Files.writeString(folder.resolve("token"), control.tokens().admin());
    for (String node : List.of("n1", "n2", "n10")) {
      tell("node/" + node, described(node));
    }
    tell("run/j1", job("j1", "n1", "n2"));
    tell("node/n2", lostGpu("n2"));
  }

  ControlPlane control() {
    return control;
  }

  String address() {
    return address;
  }

  /** How a command reaches it. */
  List<String> options() {
    return List.of("--server", address, "--token-file", token.toString());
  }

  void tell(String source, Statement statement) throws Exception {
    long sequence = control.engine().state().cursor(source).sequence() + 1;
    control
        .engine()
        .submit(
            new Input.Reported(
                source, List.of(new Report(source, 1, sequence, Instant.now(), statement))))
        .get(10, TimeUnit.SECONDS);
  }

  /** A node says a text wherever it can say one. */
  void say(String node, String text) throws Exception {
    tell(
        "node/" + node,
        new Statement.Described(
            new NodeDescription(
                node,
                text,
                new TreeMap<>(Map.of("rack", text)),
                new TreeMap<>(Map.of("driver", text)),
                List.of(new DeviceDescription("gpu", text, text, text, text)))));
    tell(
        "node/" + node,
        new Statement.Raised(
            new Finding(
                text,
                new Subject.Node(node),
                Finding.Kind.CONDITION,
                Severity.FATAL,
                FaultClass.STORAGE,
                Proof.RECORDED,
                text,
                Optional.empty(),
                List.of(new Evidence(text, text)),
                text,
                text),
            1));
    JobDescription job = ((Statement.JobTold) job("j3", node)).job();
    tell("node/" + node, new Statement.JobTold(job.with(List.of(new JobLoss(text, text, 3)))));
    tell("node/" + node, new Statement.JobDecided("j3", 0, text, text, text));
  }

  static Statement described(String node) {
    return new Statement.Described(
        new NodeDescription(
            node,
            "0.1",
            new TreeMap<>(Map.of("rack", "r1")),
            new TreeMap<>(Map.of("driver", "580.65")),
            List.of(new DeviceDescription("gpu", "0", "H200", "", ""))));
  }

  static Statement lostGpu(String node) {
    return new Statement.Raised(
        new Finding(
            "gpu.reachable",
            new Subject.Node(node).gpu(3),
            Finding.Kind.CONDITION,
            Severity.FATAL,
            FaultClass.HARDWARE,
            Proof.HARDWARE,
            "GPU 3 does not answer any more",
            Optional.empty(),
            List.of(new Evidence("nvml", "GPU is lost")),
            "every rank waits for it",
            "Restart the node."),
        1);
  }

  static Statement job(String job, String... nodes) {
    List<JobMember> members = new ArrayList<>();
    for (String node : nodes) {
      members.add(new JobMember(node, members.size() * 8, 8));
    }
    return new Statement.JobTold(
        new JobDescription(
            job,
            "somebody",
            JobDescription.State.RUNNING,
            0,
            1,
            Instant.now().minus(Duration.ofHours(2)),
            members,
            4711,
            1.0,
            Optional.empty(),
            1800,
            List.of()));
  }

  @Override
  public void close() throws Exception {
    if (!closed) {
      closed = true;
      control.close();
    }
  }
}
