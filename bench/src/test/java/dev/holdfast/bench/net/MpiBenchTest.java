package dev.holdfast.bench.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.core.network.Collective;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of rounds when mpirun fails in one of them. */
class MpiBenchTest {
  @TempDir private Path folder;

  private static NetPlan plan() {
    Operation operation = Operation.of(Collective.ALL_REDUCE, 1024, Element.FLOAT, 0, 2);
    return new NetPlan(List.of(operation), 2, Transport.MPI, 1, 3, 1, false, 3, true, 60);
  }

  /** Stands in for mpirun: succeeds so often, then fails. */
  private MpiBench succeeding(int times) throws IOException {
    Path runner = folder.resolve("mpirun");
    Files.writeString(
        runner,
        """
        #!/bin/sh
        if [ "$1" = --version ]; then echo "mpirun (Open MPI) 4.1.4"; exit; fi
        echo >> '%1$s/calls'
        if [ "$(wc -l < '%1$s/calls')" -gt %2$d ]; then echo "no slots" >&2; exit 1; fi
        echo "1024 0.001 0.002 0.003"
        """
            .formatted(folder, times));
    assertThat(runner.toFile().setExecutable(true)).isTrue();
    return new MpiBench(folder.resolve("mpi_collective"), runner.toString(), List.of());
  }

  @Test
  void roundsMeasuredBeforeMpiFailedAreKept() throws IOException {
    NetBench.Outcome outcome = succeeding(2).run(plan(), new NetBench.Watcher() {}, false);
    assertThat(outcome.failure()).contains("MPI failed", "no slots");
    assertThat(outcome.results())
        .singleElement()
        .satisfies(it -> assertThat(it.rounds()).hasSize(2));
  }

  @Test
  void mpiThatFailsAtOnceIsAnError() throws IOException {
    MpiBench failing = succeeding(0);
    assertThatThrownBy(() -> failing.run(plan(), new NetBench.Watcher() {}, false))
        .hasMessageContaining("no slots");
  }
}
