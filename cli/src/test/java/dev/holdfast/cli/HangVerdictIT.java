package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.os.process.Command;
import dev.holdfast.testing.Tools;
import dev.holdfast.testing.TrainingJobs;
import dev.holdfast.testing.TrainingJobs.Job;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real job of four PyTorch ranks comes to a stand: one of them waits for a lock, or for data, or
 * is killed. The verdict names it, and why. {@code -Dholdfast.hang.times=20} tries that often each.
 */
class HangVerdictIT {
  private static final String PYTHON = "/usr/bin/python3";
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int TIMES = Integer.getInteger("holdfast.hang.times", 1);
  private static final String PROGRAM =
      """
      import os, sys, threading, time
      import torch, torch.distributed as dist
      import holdfast

      how, guilty = sys.argv[1], int(sys.argv[2])
      rank = int(os.environ["RANK"])

      class Numbers(torch.utils.data.Dataset):
          def __len__(self):
              return 1000
          def __getitem__(self, index):
              if how == "data" and rank == guilty and index == 12:
                  os.read(os.pipe()[0], 1)
              return torch.ones(8) * index

      dist.init_process_group("gloo")
      lock = threading.Lock()
      for step, data in enumerate(torch.utils.data.DataLoader(Numbers(), batch_size=1)):
          if rank == guilty and step == 12:
              if how == "lock":
                  lock.acquire()
                  lock.acquire()
              if how == "kill":
                  os.kill(os.getpid(), 9)
          dist.all_reduce(data)
          holdfast.beat(step)
          time.sleep(0.05)
      """;

  private static final Map<String, String> ENVIRONMENT =
      Map.of("PYTHON_EXEC", PYTHON, "PYTHONDONTWRITEBYTECODE", "1", "OMP_NUM_THREADS", "1");

  @TempDir Path folder;

  @BeforeEach
  void requirePyTorch() {
    Tools.require(
        Command.of(PYTHON, "-c", "import torch.distributed").within(PATIENCE).run().succeeded(),
        "needs PyTorch (apt-get install python3-torch)");
  }

  @Test
  void aRankThatWaitsForALock() throws Exception {
    for (int time = 0; time < TIMES; time++) {
      verdict("lock", time % 4, "waits for a lock or another thread: <module>@stuck.py");
    }
  }

  @Test
  void aRankThatWaitsForData() throws Exception {
    for (int time = 0; time < TIMES; time++) {
      verdict("data", (time + 2) % 4, "loads data: ");
    }
  }

  @Test
  void aRankThatIsKilled() throws Exception {
    for (int time = 0; time < TIMES; time++) {
      verdict("kill", (time + 1) % 4, "ended by signal 9");
    }
  }

  private void verdict(String how, int guilty, String reason) throws Exception {
    Path own = Files.createTempDirectory(folder, how);
    Path program = Files.writeString(own.resolve("stuck.py"), PROGRAM);
    try (TrainingJobs jobs = new TrainingJobs(own, ENVIRONMENT)) {
      Job job =
          jobs.start(
              how,
              List.of(
                  "--standalone",
                  "--nproc-per-node=4",
                  "--hang=6s",
                  "--on-hang=restart",
                  "--max-restarts=0"),
              List.of(program.toString(), how, Integer.toString(guilty)));
      boolean ended = job.launcher().waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      assertThat(ended).as(job.output()).isTrue();
      assertThat(job.output())
          .containsPattern("verdict: rank " + guilty + "(?: on \\S+)?, ")
          .contains(reason);
    }
    again(own.resolve("logs"), guilty, reason);
  }

  /** From the one file that was left. */
  private static void again(Path logs, int guilty, String reason) throws IOException {
    Path bundle;
    try (Stream<Path> files = Files.walk(logs)) {
      bundle =
          files
              .filter(file -> String.valueOf(file.getFileName()).equals("bundle_0.zip"))
              .findFirst()
              .orElseThrow();
    }
    TestConsole console = new TestConsole();
    assertThat(console.run("diagnose", bundle.toString(), "--format", "json")).isEqualTo(1);
    Fields best = Fields.of("answer", Json.object(console.out())).objects("hypotheses").getFirst();
    assertThat(best.texts("culprits"))
        .as(console.out())
        .singleElement()
        .asString()
        .endsWith("/rank/" + guilty);
    assertThat(console.out()).contains(reason);
  }
}
