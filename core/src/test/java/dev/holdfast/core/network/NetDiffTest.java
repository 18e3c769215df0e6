package dev.holdfast.core.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Two runs compared: what is the same is not told apart, what is planted is found. */
class NetDiffTest {
  private static final int COMPARISONS = 100;

  /** Rounds share a part of their noise over all sizes, as rounds of one process do. */
  private static List<NetResult> run(Random random, int rounds, double speed, double noise) {
    double[] shared = new double[rounds];
    for (int i = 0; i < rounds; i++) {
      shared[i] = noise * 0.7 * random.nextGaussian();
    }
    List<NetResult> results = new ArrayList<>();
    for (int size = 16; size <= 28; size++) {
      double[] seconds = new double[rounds];
      for (int i = 0; i < rounds; i++) {
        double own = noise * 0.7 * random.nextGaussian();
        seconds[i] = (1e-5 + (1L << size) / 10e9) / (speed * (1 + shared[i] + own));
      }
      results.add(
          NetResult.of(
              Collective.ALL_REDUCE, "", 1L << size, 4, "float", Latency.of(seconds), 0, seconds));
    }
    return results;
  }

  private static int count(Verdict wanted, int rounds, double loss, double noise) {
    Random random = new Random(7);
    int count = 0;
    for (int i = 0; i < COMPARISONS; i++) {
      NetDiff diff =
          NetDiff.between(run(random, rounds, 1, noise), run(random, rounds, 1 - loss, noise));
      count += diff.verdict() == wanted ? 1 : 0;
    }
    return count;
  }

  @Test
  void twoRunsOfTheSameThingCannotBeToldApart() {
    assertThat(count(Verdict.CANNOT_TELL, 9, 0, 0.01)).isGreaterThanOrEqualTo(95);
    assertThat(count(Verdict.CANNOT_TELL, 5, 0, 0.01)).isGreaterThanOrEqualTo(95);
    assertThat(count(Verdict.CANNOT_TELL, 9, 0, 0.15)).isGreaterThanOrEqualTo(95);
  }

  @Test
  void aLossOfFivePercentIsToldAtOnePercentOfNoise() {
    assertThat(count(Verdict.SLOWER, 9, 0.05, 0.01)).isGreaterThanOrEqualTo(95);
    assertThat(count(Verdict.SLOWER, 5, 0.05, 0.01)).isGreaterThanOrEqualTo(95);
  }

  @Test
  void inLoudNoiseNobodyCanTellAndTheSmallestLossIsNamed() {
    Random random = new Random(2);
    NetDiff diff = NetDiff.between(run(random, 9, 1, 0.2), run(random, 9, 0.97, 0.2));
    assertThat(diff.verdict()).isEqualTo(Verdict.CANNOT_TELL);
    assertThat(diff.smallest()).isBetween(0.1, 0.8);
  }

  @Test
  void aLossAtOneSizeIsFoundThere() {
    Random random = new Random(3);
    List<NetResult> before = run(random, 9, 1, 0.01);
    List<NetResult> after = new ArrayList<>(run(random, 9, 1, 0.01));
    after.set(4, run(random, 9, 0.6, 0.01).get(4));
    NetDiff diff = NetDiff.between(before, after);
    assertThat(diff.verdict()).isEqualTo(Verdict.SLOWER);
    assertThat(diff.rows().stream().filter(it -> it.verdict() == Verdict.SLOWER))
        .singleElement()
        .satisfies(it -> assertThat(it.change().ratio()).isCloseTo(0.6, within(0.03)));
  }

  @Test
  void oneRoundTellsNothing() {
    Random random = new Random(4);
    NetDiff diff = NetDiff.between(run(random, 1, 1, 0), run(random, 1, 0.5, 0));
    assertThat(diff.verdict()).isEqualTo(Verdict.CANNOT_TELL);
    assertThat(diff.ratio()).isCloseTo(0.5, within(1e-9));
    assertThat(diff.smallest()).isNaN();
  }

  @Test
  void moreTimeIsSlower() {
    double[] fast = {1.00, 1.01, 1.02, 1.03, 1.04, 1.05};
    double[] slow = {2.00, 2.01, 2.02, 2.03, 2.04, 2.05};
    NetResult before = NetResult.of(Collective.BARRIER, "", 0, 4, "", Latency.of(fast), -1, fast);
    NetResult after = NetResult.of(Collective.BARRIER, "", 0, 4, "", Latency.of(slow), -1, slow);
    NetDiff diff = NetDiff.between(List.of(before), List.of(after));
    assertThat(diff.verdict()).isEqualTo(Verdict.SLOWER);
    assertThat(diff.ratio()).isCloseTo(0.5, within(0.02));
  }

  @Test
  void aRunHasTheFigureItWasPrintedWithAndTheChangeFollowsFromBoth() {
    NetResult before = bandwidth(1e-3, 3e-3);
    NetResult after = bandwidth(1e-3, 1.5e-3);
    NetDiff.Row row = NetDiff.between(List.of(before), List.of(after)).rows().getFirst();
    assertThat(row.first()).as("of the median time").isEqualTo(before.busbw());
    assertThat(row.second()).isEqualTo(after.busbw());
    assertThat(row.ratio()).isCloseTo(1.6, within(1e-9));
    assertThat(row.change().ratio()).as("the middle of pairs").isCloseTo(1.5, within(1e-9));
    assertThat(row.tree()).containsEntry("ratioOfFigures", row.ratio());
  }

  private static NetResult bandwidth(double... seconds) {
    return NetResult.of(
        Collective.ALL_REDUCE, "", 1 << 20, 2, "float", Latency.of(seconds), 0, seconds);
  }

  @Test
  void theFigureOfATimeIsTheMedianOfItsRounds() {
    double[] rounds = {1.0, 2.0, 4.0};
    NetResult barrier =
        NetResult.of(Collective.BARRIER, "", 0, 4, "", Latency.of(0.5, 0.6, 9), -1, rounds);
    NetDiff.Row row = NetDiff.between(List.of(barrier), List.of(barrier)).rows().getFirst();
    assertThat(barrier.shown()).isEqualTo(2.0);
    assertThat(row.first()).isEqualTo(barrier.shown());
    assertThat(row.ratio()).isEqualTo(1.0);
  }

  @Test
  void whatOnlyOneRunHasIsNotCompared() {
    Random random = new Random(5);
    List<NetResult> all = run(random, 5, 1, 0.01);
    assertThat(NetDiff.between(all, all.subList(0, 3)).rows()).hasSize(3);
    assertThat(NetDiff.between(all, List.of()).verdict()).isEqualTo(Verdict.CANNOT_TELL);
  }

  @Test
  void whereSoManySizesNeedMoreRoundsNoSmallestLossOfOneIsNamed() {
    Random random = new Random(6);
    NetDiff five = NetDiff.between(run(random, 5, 1, 0.01), run(random, 5, 1, 0.01));
    assertThat(five.verdict()).isEqualTo(Verdict.CANNOT_TELL);
    assertThat(five.rows())
        .hasSize(13)
        .allMatch(NetDiff.Row::tooFewRounds)
        .allMatch(it -> it.roundsNeeded() == 7)
        .allMatch(it -> Double.isNaN(it.smallest()));
    assertThat(five.smallest()).as("a loss at all sizes").isBetween(0.005, 0.1);
    NetDiff seven = NetDiff.between(run(random, 7, 1, 0.01), run(random, 7, 1, 0.01));
    assertThat(seven.verdict()).isEqualTo(Verdict.CANNOT_TELL);
    assertThat(seven.rows()).noneMatch(NetDiff.Row::tooFewRounds);
  }

  @Test
  void theSmallestLossOfOneSizeIsIndeedNoticedAmongAllOthers() {
    Random random = new Random(8);
    NetDiff same = NetDiff.between(run(random, 9, 1, 0.01), run(random, 9, 1, 0.01));
    assertThat(same.verdict()).isEqualTo(Verdict.CANNOT_TELL);
    double loss = same.rows().get(4).smallest();
    int noticed = 0;
    for (int i = 0; i < COMPARISONS; i++) {
      List<NetResult> before = run(random, 9, 1, 0.01);
      List<NetResult> after = new ArrayList<>(run(random, 9, 1, 0.01));
      after.set(4, run(random, 9, 1 - 1.3 * loss, 0.01).get(4));
      NetDiff diff = NetDiff.between(before, after);
      noticed += diff.rows().get(4).verdict() == Verdict.SLOWER ? 1 : 0;
    }
    assertThat(noticed).isGreaterThanOrEqualTo(90);
  }
}
