package dev.holdfast.cli.command;

import dev.holdfast.bench.control.ControlBench;
import dev.holdfast.bench.control.ControlRow;
import dev.holdfast.bench.peer.Installation;
import dev.holdfast.bench.peer.RunningServer.Pinned;
import dev.holdfast.cli.console.Console;
import dev.holdfast.cli.console.Failures;
import dev.holdfast.control.access.Refusal;
import dev.holdfast.control.access.Role;
import dev.holdfast.control.access.Tokens;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.policy.DefaultPolicy;
import dev.holdfast.core.policy.PolicyText;
import dev.holdfast.core.text.Columns;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.topology.IdSet;
import dev.holdfast.os.libc.CpuAffinity;
import dev.holdfast.os.server.ServerAddress;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measure the control plane under thousands of agents. */
@Command(
    name = "control",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Measure the control plane on this machine, with thousands of simulated agents.",
    footer = {
      "",
      "The control plane is a process of its own on one CPU, the agents are on the others. Every rule of",
      "its policy acts, so that the guard is met; nothing real is touched.",
      "",
      "Examples:",
      "  holdfast bench control --quick                   1,000 agents, half a minute",
      "  holdfast bench control                           10,000 agents over 1,000 connections",
    })
final class BenchControlCommand implements Callable<Integer> {
  private static final Pattern ADDRESS = Pattern.compile("(http://[^ ]+:\\d+)");

  private final Console console;

  @Option(names = "--quick", description = "1,000 agents over 100 connections, 3 s of load.")
  private boolean quick;

  @Option(names = "--agents", paramLabel = "N", description = "Default: 10000.")
  private int agents = 10_000;

  @Option(names = "--connections", paramLabel = "N", description = "Default: 1000.")
  private int connections = 1_000;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      description = "How long each load is measured. Default: 10.")
  private int seconds = 10;

  @Option(
      names = "--server-cpus",
      paramLabel = "CPUS",
      description = "Default: the first of those allowed.")
  private String serverCpus = "";

  @Option(names = "--format", paramLabel = "FORMAT", description = "table or json. Default: table.")
  private TableOrJson format = TableOrJson.TABLE;

  BenchControlCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    try {
      Path folder = Files.createTempDirectory("holdfast-bench-control");
      try {
        return measure(folder);
      } finally {
        remove(folder);
      }
    } catch (IOException problem) {
      throw new HoldfastException(ErrorCode.CANNOT_SERVE, Failures.why(problem), problem);
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
      return 3;
    }
  }

  private int measure(Path folder) throws IOException, InterruptedException {
    BitSet all = CpuAffinity.permitted();
    BitSet served = new BitSet();
    if (serverCpus.isEmpty()) {
      served.set(all.nextSetBit(0));
    } else {
      IdSet.parse(serverCpus).stream().forEach(served::set);
    }
    BitSet rest = (BitSet) all.clone();
    rest.andNot(served);
    if (!rest.isEmpty()) {
      CpuAffinity.bind(rest);
    }
    Path policy = folder.resolve("policy.yaml");
    Files.writeString(policy, PolicyText.of(UpCommand.acting(DefaultPolicy.policy())));
    List<String> command =
        Installation.ofThisProcess()
            .serving(
                "control",
                "dev.holdfast.cli.Main",
                List.of(
                    "serve",
                    "--listen",
                    "127.0.0.1:0",
                    "--state",
                    folder.resolve("state").toString(),
                    "--policy",
                    policy.toString()));
    String token = agentToken(folder.resolve("state"));
    Process server = Pinned.start(new ProcessBuilder(command).redirectErrorStream(true), served);
    try {
      ServerAddress address = new ServerAddress(URI.create(address(server)), token, "");
      ControlBench bench = new ControlBench(address, server.pid(), this::progress);
      int many = quick ? 1_000 : agents;
      List<ControlRow> rows =
          bench.run(
              new ControlBench.Plan(
                  many,
                  quick ? 100 : connections,
                  Duration.ofSeconds(quick ? 3 : seconds),
                  Math.min(750, many * 3 / 4)));
      show(rows);
      return 0;
    } finally {
      server.destroy();
      if (!server.waitFor(10, TimeUnit.SECONDS)) {
        server.destroyForcibly();
      }
    }
  }

  /** Lets the simulated agents in before the control plane starts. */
  private static String agentToken(Path state) throws IOException {
    Files.createDirectories(state);
    try {
      return Tokens.open(state, InstantSource.system(), _ -> {})
          .create("bench", Role.AGENT, "*", Optional.empty())
          .token();
    } catch (Refusal impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private void progress(String what) {
    console.message(what);
  }

  private static String address(Process server) throws IOException {
    BufferedReader reader =
        new BufferedReader(new InputStreamReader(server.getInputStream(), StandardCharsets.UTF_8));
    StringBuilder said = new StringBuilder();
    for (String line = reader.readLine(); line != null; line = reader.readLine()) {
      Matcher match = ADDRESS.matcher(line);
      if (match.find()) {
        Thread.ofVirtual().start(() -> reader.lines().forEach(_ -> {}));
        return match.group(1);
      }
      said.append(line).append(' ');
    }
    throw new IOException("the control plane did not start: " + said);
  }

  private void show(List<ControlRow> rows) {
    if (format == TableOrJson.JSON) {
      console.answer(
          Json.pretty(
              Json.map(
                  "schema",
                  "holdfast.bench.control/1",
                  "rows",
                  rows.stream()
                      .map(
                          it ->
                              Json.map(
                                  "what",
                                  it.what(),
                                  "result",
                                  it.result(),
                                  "cost",
                                  it.cost(),
                                  "goal",
                                  it.goal()))
                      .toList())));
      return;
    }
    Columns table = new Columns(Set.of(), "what", "result", "cost", "goal");
    rows.forEach(it -> table.add(List.of(it.what(), it.result(), it.cost(), it.goal())));
    console.answer(table.text(console.style()));
  }

  private static void remove(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
