package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.os.process.Command;
import dev.holdfast.testing.Tools;
import dev.holdfast.testing.TrainingJobs;
import dev.holdfast.testing.TrainingJobs.Job;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
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
  private static final Pattern RESUMED = Pattern.compile("4 ranks, from step [123]0");

  private TrainingJobs jobs;

  @TempDir Path folder;

  @BeforeEach
  void requirePyTorch() {
    jobs = new TrainingJobs(folder, Map.of("PYTHON_EXEC", PYTHON, "PYTHONDONTWRITEBYTECODE", "1"));
    Tools.require(
        Command.of(PYTHON, "-c", "import torch.distributed").within(PATIENCE).run().succeeded(),
        "needs PyTorch (apt-get install python3-torch)");
  }

  @AfterEach
  void endAll() throws InterruptedException {
    jobs.close();
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
    TrainingJobs.await(
        () -> orphans.stream().noneMatch(ProcessHandle::isAlive), "the end of its ranks");
    assertThat(start("lost").sum()).isEqualTo(expected);
    assertThat(lost.output()).containsPattern(RESUMED);
  }

  /** The restart takes the standbys; the watcher's death in between costs none of them. */
  @Test
  void aWarmRestartEndsWithTheSameWeights() throws Exception {
    String expected = start("cold").sum();

    Job warm = start("warm", "--warm", "--inject", "slow=10:rank=0,step=15");
    TrainingJobs.await(() -> warm.output().contains("4 standbys are ready"), "the standbys");
    warm.running(RunWatcher.class.getName()).destroyForcibly();
    TrainingJobs.await(
        () -> warm.output().contains("it is started again, the ranks go on"), "a new watcher");
    warm.rank(2).destroyForcibly();
    assertThat(warm.sum()).isEqualTo(expected);
    assertThat(warm.output()).contains("warm restart");
  }

  /** Starts the job; its output goes to a file, its checkpoints to a folder, both of this name. */
  private Job start(String name, String... options) throws IOException {
    List<String> all =
        new ArrayList<>(List.of("--standalone", "--nproc-per-node=4", "--max-restarts=3"));
    all.addAll(List.of(options));
    return jobs.start(
        name,
        all,
        List.of(
            Path.of("../examples/train_torch.py").toRealPath().toString(),
            "--steps=40",
            "--step-seconds=0.05",
            "--checkpoint-dir=" + folder.resolve(name)));
  }
}
