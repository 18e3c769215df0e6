package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.agent.local.LocalPeer;
import dev.holdfast.agent.local.LocalReports;
import dev.holdfast.agent.local.Taken;
import dev.holdfast.core.report.Statement;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.os.process.Heartbeats;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From the text of a benchmark to a verdict, as a person types it. */
class BenchLedgerTest {
  @TempDir Path folder;

  private TestConsole console = new TestConsole();

  private int run(String... words) {
    console = new TestConsole();
    List<String> all = new ArrayList<>(List.of("bench"));
    all.addAll(List.of(words));
    all.addAll(List.of("--ledger", folder.resolve("ledger").toString()));
    return console.run(all.toArray(String[]::new));
  }

  private String hosts = "node1 node2";

  private String log(String name, double busbw) throws IOException {
    String[] host = hosts.split(" ", 2);
    double algbw = busbw / 1.5;
    String text =
        """
        # Collective test starting: all_reduce_perf
        #  Rank  0 Group  0 Pid   7001 on      %4$s device  0 [0000:1b:00] Toy GPU
        #  Rank  1 Group  0 Pid   7002 on      %4$s device  1 [0000:43:00] Toy GPU
        #  Rank  2 Group  0 Pid   4001 on      %5$s device  0 [0000:1b:00] Toy GPU
        #  Rank  3 Group  0 Pid   4002 on      %5$s device  1 [0000:43:00] Toy GPU
        #       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
          1048576000     262144000     float     sum      -1  %1$.1f  %2$.2f  %3$.2f      0  %1$.1f  %2$.2f  %3$.2f      0
        """
            .formatted(1048.576e6 / algbw / 1e3, algbw, busbw, host[0], host[1])
            .replace(',', '.');
    Path file = folder.resolve(name);
    Files.writeString(file, String.format(Locale.ROOT, "%s", text));
    return file.toString();
  }

  private void keep(String label, double... rounds) throws IOException {
    List<String> words = new ArrayList<>(List.of("import", "--rounds", "--label", label));
    for (int i = 0; i < rounds.length; i++) {
      words.add(log(label + i + ".log", rounds[i]));
    }
    assertThat(run(words.toArray(String[]::new))).as(console.err()).isZero();
  }

  @Test
  void anImportIsShownAndKept() throws IOException {
    assertThat(run("import", log("one.log", 30))).as(console.err()).isZero();
    assertThat(console.out()).contains("nccl-tests on node1, node2, kept as ", "30.00");
    assertThat(run("list")).isZero();
    assertThat(console.out()).contains("nccl-tests", "all_reduce", "30.00 GB/s");
    assertThat(run("show")).isZero();
    assertThat(console.out()).contains("hosts: node1, node2", "device: Toy GPU");
  }

  @Test
  void aDryRunKeepsNothing() throws IOException {
    assertThat(run("import", "--dry-run", log("one.log", 30))).isZero();
    assertThat(console.out()).contains("not kept");
    assertThat(run("list")).isZero();
    assertThat(console.out()).isEmpty();
  }

  @Test
  void aLossIsToldAndFailsAScriptThatAsks() throws IOException {
    keep("monday", 30.0, 30.2, 29.9, 30.1, 30.3);
    keep("tuesday", 26.0, 26.2, 25.9, 26.1, 26.3);
    assertThat(run("diff", "monday", "tuesday")).as(console.err()).isZero();
    assertThat(console.out()).contains("The second run is slower: -13.3 %", "2 slower, 0 faster");
    assertThat(run("diff", "monday", "tuesday", "--fail-below", "0.9x")).isEqualTo(1);
    assertThat(console.out())
        .endsWith(
            "Too little: 0.867 of what it was, by its rounds; at least 0.9x was asked for.\n");
    assertThat(run("diff", "monday", "tuesday", "--fail-below", "0.9x", "--format", "json"))
        .isEqualTo(1);
    assertThat(console.err()).contains("too little: 0.867 of what it was");
    assertThat(run("diff", "monday", "tuesday", "--fail-below", "0.8x")).isZero();
    assertThat(run("diff", "monday", "tuesday", "--fail-below", "28")).isEqualTo(1);
    assertThat(run("diff", "monday", "tuesday", "--fail-below", "20")).isZero();
    assertThat(run("diff", "monday", "tuesday", "--fail-slower")).isEqualTo(1);
    assertThat(run("diff", "monday", "tuesday", "--fail-below", "much")).isEqualTo(2);
    assertThat(run("diff", "tuesday", "monday", "--format", "json")).isZero();
    Fields answer = Fields.of("diff", Json.object(console.out()));
    assertThat(answer.text("verdict")).isEqualTo("faster");
  }

  @Test
  void aLimitThatIsNoneIsRefusedBeforeAnythingIsRead() {
    for (String none : List.of("abc", "x", "-1", "0x", "0", "NaN", "Infinityx")) {
      assertThat(run("diff", "monday", "tuesday", "--fail-below=" + none)).isEqualTo(2);
      assertThat(console.err()).contains("--fail-below: '" + none + "' is");
    }
  }

  @Test
  void theSameThingCannotBeToldApart() throws IOException {
    keep("monday", 30.0, 30.2, 29.9, 30.1, 30.3);
    keep("tuesday", 30.1, 30.0, 30.25, 29.95, 30.15);
    run("baseline", "set", "monday");
    assertThat(console.out()).contains("baseline is 20");
    assertThat(run("diff", "tuesday")).as("with the baseline").isZero();
    assertThat(console.out().replaceAll("\\s+", " "))
        .contains("Cannot tell", "The smallest loss that would have been noticed")
        .as("of two figures, five rounds cannot tell a single one")
        .contains("takes 6 rounds to tell");
    assertThat(run("baseline")).isZero();
    assertThat(console.out()).contains("baseline");
  }

  @Test
  void tooFewRoundsAreSaid() throws IOException {
    keep("monday", 30.0);
    keep("tuesday", 20.0);
    assertThat(run("diff", "monday", "tuesday")).isZero();
    assertThat(console.out()).contains("too few rounds", "fewer than 5 rounds");
  }

  @Test
  void showDiffAndTrendAgreeAboutARunAndTheChangeFollowsFromTheFigures() throws IOException {
    keep("monday", 20.0, 40.0);
    keep("tuesday", 30.0, 42.0);
    assertThat(run("show", "monday")).isZero();
    assertThat(console.out()).contains("30.00");
    assertThat(run("diff", "monday", "tuesday")).as(console.err()).isZero();
    assertThat(console.out())
        .contains("by rounds")
        .containsPattern("30\\.00 GB/s +36\\.00 GB/s +\\+20\\.0 % +\\+27\\.5 %")
        .contains("+27.5 % by its rounds");
    assertThat(run("trend")).as(console.err()).isZero();
    assertThat(console.out()).containsPattern("36\\.00 GB/s +\\+20\\.0 %");
  }

  @Test
  void aTrendShowsEveryRunOfTheSameThing() throws IOException {
    keep("monday", 30.0, 30.2, 29.9, 30.1, 30.3);
    keep("tuesday", 26.0, 26.2, 25.9, 26.1, 26.3);
    assertThat(run("trend")).as(console.err()).isZero();
    assertThat(console.out()).contains("all_reduce", "slower", "█");
    assertThat(run("trend", "--format", "json")).isZero();
    assertThat(Fields.of("trend", Json.object(console.out())).objects("points")).hasSize(2);
  }

  @Test
  void aTrendTellsRacksStreamsAndNoiseApart() throws IOException {
    keep("rack1", 30.0, 30.2, 29.9, 30.1, 30.3);
    Path file = folder.resolve("ledger/runs.jsonl");
    String other = Files.readString(file).strip();
    Files.writeString(
        file,
        other
                .replace("node1", "gpu7")
                .replace("node2", "gpu8")
                .replace("\"facts\":{", "\"facts\":{\"streams\":\"4\",")
                .replace(
                    "\"facts\"",
                    "\"load\":{\"before\":0,\"after\":0,\"othersCores\":1.5,\"stealShare\":0},\"facts\"")
            + "\n",
        java.nio.file.StandardOpenOption.APPEND);
    assertThat(run("trend")).as(console.err()).isZero();
    assertThat(console.out())
        .containsPattern("node1, node2 +█")
        .containsPattern("noisy +gpu7, gpu8, 4 streams +█")
        .containsOnlyOnce("noisy");
    assertThat(run("trend", "--host", "gpu8", "--format", "json")).isZero();
    List<Fields> points = Fields.of("trend", Json.object(console.out())).objects("points");
    assertThat(points).hasSize(1);
    assertThat(points.getFirst().texts("hosts")).containsExactly("gpu7", "gpu8");
    assertThat(points.getFirst().flag("noisy")).isTrue();
    assertThat(run("trend", "--host", "gpu9")).isNotZero();
    assertThat(console.err()).contains("no run of this has the host gpu9");
  }

  @Test
  void aRunIsHeldAgainstWhatSuchNodesShouldGive() throws IOException {
    keep("monday", 30.0);
    assertThat(run("show", "--expect", "h100-ndr400")).as(console.err()).isEqualTo(1);
    assertThat(console.out()).contains("too little: all_reduce", "4 ranks on 2 nodes");
    Path own = folder.resolve("lab.yaml");
    Files.writeString(own, "gpus: 2\nnics: 1\nnicGbps: 200\nscaleUp: 300\n");
    assertThat(run("show", "--expect", own.toString())).as(console.err()).isZero();
    assertThat(console.out()).contains("good: all_reduce");
    assertThat(run("show", "--expect", own.toString(), "--format", "json")).isZero();
    assertThat(Fields.of("run", Json.object(console.out())).objects("judgements")).hasSize(2);
    assertThat(run("show", "--expect", "h100-ndr40")).isEqualTo(2);
    assertThat(console.err()).contains("did you mean h100-ndr400");
    assertThat(run("show", "--expect", "list")).isZero();
    assertThat(console.out()).contains("mi300x-ndr400");
  }

  @Test
  void aRunIsDrawnAndWrittenForOtherPrograms() throws IOException {
    keep("monday", 30.0, 30.2, 29.9, 30.1, 30.3);
    keep("tuesday", 26.0, 26.2, 25.9, 26.1, 26.3);
    Path picture = folder.resolve("run.svg");
    assertThat(run("show", "--svg", picture.toString())).as(console.err()).isZero();
    assertThat(Files.readString(picture)).contains("Bus bandwidth", "on node1, node2");
    assertThat(run("diff", "monday", "tuesday", "--svg", "-")).isZero();
    assertThat(console.out()).startsWith("<svg").contains(">monday", ">tuesday");
    assertThat(run("show", "--format", "csv")).isZero();
    assertThat(console.out().lines().toList()).hasSize(3);
    assertThat(run("show", "--format", "prometheus")).isZero();
    assertThat(console.out())
        .contains(
            "# TYPE holdfast_bench_busbw_bytes_per_second gauge",
            "collective=\"all_reduce\",variant=\"in-place\",type=\"float\",bytes=\"1048576000\","
                + "ranks=\"4\"} 2.6")
        .contains("holdfast_bench_time_seconds ");
  }

  @Test
  void ofOneRoundThereIsNoInterval() throws IOException {
    keep("monday", 30.0);
    assertThat(run("show", "--format", "prometheus")).as(console.err()).isZero();
    assertThat(console.out())
        .contains("holdfast_bench_busbw_bytes_per_second{")
        .doesNotContain("busbw_low_bytes_per_second{", "busbw_high_bytes_per_second{");
    keep("tuesday", 26.0, 26.2);
    assertThat(run("show", "--format", "prometheus")).isZero();
    assertThat(console.out())
        .contains("busbw_low_bytes_per_second{", "busbw_high_bytes_per_second{");
  }

  @Test
  void oneLineIsNoLines() throws IOException {
    keep("monday", 30.0);
    Path runs = folder.resolve("ledger/runs.jsonl");
    Files.writeString(runs, "cut off\n" + Files.readString(runs));
    assertThat(run("list")).isZero();
    assertThat(console.err()).contains("1 line of the ledger cannot be read and is skipped");
  }

  @Test
  void noAgentIsToldOfARunThatOtherHostsTookPartIn() throws IOException {
    keep("monday", 30.0, 30.2, 29.9, 30.1, 30.3);
    keep("tuesday", 26.0, 26.2, 25.9, 26.1, 26.3);
    assertThat(run("diff", "monday", "tuesday", "--fail-slower", "--report")).isEqualTo(2);
    assertThat(console.err().replaceAll("\\s+", " "))
        .contains("was measured on node1, node2", "any of them may be to blame");
    assertThat(console.out()).isEmpty();
    assertThat(run("show", "tuesday", "--expect", "h100-ndr400", "--report")).isEqualTo(2);
    assertThat(console.err()).contains("was measured on node1, node2");
  }

  @Test
  void aLossIsAFindingOfTheAgentWhenAskedAndItsEndAsWell() throws IOException {
    String here = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
    hosts = here + " " + here + ".cluster.example";
    keep("monday", 30.0, 30.2, 29.9, 30.1, 30.3);
    keep("tuesday", 26.0, 26.2, 25.9, 26.1, 26.3);
    Path socket = folder.resolve("agent.sock");
    List<Statement> told = new CopyOnWriteArrayList<>();
    LocalReports.Hearing hearing =
        new LocalReports.Hearing() {
          @Override
          public Taken take(LocalPeer peer, String line) {
            told.add(Statement.of(Fields.of("report", Json.object(line))));
            return told.size() > 2 ? new Taken("not today", "") : Taken.WELL;
          }

          @Override
          public void gone(LocalPeer peer) {}
        };
    String[] words = {
      "diff", "monday", "tuesday", "--report", "--agent-socket", socket.toString(), "--fail-below"
    };
    assertThat(run(and(words, "0.9x"))).as("no agent").isEqualTo(3);
    assertThat(console.err()).contains("HF-1704");
    try (LocalReports _ = LocalReports.open(socket, hearing, new Heartbeats())) {
      assertThat(run(and(words, "0.9x"))).as(console.err()).isEqualTo(1);
      assertThat(run(and(words, "0.8x"))).as(console.err()).isZero();
      assertThat(run(and(words, "0.8x"))).isEqualTo(3);
      assertThat(console.err()).contains("the agent says: not today");
    }
    assertThat(told.get(0))
        .isInstanceOfSatisfying(
            Statement.Raised.class,
            it -> {
              assertThat(it.finding().check()).isEqualTo("bench.net.slow");
              assertThat(it.finding().summary()).contains("0.867 of what it was");
              assertThat(it.finding().evidence().getFirst().source())
                  .startsWith("holdfast bench show 20");
            });
    assertThat(told.get(1))
        .isInstanceOfSatisfying(
            Statement.Cleared.class, it -> assertThat(it.check()).isEqualTo("bench.net.slow"));
    assertThat(run("diff", "monday", "tuesday", "--report")).isEqualTo(2);
  }

  private static String[] and(String[] words, String more) {
    List<String> all = new ArrayList<>(List.of(words));
    all.add(more);
    return all.toArray(String[]::new);
  }

  @Test
  void aBeginningOfSeveralRunsIsAmbiguous() throws IOException {
    keep("monday", 30.0);
    keep("tuesday", 26.0);
    assertThat(run("show", "20")).isEqualTo(2);
    assertThat(console.err()).contains("'20' is ambiguous: 2 runs begin so (20");
    assertThat(run("diff", "20", "last")).isEqualTo(2);
    assertThat(console.err()).contains("ambiguous").doesNotContain("no run");
  }

  @Test
  void aBaselineThatIsNoneCannotBeCleared() throws IOException {
    assertThat(run("baseline", "clear", "nosuch")).isEqualTo(2);
    assertThat(console.err()).contains("no baseline 'nosuch' (there is none)");
    keep("monday", 30.0);
    run("baseline", "set", "last", "rack7");
    assertThat(run("baseline", "clear")).isEqualTo(2);
    assertThat(console.err()).contains("no baseline 'baseline' (there are: rack7)");
    assertThat(run("baseline", "clear", "rack7")).as(console.err()).isZero();
  }

  @Test
  void whatIsWrongIsSaid() throws IOException {
    Path file = folder.resolve("x.txt");
    Files.writeString(file, "hello");
    assertThat(run("import", file.toString())).isEqualTo(2);
    assertThat(console.err()).contains("HF-1702", "not the output of a benchmark known here");
    assertThat(run("import", folder.resolve("gone").toString())).isEqualTo(2);
    assertThat(console.err()).contains("HF-1005");
    assertThat(run("show", "nothing")).isEqualTo(2);
    assertThat(console.err()).contains("HF-1703");
  }
}
