package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.fleet.FanOut;
import dev.holdfast.doctor.fleet.FleetReport;
import dev.holdfast.doctor.fleet.Transport;
import dev.holdfast.os.process.CommandResult;
import dev.holdfast.testing.Golden;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fan-out over a real sshd on loopback, and merging of what came back. */
class FanOutIT {
  @TempDir Path folder;

  @Test
  void asksHostsOverSshAndMergesEqualFindings() throws Exception {
    Path holdfast = remoteHoldfast();
    try (LoopbackSshd sshd = LoopbackSshd.start(folder)) {
      FanOut fanOut =
          new FanOut(
              Transport.SSH,
              4,
              Duration.ofSeconds(20),
              List.of("-F", sshd.configuration().toString()));
      Map<String, CommandResult> results = new HashMap<>();
      fanOut.run(
          List.of("n1", "n2", "gone"),
          List.of(holdfast.toString(), "doctor"),
          results::put,
          (_, _) -> {});
      FleetReport fleet = FleetReport.of(results);
      assertThat(fleet.reports()).as(results.toString()).containsOnlyKeys("n1", "n2");
      assertThat(fleet.silent()).containsOnlyKeys("gone");
      assertThat(fleet.groups()).isNotEmpty();
      assertThat(fleet.groups().getFirst().nodes()).containsExactly("n1", "n2");
      assertThat(fleet.failsOn(Severity.FATAL)).isTrue();
    }
  }

  /** Stands for the program on the other node: answers with a recorded node's report. */
  private Path remoteHoldfast() throws IOException {
    TestConsole console = new TestConsole();
    String fixture = Golden.root().resolve("fixtures/nodes/gpu-lost").toString();
    console.run("doctor", "--format", "jsonl", "--from", fixture);
    Path answer = Files.writeString(folder.resolve("answer"), "Welcome!\n" + console.out());
    return executable("holdfast", "#!/bin/sh\nexec cat '" + answer + "'\n");
  }

  private Path executable(String name, String text) throws IOException {
    Path file = Files.writeString(folder.resolve(name), text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    return file;
  }
}
