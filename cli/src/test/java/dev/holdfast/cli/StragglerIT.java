package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real ranks on two nodes, one of which is slower than the other. */
class StragglerIT {
  private static final String PROGRAM =
      """
      import os, sys, time
      sys.path.insert(0, sys.argv[1])
      import holdfast
      from tcpstore import Store

      store = Store(os.environ["MASTER_ADDR"], int(os.environ["MASTER_PORT"]))
      world = int(os.environ["WORLD_SIZE"])
      late = 0.15 if os.environ["GROUP_RANK"] == "1" else 0
      for step in range(1, 300):
          time.sleep(0.5 + late)
          holdfast.beat(step)
          store.barrier("step%d" % step, world)
      """;

  @TempDir Path folder;

  @Test
  void theLeaderNamesTheNodeWhoseRanksAreAllLate() throws Exception {
    Path program = Files.writeString(folder.resolve("late.py"), PROGRAM);
    String examples = Path.of("../examples").toRealPath().toString();
    try (LocalLaunchers launchers = new LocalLaunchers(folder)) {
      List<Process> nodes = launchers.pairOf(List.of("--nnodes=2"), program.toString(), examples);
      launchers.await(
          () ->
              launchers.output("n0").contains("straggler")
                  || nodes.stream().anyMatch(node -> !node.isAlive()),
          "a straggler");
      assertThat(launchers.output("n0"))
          .containsPattern("straggler: all ranks on n1 end their steps last, by [12][0-9] %");
      assertThat(launchers.output("n1")).doesNotContain("straggler");
    }
  }
}
