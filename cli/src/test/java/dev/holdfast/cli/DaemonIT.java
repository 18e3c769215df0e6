package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testing.Golden;
import dev.holdfast.testing.HoldfastProgram;
import dev.holdfast.testing.NotifySocket;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What service managers and people see of commands that serve until they are stopped. */
class DaemonIT {
  private static final long PATIENCE_SECONDS = 60;
  private static final int TERMINATED = 143;
  private static final int INTERRUPTED = 130;

  @TempDir private Path folder;

  private Process start(NotifySocket manager, String socket, List<String> options, String... words)
      throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(HoldfastProgram.command(options, List.of(words)))
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("out").toFile());
    builder.environment().put("HOLDFAST_STATE_DIR", folder.resolve("state").toString());
    builder.environment().put("XDG_RUNTIME_DIR", folder.toString());
    builder.environment().put("NOTIFY_SOCKET", socket);
    builder.environment().put("WATCHDOG_USEC", "60000000");
    builder.environment().keySet().removeIf(it -> it.startsWith("HOLDFAST_SERVER"));
    Process process = builder.start();
    assertThat(manager.heard("READY=1")).as("%s", output()).contains("READY=1");
    return process;
  }

  private String output() throws IOException {
    return Files.readString(folder.resolve("out"));
  }

  private static void signal(Process process, String name) throws Exception {
    new ProcessBuilder("kill", "-" + name, "" + process.pid()).inheritIO().start().waitFor();
  }

  private int end(Process process) throws Exception {
    try {
      assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).as("%s", output()).isTrue();
      return process.exitValue();
    } finally {
      process.destroyForcibly();
    }
  }

  private List<String> serve() {
    return List.of("serve", "--listen", "127.0.0.1:0", "--state", folder + "/control");
  }

  private List<String> agent() {
    return List.of(
        "agent",
        "--metrics-port",
        "0",
        "--socket",
        folder + "/agent.sock",
        "--kernel-log",
        folder + "/kern.log",
        "--from",
        Golden.root().resolve("fixtures/nodes/clean").toString());
  }

  private List<String> store() {
    return List.of("store", "--port", "0", "--address", "127.0.0.1");
  }

  private List<String> words(String command) {
    return switch (command) {
      case "serve" -> serve();
      case "agent" -> agent();
      default -> store();
    };
  }

  @ParameterizedTest
  @ValueSource(strings = {"serve", "agent", "store"})
  void tellsTheServiceManagerThatItServesThatItGoesOnAndThatItEnds(String command)
      throws Exception {
    String socket =
        command.equals("agent")
            ? "@holdfast-daemon-" + ProcessHandle.current().pid()
            : folder.resolve("notify").toString();
    try (NotifySocket manager = new NotifySocket(socket)) {
      Process process = start(manager, socket, List.of(), words(command).toArray(String[]::new));
      assertThat(manager.heard("WATCHDOG=1")).contains("WATCHDOG=1");
      assertThat(manager.heard("WATCHDOG=1")).doesNotContain("STOPPING=1");

      signal(process, "TERM");

      assertThat(end(process)).as("%s", output()).isEqualTo(TERMINATED);
      assertThat(manager.heard("STOPPING=1")).last().isEqualTo("STOPPING=1");
      assertThat(output()).doesNotContain("HF-", "has ended", "Exception");
      assertThat(Files.exists(folder.resolve("control/server.json"))).isFalse();
      assertThat(Files.exists(folder.resolve("agent.sock"))).isFalse();
    }
  }

  @Test
  void aMachineThatSleptGoesOn() throws Exception {
    String socket = folder.resolve("notify").toString();
    try (NotifySocket manager = new NotifySocket(socket)) {
      Process process = start(manager, socket, List.of(), serve().toArray(String[]::new));
      signal(process, "STOP");
      Thread.sleep(3_000);
      signal(process, "CONT");
      manager.forget();
      assertThat(manager.heard("WATCHDOG=1")).contains("WATCHDOG=1");

      signal(process, "INT");
      signal(process, "INT");
      assertThat(end(process)).as("%s", output()).isEqualTo(INTERRUPTED);
      assertThat(output()).doesNotContain("no progress");
    }
  }

  @Test
  void whoeverHoldsRanksOutlivesAFullHeapAndNobodyElseDoes() throws Exception {
    List<String> ends = new ArrayList<>();
    try (var files = Files.newDirectoryStream(Golden.root().resolve("dev"), "*.options")) {
      for (Path file : files) {
        if (Files.readAllLines(file).contains("-XX:+ExitOnOutOfMemoryError")) {
          ends.add(file.getFileName().toString());
        }
      }
    }
    assertThat(ends)
        .containsExactlyInAnyOrder(
            "agent.options", "control.options", "java.options", "service.options", "work.options");
  }
}
