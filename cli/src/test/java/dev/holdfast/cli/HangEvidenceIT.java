package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
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
      stacksOfTheJob(launchers, stopped);
      launchers.awaitEnd(nodes.get(0), "n0");
      launchers.awaitEnd(nodes.get(1), "n1");
      assertThat(launchers.output("n0")).contains("attempt 1: 4 ranks on 2 nodes");
      for (String node : List.of("n0", "n1")) {
        Path evidence = folder.resolve("logs/pair_" + node + "/attempt_0/hang.txt");
        assertThat(evidence).as(launchers.output(node)).exists();
        assertThat(Files.readString(evidence))
            .contains("rank " + (node.equals("n0") ? 0 : 2))
            .contains("2 ranks in ");
      }
    }
  }

  /** Both launchers answer for their ranks; the stopped one is there, with the reason. */
  private static void stacksOfTheJob(LocalLaunchers launchers, long stopped) throws Exception {
    String answer = launchers.ask("stacks", "--job", "pair", "--format=json");
    Fields fields =
        Fields.of("answer", Json.object(answer.substring(answer.indexOf("{")))); // messages first
    assertThat(fields.text("ranks")).as(answer).isEqualTo("[0-3]");
    for (Fields process : fields.objects("processes")) {
      if (process.number("pid") == stopped) {
        assertThat(process.text("state")).isEqualTo("T");
        assertThat(process.text("noStacks")).contains("in state T no signal reaches it");
      } else {
        assertThat(process.texts("by")).as(answer).containsExactly("fault handler");
        assertThat(process.text("stacks")).contains("train.py");
      }
    }
    assertThat(fields.texts("notAsked")).isEmpty();
    Path run = launchers.folder.resolve("logs/pair_n1");
    assertThat(launchers.ask("stacks", "--job", run.toString())).contains("4 ranks in ");
  }
}
