package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testing.Tools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two launchers and a managed store as their arbiter: either of the two may be lost. */
class ArbiterIT {
  private static final String TOKEN = "0123456789abcdef0123456789abcdef";

  @TempDir Path folder;

  @BeforeEach
  void requirePython() {
    Tools.require("python3", "python3");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void aJobOnTwoNodesOutlivesEither(int lost) throws Exception {
    Path token = token();
    try (LocalLaunchers launchers = new LocalLaunchers(folder)) {
      List<Process> nodes =
          launchers.pair(
              List.of("--arbiter=" + launchers.arbiter(token), "--token-file=" + token), 60);
      List<ProcessHandle> ranks = nodes.get(lost).descendants().toList();
      nodes.get(lost).destroyForcibly().waitFor();
      launchers.await(() -> ranks.stream().noneMatch(ProcessHandle::isAlive), "the ranks' end");
      String name = "n" + (1 - lost);
      launchers.awaitEnd(nodes.get(1 - lost), name);
      assertThat(launchers.output(name))
          .contains("attempt 1: 2 ranks on 1 node")
          .contains("all ranks ended");
    }
  }

  /**
   * Leader and member, each once: the lease at the arbiter goes on, and so does the attempt. What
   * launchers need to speak to the arbiter is not for their ranks.
   */
  @Test
  void watchersThatAreKilledResumeAndTheArbiterHearsOfNoSecondAttempt() throws Exception {
    try (LocalLaunchers launchers = new LocalLaunchers(folder)) {
      launchers.environment.put("HOLDFAST_STORE_TOKEN", TOKEN);
      launchers.environment.put("HOLDFAST_TOKEN", "of the launchers");
      List<Process> nodes = launchers.pair(List.of("--arbiter=" + launchers.arbiter(token())), 80);
      List<Long> before = ranks(nodes);
      for (long rank : before) {
        assertThat(WatcherCrashIT.read(ProcessHandle.of(rank).orElseThrow(), "environ"))
            .anyMatch(variable -> variable.startsWith("RANK="))
            .noneMatch(variable -> variable.contains("TOKEN") || variable.contains(TOKEN));
      }
      WatcherCrashIT.watcher(nodes.get(0)).destroyForcibly();
      launchers.await(() -> launchers.output("n0").contains("step 40 "), "step 40");
      WatcherCrashIT.watcher(nodes.get(1)).destroyForcibly();
      launchers.await(() -> launchers.output("n0").contains("step 70 "), "step 70");
      assertThat(ranks(nodes)).isEqualTo(before);
      launchers.awaitEnd(nodes.get(0), "n0");
      launchers.awaitEnd(nodes.get(1), "n1");
      assertThat(launchers.output("n0") + launchers.output("n1"))
          .doesNotContain("attempt 1")
          .doesNotContain("leads from now on");
    }
  }

  private static List<Long> ranks(List<Process> nodes) {
    return nodes.stream().flatMap(node -> WatcherCrashIT.pids(node).stream()).toList();
  }

  private Path token() throws IOException {
    Path token = folder.resolve("token");
    Files.writeString(token, TOKEN);
    Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
    return token;
  }
}
