package dev.holdfast.bench.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.core.network.Collective;
import dev.holdfast.core.network.NetResult;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Logs of nccl-tests as people have them: several runs, cut lists, labels, old generations. */
class NcclTestsTextTest {
  private static final String HEADING =
      "#       size         count      type   redop    root     time   algbw   busbw #wrong"
          + "     time   algbw   busbw #wrong\n";

  private static Imported read(String text, Hints hints) {
    return Importers.read(new Log("stdin", text), Optional.empty(), hints);
  }

  private static Imported read(String text) {
    return read(text, Hints.NONE);
  }

  private static Hints ranks(int count) {
    return new Hints(OptionalInt.of(count), Optional.of(Collective.ALL_REDUCE));
  }

  private static String ranks(int from, int to) {
    return IntStream.rangeClosed(from, to)
        .mapToObj(
            "#  Rank %2d Group  0 Pid   7001 on  node1 device  0 [0000:1b:00] GPU\n"::formatted)
        .collect(Collectors.joining());
  }

  /** Eight ranks of one node, from 536,870,912 bytes on. */
  private static String run(String program, double algbw, double busbw) {
    double time = 536_870_912 / algbw / 1e3;
    return "# nccl-tests version 2.17.8 nccl-headers=22809 nccl-library=22809\n"
        + "# Collective test starting: "
        + program
        + "\n# nThread 1 nGpus 8 minBytes 536870912 maxBytes 536870912 step: 2(factor)\n"
        + ranks(0, 7)
        + HEADING
        + "   536870912     134217728     float     sum      -1  %.1f  %.2f  %.2f      0  %.1f  %.2f  %.2f      0\n"
            .formatted(time, algbw, busbw, time, algbw, busbw);
  }

  @Test
  void runsOneAfterTheOtherAreReadEachByItself() {
    Imported imported =
        read(run("all_reduce_perf", 92.08, 161.14) + run("alltoall_perf", 92.08, 80.57));
    assertThat(imported.results()).hasSize(4).allMatch(it -> it.ranks() == 8);
    assertThat(imported.results())
        .extracting(NetResult::collective)
        .containsOnly(Collective.ALL_REDUCE, Collective.ALL_TO_ALL);
    assertThat(imported.results().getFirst().busbw()).isCloseTo(161.14, within(0.01));
    assertThat(imported.results().getLast().busbw()).isCloseTo(80.57, within(0.01));
    assertThat(imported.notes()).isEmpty();
  }

  /** As rccl-tests begins, without a line of its version. */
  @Test
  void theNameOfTheNextRunIsNotThatOfTheLast() {
    String first = run("all_reduce_perf", 92.08, 161.14);
    Imported imported =
        read(
            first.lines().skip(2).collect(Collectors.joining("\n", "", "\n"))
                + run("alltoall_perf", 92.08, 80.57)
                    .lines()
                    .skip(1)
                    .collect(Collectors.joining("\n", "", "\n")));
    assertThat(imported.results())
        .extracting(NetResult::collective)
        .containsExactly(
            Collective.ALL_REDUCE,
            Collective.ALL_REDUCE,
            Collective.ALL_TO_ALL,
            Collective.ALL_TO_ALL);
    assertThat(imported.notes())
        .containsExactly("all_reduce, as the ratio of busbw to algbw tells");
  }

  @Test
  void theSameRunTwiceIsOneRoundOfTheSameRanks() {
    String run = run("all_reduce_perf", 92.08, 161.14);
    Imported imported = read(run + run);
    assertThat(imported.results()).hasSize(2).allMatch(it -> it.ranks() == 8);
    assertThat(imported.results().getFirst().busbw()).isCloseTo(161.14, within(0.01));
  }

  /** Of a rack of 72: rank 71 alone was posted, with 297.16 and 586.06 GB/s. */
  @Test
  void aPartOfTheListOfRanksIsNotTheirNumber() {
    String text =
        ranks(71, 71)
            + HEADING
            + "   536870912     134217728     float     sum      -1  1806.7  297.16  586.06      0  1806.7  297.16  586.06      0\n";
    assertThatThrownBy(
            () -> read(text, new Hints(OptionalInt.empty(), Optional.of(Collective.ALL_REDUCE))))
        .hasMessage(
            "lists some of its ranks only, or several processes of one rank each: give --ranks N");
    assertThat(read(text, ranks(72)).results()).hasSize(2).allMatch(it -> it.ranks() == 72);
    assertThat(read(text, ranks(72)).notes()).isEmpty();
  }

  @Test
  void processesThatKnowNothingOfEachOtherAreNotCountedAsRanks() {
    assertThatThrownBy(
            () ->
                read(
                    ranks(0, 0)
                        + ranks(0, 0)
                        + "# Collective test starting: all_reduce_perf\n"
                        + HEADING
                        + "   536870912     134217728     float     sum      -1  1806.7  297.16    0.00      0  1806.7  297.16    0.00      0\n"))
        .hasMessageContaining("several processes");
  }

  @Test
  void theLastLineOrTheCommandTellsWhichOneItWas() {
    String row =
        "     2097152        524288     float     sum      -1    79.71   26.31   46.04      0    79.26   26.46   46.30      0\n";
    assertThat(
            read(ranks(0, 7) + HEADING + row + "# Collective test concluded: all_reduce_perf\n")
                .results())
        .allMatch(it -> it.collective() == Collective.ALL_REDUCE);
    assertThat(read("$ ./build/reduce_scatter_perf -g 8\n" + ranks(0, 7) + HEADING + row).results())
        .allMatch(it -> it.collective() == Collective.REDUCE_SCATTER);
    String listed = "all_gather_perf  all_reduce_perf\n";
    assertThatThrownBy(
            () ->
                read(
                    listed + HEADING + row.replace("sum", "none"),
                    new Hints(OptionalInt.of(8), Optional.empty())))
        .as("two names tell nothing")
        .hasMessageContaining("give --collective");
  }

  /** As an 8-GPU node printed it, with one half of the columns. */
  @Test
  void aTableOfOneHalfHasItsCountOfWrongValues() {
    Imported imported =
        read(
            ranks(0, 7)
                + "#       size    count   type  redop  root   time   algbw   busbw  #wrong\n"
                + "  34359738368 8589934592  float   sum    -1  875713  39.24   68.66       3\n"
                + "# Collective test concluded: all_reduce_perf\n");
    NetResult only = imported.results().getFirst();
    assertThat(imported.results()).hasSize(1);
    assertThat(only.wrong()).isEqualTo(3);
    assertThat(only.busbw()).isCloseTo(68.66, within(0.01));
  }

  @Test
  void theFirstGenerationTellsMilliseconds() {
    Imported imported =
        read(
            """
            #                                            out-of-place                    in-place
            #  bytes             N    type      op     time  algbw  busbw      res     time  algbw  busbw      res
            10000000      10000000    char     sum    0.064  157.38   0.00    0e+00    0.005  2083.77   0.00    0e+00
            10000000      10000000    char    prod    0.062  160.55   0.00    0e+00    0.005  2183.88   0.00    0e+00
            """,
            ranks(1));
    assertThat(imported.results()).hasSize(4);
    assertThat(imported.results())
        .extracting(NetResult::variant)
        .containsExactlyInAnyOrder(
            "out-of-place", "in-place", "out-of-place prod", "in-place prod");
    NetResult sum =
        imported.results().stream()
            .filter(it -> it.variant().equals("out-of-place"))
            .findFirst()
            .orElseThrow();
    assertThat(sum.latency().mean()).isCloseTo(64e-6, within(1e-9));
    assertThat(sum.wrong()).isZero();
  }

  @Test
  void whatOthersPutBeforeTheLinesIsTakenOff() {
    String text = run("all_reduce_perf", 92.08, 161.14);
    for (String label :
        List.of(
            " 0: ",
            "2026-02-16T10:00:02.000000000Z ",
            "2026-02-16T10:00:02.123Z stdout F ",
            "[node-fbc1:0]:",
            "[default0]:",
            "[1,0]<stdout>:",
            "> ",
            "    ")) {
      Imported imported =
          read(text.lines().map(it -> label + it + "\n").collect(Collectors.joining()));
      assertThat(imported.results()).as(label).hasSize(2).allMatch(it -> it.ranks() == 8);
    }
  }

  @Test
  void bandwidthsThatDoNotFollowFromSizeAndTimeAreToldOnce() {
    String row =
        "   %d     134217728     float     sum      -1  1806.7  10.00  17.50      0  1806.7  10.00  17.50      0\n";
    Imported imported =
        read(
            "# Collective test starting: all_reduce_perf\n"
                + ranks(0, 7)
                + HEADING
                + row.formatted(536_870_912)
                + row.formatted(268_435_456));
    assertThat(imported.notes())
        .hasSize(2)
        .anyMatch(it -> it.startsWith("size and time give other bandwidths"))
        .contains("so it is with 4 figures");
  }

  @Test
  void anotherBenchmarkInTheSameFileIsNotDroppedWithoutAWord() {
    Imported imported =
        read(
            run("all_reduce_perf", 92.08, 161.14)
                + """
                # OSU MPI Latency Test v5.8
                # Size          Latency (us)
                8                       0.46
                """);
    assertThat(imported.tool()).isEqualTo("nccl-tests");
    assertThat(imported.notes())
        .containsExactly(
            "there is output of osu as well, which is not read: import it with --from osu");
  }
}
