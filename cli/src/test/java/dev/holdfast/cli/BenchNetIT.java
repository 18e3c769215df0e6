package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.statistics.Change;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The benchmark of collectives as people run it: real processes, little time. */
class BenchNetIT {
  @Test
  void theTableHasTheColumnsOfNcclTests() {
    TestConsole console = new TestConsole();
    int code =
        console.runProgram(
            "bench",
            "net",
            "all_reduce_perf",
            "-g",
            "2",
            "-b",
            "1K",
            "-e",
            "64K",
            "-f",
            "64",
            "-n",
            "3",
            "-w",
            "1",
            "--rounds",
            "2",
            "--transport",
            "tcp");
    assertThat(code).as(console.err()).isZero();
    assertThat(console.out())
        .contains("#       size         count      type   redop    root     time   algbw   busbw")
        .contains("1024           256     float     sum      -1")
        .contains("65536         16384     float     sum      -1")
        .contains("# Out of bounds values : 0 OK")
        .contains("# Avg bus bandwidth");
  }

  @Test
  void whatWasMeasuredIsPrintedWhereItCannotBeKeptOrDrawn(@TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "no folder");
    List<String> call =
        List.of("bench", "net", "all_reduce", "-b", "1K", "-e", "1K", "-n", "3", "-w", "1");
    TestConsole kept = new TestConsole();
    List<String> saving = new ArrayList<>(call);
    saving.addAll(List.of("--rounds", "1", "--save", "--ledger", file.toString()));
    assertThat(kept.runProgram(saving.toArray(String[]::new))).isEqualTo(3);
    assertThat(kept.out()).contains("1024           256     float     sum");
    assertThat(kept.err()).contains(file.toString());
    TestConsole drawn = new TestConsole();
    List<String> drawing = new ArrayList<>(call);
    drawing.addAll(List.of("--rounds", "1", "--svg", "/dev/full/a.svg"));
    assertThat(drawn.runProgram(drawing.toArray(String[]::new))).isEqualTo(3);
    assertThat(drawn.out()).as("nothing was measured: the place was looked at first").isEmpty();
    TestConsole inFolder = new TestConsole();
    List<String> folderDrawing = new ArrayList<>(call);
    folderDrawing.addAll(List.of("--rounds", "1", "--svg", folder.toString()));
    assertThat(inFolder.runProgram(folderDrawing.toArray(String[]::new))).isEqualTo(3);
    assertThat(inFolder.err()).contains(folder + " is a folder");
  }

  @Test
  void programsReadResultsAndTheLedgerKeepsThem(@TempDir Path ledger) {
    TestConsole console = new TestConsole();
    int code =
        console.runProgram(
            "bench",
            "net",
            "all_gather",
            "--ranks",
            "3",
            "--min-bytes",
            "4096",
            "--max-bytes",
            "4096",
            "--type",
            "bf16",
            "--iters",
            "3",
            "--rounds",
            "1",
            "--transport",
            "unix",
            "--format",
            "json",
            "--save",
            "--label",
            "here",
            "--ledger",
            ledger.toString());
    assertThat(code).as(console.err()).isZero();
    Fields run = Fields.of("run", Json.object(console.out()));
    List<Fields> results = run.objects("results");
    assertThat(results).hasSize(1);
    assertThat(results.getFirst().number("bytes")).isEqualTo(4080);
    assertThat(results.getFirst().number("wrong")).isZero();
    double algbw = results.getFirst().decimal("algbw", 0);
    assertThat(results.getFirst().decimal("busbw", 0) / algbw)
        .isEqualTo(2.0 / 3, org.assertj.core.data.Offset.offset(1e-6));
    assertThat(run.object("manifest").object("facts").text("transport")).isEqualTo("unix");
    TestConsole list = new TestConsole();
    assertThat(list.run("bench", "list", "--ledger", ledger.toString())).isZero();
    assertThat(list.out()).contains("here");
  }

  @Test
  void aRunThatIsKeptHasRoundsEnoughToBeCompared(@TempDir Path ledger) {
    String[] words = {"bench", "net", "all_reduce", "-b", "4K", "-e", "4K", "-n", "2", "-w", "1"};
    List<String> given = new ArrayList<>(List.of(words));
    given.addAll(List.of("--transport", "unix", "--no-repeat", "--format", "json"));
    assertThat(rounds(given)).isEqualTo(3);
    given.addAll(List.of("--save", "--ledger", ledger.toString()));
    assertThat(rounds(given)).isGreaterThanOrEqualTo(Change.FEWEST).isEqualTo(6);
    given.addAll(List.of("--rounds", "1"));
    assertThat(rounds(given)).isEqualTo(1);
  }

  private static int rounds(List<String> words) {
    TestConsole console = new TestConsole();
    assertThat(console.runProgram(words.toArray(String[]::new))).as(console.err()).isZero();
    Fields run = Fields.of("run", Json.object(console.out()));
    return run.objects("results").getFirst().decimals("rounds").size();
  }

  @Test
  void wrongWordsAreRefusedBeforeAnythingStarts() {
    TestConsole console = new TestConsole();
    assertThat(console.run("bench", "net", "all_confuse")).isEqualTo(2);
    assertThat(console.err()).contains("'all_confuse'");
    assertThat(console.run("bench", "net")).isEqualTo(2);
    assertThat(console.run("bench", "net", "all_reduce", "--ranks", "1")).isEqualTo(2);
    assertThat(console.run("bench", "net", "all_reduce", "--transport", "rdma")).isEqualTo(2);
    assertThat(console.run("bench", "net", "all_reduce", "--type", "double")).isEqualTo(2);
    assertThat(console.run("bench", "net", "p2p", "--ranks", "3")).isEqualTo(2);
    assertThat(console.run("bench", "net", "reduce", "--root", "2")).isEqualTo(2);
    assertThat(console.run("bench", "net", "all_reduce", "-b", "2M", "-e", "1M")).isEqualTo(2);
  }
}
