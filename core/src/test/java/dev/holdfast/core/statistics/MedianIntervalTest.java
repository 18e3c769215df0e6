package dev.holdfast.core.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The interval holds the median as often as it says, whatever the noise is like. */
class MedianIntervalTest {
  private static final int TRIALS = 20_000;

  /** Three standard deviations of a share near 0.95 that is counted so often. */
  private static final double LUCK = 0.005;

  @ParameterizedTest
  @ValueSource(ints = {6, 7, 9, 12, 20, 41})
  void itHoldsTheMedianAtLeastAsOftenAsWanted(int rounds) {
    Random random = new Random(rounds);
    requireCoverage(rounds, 10, () -> 10 + random.nextGaussian());
    requireCoverage(rounds, 1, () -> Math.exp(1.5 * random.nextGaussian()));
    // Two kinds of rounds, six in ten fast: a sixth of the fast ones are below the median.
    double median = 9 + 0.1 / 0.6;
    requireCoverage(
        rounds,
        median,
        () -> random.nextDouble() < 0.4 ? 3 + random.nextDouble() : 9 + random.nextDouble());
  }

  private static void requireCoverage(int rounds, double median, DoubleSupplier noise) {
    int held = 0;
    double told = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
      double[] values = new double[rounds];
      for (int i = 0; i < rounds; i++) {
        values[i] = noise.getAsDouble();
      }
      MedianInterval interval = MedianInterval.of(0.95, values);
      told = interval.confidence();
      held += interval.low() <= median && median <= interval.high() ? 1 : 0;
    }
    assertThat(told).isGreaterThanOrEqualTo(0.95);
    assertThat((double) held / TRIALS).as("of " + rounds).isCloseTo(told, within(LUCK));
  }

  @Test
  void fewRoundsSayHowLittleTheyKnow() {
    MedianInterval three = MedianInterval.of(0.95, 3, 1, 2);
    assertThat(three).isEqualTo(new MedianInterval(1, 3, 0.75));
    assertThat(three.sure()).isFalse();
    assertThat(MedianInterval.of(0.95, 5).confidence()).isZero();
    assertThat(MedianInterval.of(0.95, 1, 2, 3, 4, 5).confidence()).isEqualTo(0.9375);
    assertThat(MedianInterval.of(0.95, 1, 2, 3, 4, 5, 6).sure()).isTrue();
    assertThat(MedianInterval.of(0.95).low()).isNaN();
  }

  @Test
  void manyRoundsLeaveTheWildOnesOut() {
    MedianInterval nine = MedianInterval.of(0.95, 1, 2, 3, 4, 5, 6, 7, 8, 1000);
    assertThat(nine.low()).isEqualTo(2);
    assertThat(nine.high()).isEqualTo(8);
    assertThat(nine.confidence()).isCloseTo(1 - 2 * 10 / 512.0, within(1e-12));
  }
}
