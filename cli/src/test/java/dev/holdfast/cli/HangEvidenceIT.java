package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.os.process.Command;
import dev.holdfast.testing.Tools;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A rank of one node hangs: every node looks at its ranks before they are ended. */
class HangEvidenceIT {
  @TempDir Path folder;

  @BeforeEach
  void requirePython() {
    Tools.require("python3", "python3");
  }

  @Test
  void everyNodeKeepsWhatItsRanksDidWhenOneHung() throws Exception {
    try (LocalLaunchers launchers = new LocalLaunchers(folder)) {
      List<Process> nodes = launchers.pair(List.of("--on-hang=restart"), 40);
      long stopped = WatcherCrashIT.pids(nodes.get(1)).getFirst();
      Command.of("kill", "-STOP", Long.toString(stopped)).run();
      launchers.awaitEnd(nodes.get(0), "n0");
      launchers.awaitEnd(nodes.get(1), "n1");
      assertThat(launchers.output("n0")).contains("attempt 1: 4 ranks on 2 nodes");
      for (String node : List.of("n0", "n1")) {
        Path evidence = folder.resolve("logs/pair_" + node + "/attempt_0/hang.txt");
        assertThat(evidence).as(launchers.output(node)).exists();
        assertThat(Files.readString(evidence)).contains("rank " + (node.equals("n0") ? 0 : 2));
      }
    }
  }
}
