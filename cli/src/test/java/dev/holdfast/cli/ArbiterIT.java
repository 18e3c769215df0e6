package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.testing.Tools;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two launchers and a managed store as their arbiter: either of the two may be lost. */
class ArbiterIT {
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  @TempDir Path folder;
  private final List<Process> started = new ArrayList<>();

  @BeforeEach
  void requirePython() {
    Tools.require("python3", "python3");
  }

  @AfterEach
  void end() throws InterruptedException {
    for (Process process : started) {
      List<ProcessHandle> below = process.descendants().toList();
      process.destroyForcibly().waitFor(20, TimeUnit.SECONDS);
      below.forEach(ProcessHandle::destroyForcibly);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void aJobOnTwoNodesOutlivesEither(int lost) throws Exception {
    Path token = folder.resolve("token");
    Files.writeString(token, "0123456789abcdef0123456789abcdef");
    Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
    String arbiter = arbiter(token);
    int port = freePort();
    List<Process> nodes = new ArrayList<>();
    for (int node = 0; node < 2; node++) {
      // On one machine the second one must not take the first one's port.
      int before = node;
      await(() -> before == 0 || listens(port), "the first launcher");
      nodes.add(
          holdfast(
              "n" + node,
              "run",
              "--nnodes=1:2",
              "--nproc-per-node=2",
              "--node-rank=" + node,
              "--node-name=n" + node,
              "--local-addr=127.0.0.1",
              "--master-addr=127.0.0.1",
              "--master-port=" + port,
              "--rdzv-id=arbitrated",
              "--max-restarts=3",
              "--arbiter=" + arbiter,
              "--token-file=" + token,
              "--log-dir=" + folder.resolve("logs"),
              Path.of("../examples/train.py").toRealPath().toString(),
              "--steps=60",
              "--step-seconds=0.2",
              "--checkpoint-dir=" + folder.resolve("checkpoints")));
    }
    await(() -> output("n0").contains("step 5 ") || ended(nodes), "step 5");
    assertThat(output("n0")).contains("4 ranks on 2 nodes");
    List<ProcessHandle> ranks = nodes.get(lost).descendants().toList();
    nodes.get(lost).destroyForcibly().waitFor();
    await(() -> ranks.stream().noneMatch(ProcessHandle::isAlive), "the end of its ranks");
    Process left = nodes.get(1 - lost);
    String name = "n" + (1 - lost);
    assertThat(left.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).as(output(name)).isTrue();
    assertThat(left.exitValue()).as(output(name)).isZero();
    assertThat(output(name)).contains("attempt 1: 2 ranks on 1 node").contains("all ranks ended");
  }

  private boolean ended(List<Process> nodes) {
    return nodes.stream().anyMatch(node -> !node.isAlive());
  }

  /** Starts a managed store; returns where it is managed. */
  private String arbiter(Path token) throws IOException {
    Process store =
        holdfast(
            "store",
            "store",
            "--port-range=27000-27499",
            "--manage=127.0.0.1:0",
            "--token-file=" + token,
            "--state=" + folder.resolve("arbiter"));
    try (BufferedReader lines = store.inputReader()) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("{")) {
          return Fields.of("ready", Json.read(line)).text("manage");
        }
      }
    }
    throw new AssertionError("the store is never ready");
  }

  private Process holdfast(String name, String... arguments) throws IOException {
    List<String> line =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.holdfast.cli.Main"));
    line.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(line);
    if (!name.equals("store")) {
      builder.redirectErrorStream(true).redirectOutput(folder.resolve(name).toFile());
    }
    builder.environment().put("XDG_RUNTIME_DIR", folder.toString());
    builder.environment().put("HOLDFAST_STATE_DIR", folder.resolve("state").toString());
    builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
    Process process = builder.start();
    started.add(process);
    return process;
  }

  private static boolean listens(int port) {
    try (Socket _ = new Socket("127.0.0.1", port)) {
      return true;
    } catch (IOException notYet) {
      return false;
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private String output(String name) {
    try {
      Path file = folder.resolve(name);
      return Files.exists(file) ? Files.readString(file) : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void await(BooleanSupplier condition, String what) throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime())
          .as("still waiting for " + what + ": " + output("n0"))
          .isLessThan(deadline);
      Thread.sleep(50);
    }
  }
}
