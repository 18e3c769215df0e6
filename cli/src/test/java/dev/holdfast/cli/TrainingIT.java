package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.os.process.Command;
import dev.holdfast.testing.Tools;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Real training with PyTorch (Debian's 1.13, gloo) under `holdfast run`: whatever is done to it, it
 * ends with the weights of a run that was left alone, bit for bit.
 */
class TrainingIT {
  private static final String PYTHON = "/usr/bin/python3";
  private static final Duration PATIENCE = Duration.ofMinutes(4);
  private static final Pattern SUM = Pattern.compile("weights sha256 (\\w{64})");
  private static final Pattern RESUMED = Pattern.compile("4 ranks, from step [123]0");

  private final List<Job> jobs = new ArrayList<>();

  @TempDir Path folder;

  @BeforeEach
  void requirePyTorch() {
    Tools.require(
        Command.of(PYTHON, "-c", "import torch.distributed").within(PATIENCE).run().succeeded(),
        "needs PyTorch (apt-get install python3-torch)");
  }

  @AfterEach
  void endAll() throws InterruptedException {
    for (Job job : jobs) {
      List<ProcessHandle> below = job.launcher().descendants().toList();
      job.launcher().destroyForcibly().waitFor(20, TimeUnit.SECONDS);
      below.forEach(ProcessHandle::destroyForcibly);
    }
  }

  @Test
  void disturbedRunsEndWithTheWeightsOfAnUndisturbedOne() throws Exception {
    Job undisturbed = start("undisturbed");
    String expected = undisturbed.sum();
    assertThat(undisturbed.output()).containsOnlyOnce(" ranks, from step ");

    Job killed = start("killed");
    killed.awaitStep(15);
    killed.rank(2).destroyForcibly();
    assertThat(killed.sum()).isEqualTo(expected);
    assertThat(killed.output()).containsPattern(RESUMED);

    Job stopped = start("stopped", "--on-hang", "restart");
    stopped.awaitStep(15);
    Command.of("kill", "-STOP", Long.toString(stopped.rank(1).pid())).run();
    assertThat(stopped.sum()).isEqualTo(expected);
    assertThat(stopped.output()).containsPattern(RESUMED);

    Job lost = start("lost");
    lost.awaitStep(15);
    List<ProcessHandle> orphans = lost.launcher().descendants().toList();
    assertThat(orphans).hasSizeGreaterThanOrEqualTo(4);
    lost.launcher().destroyForcibly().waitFor();
    await(() -> orphans.stream().noneMatch(ProcessHandle::isAlive), "the end of its ranks");
    assertThat(start("lost").sum()).isEqualTo(expected);
    assertThat(lost.output()).containsPattern(RESUMED);
  }

  /** The restart takes the standbys; the watcher's death in between costs none of them. */
  @Test
  void aWarmRestartEndsWithTheSameWeights() throws Exception {
    String expected = start("cold").sum();

    Job warm = start("warm", "--warm", "--inject", "slow=10:rank=0,step=15");
    await(() -> warm.output().contains("4 standbys are ready"), "the standbys");
    warm.watcher().destroyForcibly();
    await(() -> warm.output().contains("it is started again, the ranks go on"), "a new watcher");
    warm.rank(2).destroyForcibly();
    assertThat(warm.sum()).isEqualTo(expected);
    assertThat(warm.output()).contains("warm restart");
  }

  /** Starts the job; its output goes to a file, its checkpoints to a folder, both of this name. */
  private Job start(String name, String... options) throws IOException {
    List<String> line =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.holdfast.cli.Main",
                "run",
                "--standalone",
                "--nproc-per-node=4",
                "--max-restarts=3",
                "--log-dir=" + folder.resolve("logs")));
    line.addAll(List.of(options));
    line.addAll(
        List.of(
            Path.of("../examples/train_torch.py").toRealPath().toString(),
            "--steps=40",
            "--step-seconds=0.05",
            "--checkpoint-dir=" + folder.resolve(name)));
    Path log = folder.resolve(name + ".log");
    ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true);
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    builder.environment().put("XDG_RUNTIME_DIR", folder.toString());
    builder.environment().put("HOLDFAST_STATE_DIR", folder.resolve("state").toString());
    builder.environment().put("PYTHON_EXEC", PYTHON);
    builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
    builder.environment().put("GLOO_SOCKET_IFNAME", "lo");
    Job job = new Job(builder.start(), log);
    jobs.add(job);
    return job;
  }

  private static void await(BooleanSupplier condition, String what) throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("still waiting for " + what).isLessThan(deadline);
      Thread.sleep(20);
    }
  }

  /** A launcher that runs, and what it and its ranks wrote. */
  private record Job(Process launcher, Path log) {

    String output() {
      try {
        return Files.readString(log);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    void awaitStep(int step) throws InterruptedException {
      await(() -> !launcher.isAlive() || output().contains("step " + step + " loss"), "a step");
      assertThat(launcher.isAlive()).as(output()).isTrue();
    }

    /** Waits for the end, which must be a good one; what the weights came to. */
    String sum() throws InterruptedException {
      boolean ended = launcher.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      assertThat(ended).as(output()).isTrue();
      assertThat(launcher.exitValue()).as(output()).isZero();
      Matcher found = SUM.matcher(output());
      assertThat(found.find()).as(output()).isTrue();
      return found.group(1);
    }

    /** The process of a rank, found by its environment. */
    ProcessHandle rank(int rank) {
      try (Stream<ProcessHandle> below = launcher.descendants()) {
        return below
            .filter(process -> hasVariable(process, "RANK=" + rank))
            .findFirst()
            .orElseThrow();
      }
    }

    ProcessHandle watcher() {
      try (Stream<ProcessHandle> below = launcher.descendants()) {
        return below
            .filter(it -> words(it, "cmdline").contains(RunWatcher.class.getName()))
            .findFirst()
            .orElseThrow();
      }
    }

    private static boolean hasVariable(ProcessHandle process, String assignment) {
      return words(process, "environ").contains(assignment);
    }

    private static List<String> words(ProcessHandle process, String file) {
      try {
        Path path = Path.of("/proc", Long.toString(process.pid()), file);
        return List.of(Files.readString(path, StandardCharsets.ISO_8859_1).split("\0"));
      } catch (IOException gone) {
        return List.of();
      }
    }
  }
}
