package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.os.process.Command;
import dev.holdfast.os.process.CommandResult;
import dev.holdfast.testing.HoldfastProgram;
import dev.holdfast.testing.Tools;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes of a benchmark that a real launcher starts: who is who is told by it alone. */
class BenchNetLaunchersIT {
  @TempDir Path folder;

  @Test
  void nodesThatMpirunStartsMeetAndTheFirstOnePrints() throws IOException {
    meet(
        List.of(
            Tools.require("mpirun", "openmpi-bin").toString(),
            "--allow-run-as-root",
            "--oversubscribe",
            "-n",
            "2"));
  }

  @Test
  void nodesThatHoldfastRunStartsMeetAndTheFirstOnePrints() throws IOException {
    meet(HoldfastProgram.command(List.of(), List.of("run", "--nproc-per-node", "2", "--")));
  }

  private void meet(List<String> launcher) throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    List<String> line = new ArrayList<>(launcher);
    line.addAll(
        HoldfastProgram.command(
            List.of(),
            List.of(
                "bench",
                "net",
                "all_reduce",
                "--rdzv=127.0.0.1:" + port,
                "--ranks=2",
                "--min-bytes=64KiB",
                "--max-bytes=64KiB",
                "--rounds=1",
                "--no-repeat",
                "--format=csv")));
    CommandResult said =
        Command.of(line)
            .within(Duration.ofSeconds(90))
            .with("HOLDFAST_STATE_DIR", folder.toString())
            .run();
    assertThat(said.succeeded()).as(said.why() + said.error() + said.output()).isTrue();
    assertThat(said.output().lines().filter(it -> it.contains("65536"))).hasSize(1);
  }
}
