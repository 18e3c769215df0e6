package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.os.process.CommandResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The questions `bench net` answers beside the plain sweep: real processes, little time. */
class BenchNetQuestionsIT {
  @TempDir Path folder;

  private TestConsole console = new TestConsole();

  private int run(String... words) {
    console = new TestConsole();
    List<String> all = new ArrayList<>(List.of("bench", "net"));
    all.addAll(List.of(words));
    return console.runProgram(all.toArray(String[]::new));
  }

  private static String[] with(String[] words, String... more) {
    return Stream.concat(Stream.of(words), Stream.of(more)).toArray(String[]::new);
  }

  private Fields json(String schema) throws Exception {
    CommandResult result = Schemas.validate(schema, console.out(), folder);
    assertThat(result.succeeded()).as(result.error() + console.out()).isTrue();
    return Fields.of("answer", Json.object(console.out()));
  }

  @Test
  void oneLargeCallBesideManySmallOnes() throws Exception {
    String[] words = {
      "latency-comp", "--total", "1M", "--smallest", "16K", "--iters", "2", "--transport", "unix"
    };
    assertThat(run(with(words, "--rounds", "6"))).as(console.err()).isZero();
    assertThat(console.out()).contains("1 MiB in all, 6 rounds", "piece  count", "fastest", "64  ");
    assertThat(run(with(words, "--rounds", "6", "--format", "json"))).as(console.err()).isZero();
    Fields answer = json("bench-pieces.json");
    assertThat(answer.objects("rows").stream().map(it -> it.number("count")))
        .containsExactly(1L, 4L, 16L, 64L);
    Fields whole = answer.objects("rows").getFirst();
    assertThat(whole.decimal("ratio", 0)).isEqualTo(1);
    assertThat(answer.objects("rows")).allMatch(it -> it.number("wrong") == 0);
    assertThat(console.out()).contains(answer.text("verdict"));
    assertThat(warmup(answer)).as("a call of a cold rank is not what it will be").isEqualTo("auto");
    assertThat(run(with(words, "--rounds", "1", "--warmup", "3", "--format", "json"))).isZero();
    assertThat(warmup(json("bench-pieces.json"))).as("the user's word").isEqualTo("3");
  }

  @Test
  void everyAnswerIsKeptDrawnAndWrittenForSpreadsheets() throws Exception {
    String ledger = folder.resolve("ledger").toString();
    String few = folder.resolve("few.svg").toString();
    String[] keep = {"--rounds", "1", "--iters", "2", "--save", "--ledger", ledger};
    String[] pieces = {
      "latency-comp", "--total", "256K", "--smallest", "64K", "--transport", "tcp"
    };
    assertThat(run(with(with(pieces, keep), "--label", "pieces", "--svg", few)))
        .as(console.err())
        .isZero();
    assertThat(console.err()).contains("kept as");
    assertThat(Files.readString(Path.of(few))).startsWith("<svg").contains("of 256 KiB");
    assertThat(run(with(with(new String[] {"done-flag"}, keep), "--format", "csv"))).isZero();
    assertThat(console.out().lines().toList()).hasSize(4);
    assertThat(console.out()).contains("all_gather,shm object,int32,2,");
    String[] sweep = {"sweep", "--transport", "tcp", "--streams", "1,2", "--sizes", "4K"};
    assertThat(run(with(with(sweep, keep), "--format", "csv"))).as(console.err()).isZero();
    assertThat(console.out()).contains("tcp doubling,float", "tcp doubling with 2 streams,float");
    String[] pairs = {"pairs", "--ranks", "3", "--exchanges", "20", "--seconds", "0.1"};
    assertThat(run(with(pairs, "--save", "--ledger", ledger, "--format", "csv"))).isZero();
    assertThat(console.out().lines().filter(it -> it.startsWith("bandwidth,tcp 0 - "))).hasSize(2);
    console = new TestConsole();
    assertThat(console.run("bench", "list", "--ledger", ledger)).isZero();
    assertThat(console.out().lines().filter(it -> it.contains("holdfast"))).hasSize(4);
    console = new TestConsole();
    assertThat(console.run("bench", "show", "pieces", "--ledger", ledger)).isZero();
    assertThat(console.out()).contains("all_reduce tcp ring of 256 KiB float");
    assertThat(run("pairs", "--blame", "--save")).isEqualTo(2);
    assertThat(run("pairs", "--blame", "--format", "csv")).isEqualTo(2);
    assertThat(run("sweep", "--label", "x")).isEqualTo(2);
    assertThat(console.err()).contains("add --save");
  }

  private static String warmup(Fields answer) {
    return answer.object("manifest").object("facts").text("warmup");
  }

  @Test
  void threeWaysToAskWhetherAnybodyIsDone() throws Exception {
    assertThat(
            run("done-flag", "--ranks", "3", "--iters", "20", "--rounds", "2", "--format", "json"))
        .as(console.err())
        .isZero();
    Fields answer = json("bench-doneflag.json");
    List<Fields> ways = answer.objects("ways");
    assertThat(ways.stream().map(it -> it.text("way")))
        .containsExactly("gather an object", "gather a tensor", "reduce a number");
    assertThat(ways).allMatch(it -> it.number("wrong") == 0);
    assertThat(ways.getLast().decimal("ratio", 0)).isEqualTo(1);
    assertThat(warmup(answer)).isEqualTo("auto");
    assertThat(run("done-flag", "--iters", "20", "--rounds", "1", "--transport", "tcp")).isZero();
    assertThat(console.out()).contains("Here gathering a flag as an object takes");
  }

  @Test
  void everyCombinationIsTriedAndTheBestIsNamed() throws Exception {
    assertThat(
            run(
                "sweep",
                "--transport",
                "tcp,shm",
                "--streams",
                "1,2",
                "--sizes",
                "4K,64K",
                "--iters",
                "3",
                "--rounds",
                "2",
                "--format",
                "json"))
        .as(console.err())
        .isZero();
    Fields answer = json("bench-sweep.json");
    assertThat(answer.objects("settings").stream().map(it -> it.text("setting")))
        .containsExactly("tcp, 2 ranks", "tcp with 2 streams, 2 ranks", "shm, 2 ranks");
    assertThat(answer.objects("best").stream().map(it -> it.number("bytes")))
        .containsExactly(4096L, 65536L);
    assertThat(run("sweep", "--transport", "shm", "--sizes", "4K", "--iters", "3", "--rounds", "1"))
        .isZero();
    assertThat(console.out()).contains("Best here: shm, 2 ranks at 4 KiB.");
  }

  @Test
  void aPictureATableAndRowsForOtherPrograms() throws Exception {
    Path picture = folder.resolve("net.svg");
    String[] words = {
      "p2p", "-b", "8", "-e", "4K", "-f", "8", "-n", "3", "--rounds", "2", "--transport", "unix"
    };
    assertThat(run(with(words, "--svg", picture.toString()))).as(console.err()).isZero();
    assertThat(console.out()).contains("messages  algorithm", "(M/s)", "with 50 % (2 rounds");
    assertThat(Files.readString(picture)).startsWith("<svg").contains("Time of small calls");
    assertThat(run(with(words, "--format", "csv"))).isZero();
    assertThat(console.out().lines().toList()).hasSize(13);
    assertThat(console.out()).startsWith("collective,variant,type,ranks,bytes,timeSeconds,");
  }

  @Test
  void noAgentIsToldWhatRanksOfOtherHostsMeasured() throws Exception {
    Path file = Files.writeString(folder.resolve("hosts"), "n1\nn2\n");
    for (String[] elsewhere :
        new String[][] {
          {"--hosts", "n1,n2"},
          {"--hostfile", file.toString()},
          {"--rdzv", "127.0.0.1:29400", "--nnodes", "2"}
        }) {
      String[] words = {"all_reduce", "--report", "--fail-below", "40"};
      assertThat(run(with(words, elsewhere))).isEqualTo(2);
      assertThat(console.err().replaceAll("\\s+", " "))
          .contains("--report tells the agent of this node of this node alone", "pairs --blame");
    }
  }

  @Test
  void whatCannotBeJudgedIsPrintedAllTheSame() throws Exception {
    String ledger = folder.resolve("ledger").toString();
    String[] little = {
      "-b", "4K", "-e", "4K", "-n", "2", "-w", "1", "--rounds", "1", "--transport", "unix"
    };
    String[] kept = {"all_gather", "--save", "--label", "other", "--ledger", ledger};
    assertThat(run(with(kept, little))).as(console.err()).isZero();
    assertThat(new TestConsole().run("bench", "baseline", "set", "other", "--ledger", ledger))
        .isZero();
    String[] compared = {"all_reduce", "--fail-below", "0.9x", "--ledger", ledger};
    assertThat(run(with(compared, little))).isEqualTo(2);
    assertThat(console.err()).contains("measured nothing of this");
    assertThat(console.out()).contains("4096          1024     float     sum");
    String[] expected = {"barrier", "--expect", "h100-ndr400", "--format", "json"};
    assertThat(run(with(expected, little))).isEqualTo(2);
    assertThat(console.err()).contains("says nothing about what was measured");
    assertThat(Fields.of("run", Json.object(console.out())).objects("results")).hasSize(1);
  }

  @Test
  void whatCannotBeAnsweredIsSaidBeforeAnythingStarts() {
    assertThat(run("all_reduce", "--svg", folder.resolve("gone/net.svg").toString())).isEqualTo(3);
    assertThat(console.err()).contains("gone is no folder to write to");
    assertThat(run("barrier", "--svg", folder.resolve("net.svg").toString())).isEqualTo(2);
    assertThat(run("all_reduce", "--report")).isEqualTo(2);
    assertThat(console.err()).contains("--expect or --fail-below");
    assertThat(run("all_reduce", "--fail-below", "much")).isEqualTo(2);
    assertThat(run("all_reduce", "--expect", "h100-ndr40")).isEqualTo(2);
    assertThat(run("latency-comp", "--total", "1K")).isEqualTo(2);
    assertThat(run("sweep", "barrier")).isEqualTo(2);
    assertThat(run("sweep", "--transport", "rdma")).isEqualTo(2);
  }
}
