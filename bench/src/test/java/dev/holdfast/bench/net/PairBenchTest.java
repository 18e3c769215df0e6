package dev.holdfast.bench.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.bench.net.PairFleet.Two;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is measured with whom, and how it is shown. */
class PairBenchTest {
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 7, 8, 17, 64})
  void eachMeetsEachOnceAndNobodyTwiceAtATime(int ranks) {
    List<List<Two>> rounds = PairBench.rounds(ranks);
    Set<Two> all = new HashSet<>();
    for (List<Two> round : rounds) {
      Set<Integer> busy = new HashSet<>();
      for (Two pair : round) {
        assertThat(all.add(pair)).as(pair.toString()).isTrue();
        assertThat(busy.add(pair.first()) && busy.add(pair.second())).as(round.toString()).isTrue();
      }
    }
    assertThat(all).hasSize(ranks * (ranks - 1) / 2);
    assertThat(rounds).hasSize(ranks - 1 + ranks % 2);
  }

  private static PairReport report(int ranks) {
    List<String> hosts = new ArrayList<>();
    List<PairResult> results = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      hosts.add("gpu%03d".formatted(rank));
    }
    for (List<Two> round : PairBench.rounds(ranks)) {
      for (Two pair : round) {
        results.add(
            pair.equals(new Two(0, 1))
                ? PairResult.failed(0, 1, "gpu001 takes no part: no route to host")
                : new PairResult(
                    pair.first(),
                    pair.second(),
                    pair.second() == 2 ? 4 : 10,
                    11e-6,
                    30e-6,
                    pair.second() == 2 ? 9 : 0,
                    0,
                    200,
                    ""));
      }
    }
    PairPlan plan = new PairPlan(ranks, Transport.TCP, 1, 32 << 10, 200, 0.5, false, 15);
    return new PairReport(plan, PairReport.names(hosts, ranks), List.of(), results);
  }

  @Test
  void fewRanksAreShownInFigures() {
    assertThat(PairText.of(report(5), 100))
        .isEqualTo(
            """
            GB/s above the diagonal, latency in µs below

                    gpu000  gpu001  gpu002  gpu003  gpu004
            gpu000       ·  failed    4.00   10.00   10.00
            gpu001  failed       ·    4.00   10.00   10.00
            gpu002      11      11       ·   10.00   10.00
            gpu003      11      11      11       ·   10.00
            gpu004      11      11      11      11       ·

            Median of 10 pairs: 10.00 GB/s, 11 µs

            gpu000 - gpu001: failed: gpu001 takes no part: no route to host
            gpu000 - gpu002: 4.00 GB/s, 40 % of the median; 9 of 200 exchanges waited for something lost
            gpu001 - gpu002: 4.00 GB/s, 40 % of the median; 9 of 200 exchanges waited for something lost
            """);
  }

  @Test
  void manyRanksAreShownAsShadesThatFit() {
    String text = PairText.of(report(64), 80);
    assertThat(text.lines().mapToInt(String::length).max().orElse(0)).isLessThanOrEqualTo(100);
    assertThat(text).contains("gpu000  ·x░███").contains("gpu002  ░░·███");
  }

  @Test
  void thePictureNamesEveryPair() {
    String svg = PairSvg.of(report(8), "Every pair");
    assertThat(svg)
        .startsWith("<svg xmlns")
        .endsWith("</svg>\n")
        .contains("gpu000 - gpu002: 4.00 GB/s, 11.0 µs, 9 of 200 exchanges stalled")
        .contains("gpu000 - gpu001: gpu001 takes no part: no route to host");
    assertThat(svg.split("<rect x=", -1)).hasSize(1 + 64 + 6);
  }

  @Test
  void thePictureOfFewRanksIsAsWideAsItsTitle() {
    String title = "Every pair of 2 ranks on this machine over tcp";
    Matcher width = Pattern.compile("width=\"([0-9.]+)\"").matcher(PairSvg.of(report(2), title));
    assertThat(width.find()).isTrue();
    // Bold letters of 16 pixels are 9 to 10 wide; there is an edge at both sides.
    assertThat(Double.parseDouble(width.group(1))).isGreaterThan(9.5 * title.length() + 40);
  }

  private static PairResult pair(int first, double speed, double stalled) {
    return new PairResult(first, first + 1, speed, 1e-5, 2e-5, 0, stalled, 200, "");
  }

  @Test
  void whatIsSlowHasASecondTryAndTheBetterOneCounts() {
    PairResult failed = PairResult.failed(8, 9, "no route");
    List<PairResult> first =
        List.of(pair(0, 10, 0), pair(2, 4, 0), pair(4, 10, 5), pair(6, 9, 0), failed);
    assertThat(PairTrial.slow(first, 0.5))
        .as("a slow stream, and one whose exchanges stalled")
        .containsExactly(PairFleet.Two.of(2, 3), PairFleet.Two.of(4, 5));
    List<PairResult> again = List.of(pair(2, 9.5, 0), pair(4, 10, 6));
    assertThat(PairTrial.better(first, again, 0.5))
        .containsExactly(first.getFirst(), again.getFirst(), first.get(2), first.get(3), failed);
    assertThat(PairTrial.better(first, List.of(PairResult.failed(2, 3, "cut")), 0.5))
        .isEqualTo(first);
  }

  @Test
  void whereNothingGotThroughNothingIsSlow() {
    assertThat(PairTrial.slow(List.of(PairResult.failed(0, 1, "no route")), 0.5)).isEmpty();
  }

  @Test
  void severalRanksOfAHostAreNumbered() {
    assertThat(PairReport.names(List.of("a", "a", "b"), 3)).containsExactly("a:0", "a:1", "b");
    assertThat(PairReport.names(List.of(), 2)).containsExactly("0", "1");
  }
}
