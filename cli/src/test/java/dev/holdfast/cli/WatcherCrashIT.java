package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testing.HoldfastProgram;
import dev.holdfast.testing.Tools;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The process that watches is killed again and again: the ranks of `holdfast run` never notice. */
class WatcherCrashIT {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final int RANKS = 4;

  @TempDir Path folder;
  private @Nullable Process launcher;

  @BeforeEach
  void requirePython() {
    Tools.require("python3", "python3");
  }

  @AfterEach
  void end() throws InterruptedException {
    Process started = launcher;
    if (started != null) {
      List<ProcessHandle> below = started.descendants().toList();
      started.destroyForcibly().waitFor(20, TimeUnit.SECONDS);
      below.forEach(ProcessHandle::destroyForcibly);
    }
  }

  @Test
  void killedTwiceItGoesOnBesideTheSameRanksToAGoodEnd() throws Exception {
    Process run = start("--steps=80");
    List<Long> before = ranksAtStep(run, 5);
    ProcessHandle first = watcher(run);
    first.destroyForcibly();
    ProcessHandle second = nextWatcher(run, first);
    ranksAtStep(run, 30);
    second.destroyForcibly();
    nextWatcher(run, second);
    assertThat(ranksAtStep(run, 45)).isEqualTo(before);
    assertThat(run.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).as(output()).isTrue();
    assertThat(run.exitValue()).as(output()).isZero();
    assertThat(output()).containsOnlyOnce(" ranks, from step ").doesNotContain("from step 1");
    Path page;
    try (Stream<Path> files = Files.walk(folder.resolve("logs"))) {
      page = files.filter(file -> file.endsWith("report.html")).findFirst().orElseThrow();
    }
    assertThat(Files.readString(page)).contains("the watcher had ended and was started again");
    assertThat(Files.readString(page.resolveSibling("run.json"))).contains("\"exitCode\": 0");
  }

  @Test
  void aRankThatFailsWhileNobodyWatchesIsStartedAgain() throws Exception {
    Process run = start("--steps=40");
    ranksAtStep(run, 5);
    ProcessHandle first = watcher(run);
    List<Long> before = pids(run);
    first.destroyForcibly();
    ProcessHandle.of(before.get(2)).orElseThrow().destroyForcibly();
    assertThat(run.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).as(output()).isTrue();
    assertThat(run.exitValue()).as(output()).isZero();
    assertThat(output()).contains("attempt 1: 4 ranks").contains("rank 2");
  }

  @Test
  void leaderAndMemberAreKilledInTurnAndNoRankOfEitherNodeNotices() throws Exception {
    try (LocalLaunchers launchers = new LocalLaunchers(folder)) {
      List<Process> nodes = launchers.pair(List.of(), 60);
      List<Long> before = new ArrayList<>(pids(nodes.get(0)));
      before.addAll(pids(nodes.get(1)));
      watcher(nodes.get(0)).destroyForcibly();
      launchers.await(() -> launchers.output("n0").contains("step 30 "), "step 30");
      watcher(nodes.get(1)).destroyForcibly();
      launchers.await(() -> launchers.output("n0").contains("step 50 "), "step 50");
      List<Long> after = new ArrayList<>(pids(nodes.get(0)));
      after.addAll(pids(nodes.get(1)));
      assertThat(after).isEqualTo(before);
      launchers.awaitEnd(nodes.get(0), "n0");
      launchers.awaitEnd(nodes.get(1), "n1");
      assertThat(launchers.output("n0")).doesNotContain("attempt 1");
    }
  }

  private Process start(String... arguments) throws IOException {
    List<String> line =
        HoldfastProgram.command(
            List.of(),
            List.of(
                "run",
                "--standalone",
                "--nproc-per-node=" + RANKS,
                "--max-restarts=1",
                "--log-dir=" + folder.resolve("logs"),
                Path.of("../examples/train.py").toRealPath().toString(),
                "--step-seconds=0.2",
                "--checkpoint-dir=" + folder.resolve("checkpoints")));
    line.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true);
    builder.redirectOutput(folder.resolve("output").toFile());
    builder.environment().put("XDG_RUNTIME_DIR", folder.toString());
    builder.environment().put("HOLDFAST_STATE_DIR", folder.resolve("state").toString());
    builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
    Process started = builder.start();
    launcher = started;
    return started;
  }

  private String output() {
    try {
      return Files.readString(folder.resolve("output"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The processes of the ranks once this step is reached. */
  private List<Long> ranksAtStep(Process run, int step) throws InterruptedException {
    await(() -> !run.isAlive() || output().contains("step " + step + " "), "step " + step);
    assertThat(run.isAlive()).as(output()).isTrue();
    List<Long> pids = pids(run);
    assertThat(pids).as(output()).hasSize(RANKS);
    return pids;
  }

  /** The processes of a launcher's ranks, in their order. */
  static List<Long> pids(Process run) {
    TreeMap<String, Long> pids = new TreeMap<>();
    try (Stream<ProcessHandle> children = run.children()) {
      children.forEach(
          child ->
              read(child, "environ")
                  .filter(entry -> entry.startsWith("RANK="))
                  .forEach(entry -> pids.put(entry, child.pid())));
    }
    return List.copyOf(pids.values());
  }

  static ProcessHandle watcher(Process run) {
    try (Stream<ProcessHandle> children = run.children()) {
      return children.filter(WatcherCrashIT::watches).findFirst().orElseThrow();
    }
  }

  private static boolean watches(ProcessHandle process) {
    return read(process, "cmdline").anyMatch(word -> word.endsWith(".RunWatcher"));
  }

  private ProcessHandle nextWatcher(Process run, ProcessHandle before) throws InterruptedException {
    await(
        () -> {
          try (Stream<ProcessHandle> children = run.children()) {
            return children.anyMatch(child -> child.pid() != before.pid() && watches(child));
          }
        },
        "the next watcher");
    return watcher(run);
  }

  /** The words of a file of a process, none if it is gone. */
  static Stream<String> read(ProcessHandle process, String file) {
    try {
      Path path = Path.of("/proc", Long.toString(process.pid()), file);
      return Stream.of(Files.readString(path, StandardCharsets.ISO_8859_1).split("\0"));
    } catch (IOException gone) {
      return Stream.of();
    }
  }

  private void await(BooleanSupplier condition, String what) throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime())
          .as("still waiting for " + what + ": " + output())
          .isLessThan(deadline);
      Thread.sleep(20);
    }
  }
}
