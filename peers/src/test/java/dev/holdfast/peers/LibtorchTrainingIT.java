package dev.holdfast.peers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.os.process.Command;
import dev.holdfast.peers.training.TrainingRank;
import dev.holdfast.testing.TrainingJobs;
import dev.holdfast.testing.TrainingJobs.Job;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Real training with libtorch 2.10 under `holdfast run`, without Python: four ranks meet with
 * libtorch's own store client at our store and reduce with its gloo. Whatever is done to the job,
 * it ends with the weights of one that was left alone, bit for bit.
 */
class LibtorchTrainingIT {
  private static final Pattern RESUMED = Pattern.compile("4 ranks, from step [123]0");

  @TempDir Path folder;

  @BeforeAll
  static void unpack() {
    Unpacked.require();
  }

  @Test
  void disturbedRunsEndWithTheWeightsOfAnUndisturbedOne() throws Exception {
    try (TrainingJobs jobs = new TrainingJobs(folder, Map.of())) {
      Job undisturbed = start(jobs, "undisturbed");
      String expected = undisturbed.sum();
      assertThat(undisturbed.output()).containsOnlyOnce(" ranks, from step ");

      Job killed = start(jobs, "killed");
      killed.awaitStep(15);
      killed.rank(2).destroyForcibly();
      assertThat(killed.sum()).isEqualTo(expected);
      assertThat(killed.output()).containsPattern(RESUMED);

      Job stopped = start(jobs, "stopped", "--on-hang", "restart");
      stopped.awaitStep(15);
      Command.of("kill", "-STOP", Long.toString(stopped.rank(1).pid())).run();
      assertThat(stopped.sum()).isEqualTo(expected);
      assertThat(stopped.output()).containsPattern(RESUMED);
    }
  }

  private Job start(TrainingJobs jobs, String name, String... options) throws IOException {
    List<String> all =
        new ArrayList<>(List.of("--standalone", "--nproc-per-node=4", "--max-restarts=3"));
    all.addAll(List.of(options));
    all.add("--");
    return jobs.start(
        name, all, Unpacked.java(TrainingRank.class, "40", "50", folder.resolve(name).toString()));
  }
}
