package dev.holdfast.cli;

import dev.holdfast.control.decide.Input;
import dev.holdfast.control.engine.Engine;
import dev.holdfast.control.entry.DecisionEntry;
import dev.holdfast.core.cluster.DeviceDescription;
import dev.holdfast.core.cluster.NodeDescription;
import dev.holdfast.core.health.Evidence;
import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.report.Report;
import dev.holdfast.core.report.Request;
import dev.holdfast.core.report.Statement;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Agents that say what the test wants, by the records real ones use; their checks pass unless the
 * node was broken and not mended since.
 */
final class PretendedAgents implements AutoCloseable {
  private static final String CHECK = "gpu.count";

  private final Engine engine;
  private final Map<String, Long> sequences = new HashMap<>();
  private final Set<String> broken = ConcurrentHashMap.newKeySet();
  private final Set<String> names = ConcurrentHashMap.newKeySet();
  private final ExecutorService answering = Executors.newSingleThreadExecutor();
  private final long epoch;

  /**
   * @param epoch larger than in an earlier life of the control plane
   */
  PretendedAgents(Engine engine, long epoch) {
    this.engine = engine;
    this.epoch = epoch;
    engine.listen(
        batch -> {
          for (var entry : batch.entries()) {
            if (entry instanceof DecisionEntry.Intended it
                && it.request().kind() == Request.Kind.VERIFY) {
              answering.execute(() -> verify(it.target(), it.request()));
            }
          }
        });
  }

  void add(String name) {
    names.add(name);
    say(
        name,
        new Statement.Described(
            new NodeDescription(
                name,
                "test",
                new TreeMap<>(),
                new TreeMap<>(),
                List.of(new DeviceDescription("gpu", "0", "H200", "", "")))));
  }

  void breakGpu(String name) {
    broken.add(name);
    say(
        name,
        new Statement.Raised(
            new Finding(
                CHECK,
                new Subject.Node(name),
                Finding.Kind.CONDITION,
                Severity.FATAL,
                FaultClass.HARDWARE,
                Proof.RECORDED,
                "0 GPUs of 1",
                Optional.empty(),
                List.of(new Evidence("nvml", "0")),
                "A rank has no GPU.",
                "Reboot the node."),
            1));
  }

  void mendGpu(String name) {
    broken.remove(name);
    say(name, new Statement.Cleared(CHECK, new Subject.Node(name), "1 GPU of 1"));
  }

  private void verify(String source, Request request) {
    String name = source.substring("node/".length());
    if (names.contains(name)) {
      boolean fit = !broken.contains(name);
      say(
          name,
          new Statement.Answered(
              request.id(),
              fit ? Statement.Answer.DONE : Statement.Answer.FAILED,
              fit ? "passed: " + CHECK : CHECK + ": 0 GPUs of 1"));
    }
  }

  private synchronized void say(String name, Statement statement) {
    String source = "node/" + name;
    long sequence = sequences.merge(source, 1L, Long::sum);
    Report report = new Report(source, epoch, sequence, Instant.now(), statement);
    try {
      var _ = engine.submit(new Input.Reported(source, List.of(report))).get(20, TimeUnit.SECONDS);
    } catch (Exception problem) {
      throw new IllegalStateException(problem);
    }
  }

  @Override
  public void close() {
    answering.shutdownNow();
  }
}
