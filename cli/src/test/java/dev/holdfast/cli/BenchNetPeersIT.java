package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.os.process.Command;
import dev.holdfast.testing.Tools;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real peers: Open MPI, gloo and the same ring in C. What they reach is not judged here. */
class BenchNetPeersIT {
  private static final String CHECKOUT = Path.of("..").toAbsolutePath().normalize().toString();

  private final TestConsole console = new TestConsole();

  @BeforeAll
  static void peers() {
    Tools.require("mpicc", "libopenmpi-dev");
    Tools.require("mpirun", "openmpi-bin");
    Tools.require("gcc", "gcc");
    Tools.require(
        Command.of("/usr/bin/python3", "-c", "import torch.distributed")
            .within(Duration.ofMinutes(2))
            .run()
            .succeeded(),
        "needs python3-torch");
  }

  @Test
  void everyPeerHasItsTurnBesideOurs() {
    int code =
        console.runProgram(
            "bench",
            "net",
            "compare",
            "--rounds=1",
            "--sizes=64K",
            "--checkout",
            CHECKOUT,
            "--format=json");
    assertThat(code).as(console.err()).isZero();
    Fields answer = Fields.of("answer", Json.object(console.out()));
    List<Fields> rows = answer.objects("rows");
    assertThat(rows.stream().map(it -> it.text("peer")))
        .contains("gloo", "the same ring in C", "Open MPI tcp", "Open MPI shm", "tcp");
    assertThat(rows)
        .allSatisfy(
            it -> {
              assertThat(it.number("bytes")).isEqualTo(65536);
              assertThat(it.decimal("busbw", 0)).isPositive();
              assertThat(it.decimal("peerBusbw", 0)).isPositive();
              assertThat(it.decimal("ratio", 0)).isPositive();
            });
  }

  /** The program checks every value itself and ends with an error when one is wrong. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "all_reduce",
        "all_gather",
        "reduce_scatter",
        "broadcast",
        "reduce",
        "all_to_all",
        "gather",
        "scatter",
        "barrier"
      })
  void mpiMeasuresTheSameOperations(String collective) {
    int code =
        console.runProgram(
            "bench",
            "net",
            collective,
            "--transport=mpi",
            "--ranks=3",
            "--root=2",
            "-b1K",
            "-e64K",
            "-f64",
            "-n5",
            "-w1",
            "--rounds=1",
            "--checkout=" + CHECKOUT,
            "--format=json");
    assertThat(code).as(console.err()).isZero();
    Fields answer = Fields.of("answer", Json.object(console.out()));
    assertThat(answer.objects("results"))
        .hasSize(collective.equals("barrier") ? 1 : 2)
        .allSatisfy(
            it -> {
              assertThat(it.number("wrong")).isZero();
              assertThat(it.text("variant")).isEqualTo("mpi library");
            });
    assertThat(answer.object("manifest").object("facts").text("library")).contains("Open MPI");
  }

  @Test
  void whatMpiIsNotAskedForIsRefused() {
    assertThat(console.run("bench", "net", "p2p", "--transport=mpi")).isEqualTo(2);
    assertThat(console.err()).contains("p2p is not measured over mpi", "OSU");
    assertThat(console.run("bench", "net", "all_reduce", "--transport=mpi", "--type=int"))
        .isEqualTo(2);
    assertThat(console.run("bench", "net", "latency-comp", "--transport=mpi")).isEqualTo(2);
    assertThat(console.run("bench", "net", "done-flag", "--transport=mpi")).isEqualTo(2);
    assertThat(console.run("bench", "net", "sweep", "--transport=mpi")).isEqualTo(2);
    assertThat(console.run("bench", "net", "all_reduce", "--transport=mpi", "--hosts=n1,n2"))
        .isEqualTo(2);
  }
}
