package dev.holdfast.browser;

import dev.holdfast.control.ControlPlane;
import dev.holdfast.control.Lead;
import dev.holdfast.control.access.Entrance;
import dev.holdfast.control.access.Tokens;
import dev.holdfast.control.decide.Input;
import dev.holdfast.control.decide.Wish;
import dev.holdfast.control.evidence.Notary;
import dev.holdfast.control.journal.Journal;
import dev.holdfast.core.cluster.DeviceDescription;
import dev.holdfast.core.cluster.JobDescription;
import dev.holdfast.core.cluster.JobLoss;
import dev.holdfast.core.cluster.JobMember;
import dev.holdfast.core.cluster.NodeDescription;
import dev.holdfast.core.policy.Policy;
import dev.holdfast.core.report.Report;
import dev.holdfast.core.report.Request;
import dev.holdfast.core.report.Statement;
import dev.holdfast.os.process.Heartbeats;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * A control plane and nodes that say of themselves what a test wants: eight devices each, sixteen
 * to a rack, a leaf for two racks.
 */
final class ToyCluster implements AutoCloseable {
  static final int PER_RACK = 16;

  private final ControlPlane control;
  private final Map<String, Long> sequences = new HashMap<>();

  ToyCluster(Path folder, Policy policy, int port) throws Exception {
    this.control =
        new ControlPlane(
            Lead.of(Journal.embedded(folder)),
            policy,
            _ -> policy,
            List.of(),
            Notary.inMemory(),
            new Entrance(Tokens.open(folder, Clock.systemUTC(), _ -> {}), false),
            "127.0.0.1",
            port,
            Clock.systemUTC(),
            new Heartbeats());
  }

  String address(String path) {
    return "http://127.0.0.1:" + control.port() + path;
  }

  /** The same with what lets a person act, as the commands print it. */
  String signedIn(String path) {
    return address(path) + "#token=" + token();
  }

  String token() {
    return control.tokens().admin();
  }

  static String name(int node) {
    return "n" + node;
  }

  /** Nodes 1 to {@code count} say what they are. */
  void join(int count) throws Exception {
    List<CompletableFuture<?>> told = new ArrayList<>();
    for (int node = 1; node <= count; node++) {
      told.add(submit("node/" + name(node), new Statement.Described(describe(node))));
      if (told.size() == 500) {
        await(told);
      }
    }
    await(told);
  }

  private static NodeDescription describe(int node) {
    int rack = (node - 1) / PER_RACK + 1;
    TreeMap<String, String> place = new TreeMap<>();
    place.put("rack", "r%03d".formatted(rack));
    place.put("leaf", "leaf%d".formatted((rack + 1) / 2));
    place.put("power", "feed%d".formatted((rack + 7) / 8));
    TreeMap<String, String> versions = new TreeMap<>();
    versions.put("driver", node % 7 == 0 ? "580.65" : "575.57");
    versions.put("kernel", "6.12.48");
    List<DeviceDescription> devices = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      devices.add(new DeviceDescription("gpu", "" + i, "H200", "switch" + i / 2, "rail" + i));
    }
    for (int i = 0; i < 8; i++) {
      devices.add(
          new DeviceDescription(
              "nic", "mlx5_" + i + "/1", "ConnectX-7", "switch" + i / 2, "rail" + i));
    }
    return new NodeDescription(name(node), "0.1.0", place, versions, devices);
  }

  /** A source says something; done once it is durable. */
  void say(String source, Statement... statements) throws Exception {
    for (Statement statement : statements) {
      submit(source, statement).get(20, TimeUnit.SECONDS);
    }
  }

  private CompletableFuture<?> submit(String source, Statement statement) {
    long sequence = sequences.merge(source, 1L, Long::sum);
    Report report = new Report(source, 1, sequence, Instant.now(), statement);
    return control.engine().submit(new Input.Reported(source, List.of(report)));
  }

  private static void await(List<CompletableFuture<?>> told) throws Exception {
    CompletableFuture.allOf(told.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
    told.clear();
  }

  void wish(String who, Wish wish) throws Exception {
    control.engine().submit(new Input.Wished(who, wish)).get(20, TimeUnit.SECONDS);
  }

  /** What is asked of everybody and not answered yet. */
  List<Map.Entry<String, Request>> asked() {
    return control.engine().state().openActions().stream()
        .map(it -> Map.entry(it.target(), it.request()))
        .toList();
  }

  /** A job on nodes {@code first} to {@code last}, eight ranks each. */
  static JobDescription job(
      String name, int first, int last, long step, Duration age, Instant now, JobLoss... losses) {
    return new JobDescription(
        name,
        "ada",
        JobDescription.State.RUNNING,
        losses.length > 0 ? 2 : 0,
        losses.length > 0 ? 2 : 0,
        now.minus(age),
        IntStream.rangeClosed(first, last)
            .mapToObj(it -> new JobMember(name(it), (it - first) * 8, 8))
            .toList(),
        step,
        4.2 + 0.3 * Math.sin(step / 5.0),
        Optional.of(now.minusSeconds(60 * (step % 17))),
        1200,
        List.of(losses));
  }

  @Override
  public void close() throws Exception {
    control.close();
  }
}
