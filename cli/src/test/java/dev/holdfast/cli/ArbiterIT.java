package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testing.Tools;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two launchers and a managed store as their arbiter: either of the two may be lost. */
class ArbiterIT {
  @TempDir Path folder;

  @BeforeEach
  void requirePython() {
    Tools.require("python3", "python3");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void aJobOnTwoNodesOutlivesEither(int lost) throws Exception {
    Path token = folder.resolve("token");
    Files.writeString(token, "0123456789abcdef0123456789abcdef");
    Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
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
}
