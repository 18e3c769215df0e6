package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.testing.HoldfastProgram;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** Launchers of several nodes of a job, all on this machine. */
final class LocalLaunchers implements AutoCloseable {
  static final Duration PATIENCE = Duration.ofMinutes(3);

  final Path folder;

  /** What all that is started finds in its environment, beside the usual; {node}: its name. */
  final Map<String, String> environment = new HashMap<>();

  private final List<Process> started = new ArrayList<>();

  LocalLaunchers(Path folder) {
    this.folder = folder;
  }

  @Override
  public void close() throws InterruptedException {
    for (Process process : started) {
      List<ProcessHandle> below = process.descendants().toList();
      process.destroyForcibly().waitFor(20, TimeUnit.SECONDS);
      below.forEach(ProcessHandle::destroyForcibly);
    }
  }

  /** Two nodes n0 and n1 with two ranks each that train; n0 is where they meet. */
  List<Process> pair(List<String> options, int steps) throws Exception {
    List<Process> nodes =
        pairOf(
            Stream.concat(Stream.of("--nnodes=1:2"), options.stream()).toList(),
            Path.of("../examples/train.py").toRealPath().toString(),
            "--steps=" + steps,
            "--step-seconds=0.2",
            "--checkpoint-dir=" + folder.resolve("checkpoints"));
    await(
        () -> output("n0").contains("step 5 ") || nodes.stream().anyMatch(node -> !node.isAlive()),
        "step 5");
    assertThat(output("n0")).contains("4 ranks on 2 nodes");
    return nodes;
  }

  /**
   * The same with another program. The first launcher comes when the other looks for it, so that
   * both are there when the first attempt begins, however busy the machine is; until then its port
   * is held, because on one machine the other would take it.
   */
  List<Process> pairOf(List<String> options, String... program) throws Exception {
    int port;
    Process second;
    try (ServerSocket held = new ServerSocket(0)) {
      port = held.getLocalPort();
      held.setSoTimeout((int) PATIENCE.toMillis());
      second = node(1, port, options, program);
      // Who dials has a port of its own by then.
      held.accept().close();
    }
    return List.of(node(0, port, options, program), second);
  }

  private Process node(int node, int port, List<String> options, String... program)
      throws IOException {
    List<String> line =
        new ArrayList<>(
            List.of(
                "run",
                "--nproc-per-node=2",
                "--node-rank=" + node,
                "--node-name=n" + node,
                "--local-addr=127.0.0.1",
                "--master-addr=127.0.0.1",
                "--master-port=" + port,
                "--rdzv-id=pair",
                "--max-restarts=3",
                "--log-dir=" + folder.resolve("logs")));
    line.addAll(options);
    line.addAll(List.of(program));
    return holdfast("n" + node, line);
  }

  /** Waits for a good end. */
  void awaitEnd(Process node, String name) throws InterruptedException {
    assertThat(node.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).as(output(name)).isTrue();
    assertThat(node.exitValue()).as(output(name)).isZero();
  }

  /** Starts a managed store; returns where it is managed. */
  String arbiter(Path token) throws IOException {
    Process store =
        holdfast(
            "store",
            List.of(
                "store",
                "--port-range=27000-27499",
                "--manage=127.0.0.1:0",
                "--token-file=" + token,
                "--state=" + folder.resolve("arbiter")));
    try (BufferedReader lines = store.inputReader()) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("{")) {
          return Fields.of("ready", Json.read(line)).text("manage");
        }
      }
    }
    throw new AssertionError("the store is never ready");
  }

  /** Runs another command beside the launchers and returns what it wrote, when it ended well. */
  String ask(String... arguments) throws Exception {
    String name = "answer" + started.size();
    awaitEnd(holdfast(name, List.of(arguments)), name);
    return output(name);
  }

  private Process holdfast(String name, List<String> arguments) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(HoldfastProgram.command(List.of(), arguments));
    if (!name.equals("store")) {
      builder.redirectErrorStream(true).redirectOutput(folder.resolve(name).toFile());
    }
    builder.environment().put("XDG_RUNTIME_DIR", folder.toString());
    builder.environment().put("HOLDFAST_STATE_DIR", folder.resolve("state").toString());
    builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
    environment.forEach(
        (key, value) -> builder.environment().put(key, value.replace("{node}", name)));
    Process process = builder.start();
    started.add(process);
    return process;
  }

  String output(String name) {
    try {
      Path file = folder.resolve(name);
      return Files.exists(file) ? Files.readString(file) : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void await(BooleanSupplier condition, String what) throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime())
          .as("still waiting for " + what + ": " + output("n0"))
          .isLessThan(deadline);
      Thread.sleep(50);
    }
  }
}
