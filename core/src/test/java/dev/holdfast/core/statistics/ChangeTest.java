package dev.holdfast.core.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A change that is there is told, one that is not is not. */
class ChangeTest {
  private static final int COMPARISONS = 1000;

  private static double[] rounds(Random random, int count, double middle, double noise) {
    double[] rounds = new double[count];
    for (int i = 0; i < count; i++) {
      rounds[i] = middle * (1 + noise * random.nextGaussian());
    }
    return rounds;
  }

  private static int told(int rounds, double loss, double noise, long seed) {
    Random random = new Random(seed);
    int told = 0;
    for (int i = 0; i < COMPARISONS; i++) {
      Change change =
          Change.between(
              rounds(random, rounds, 40, noise), rounds(random, rounds, 40 * (1 - loss), noise));
      told += change.told() && change.ratio() < 1 ? 1 : 0;
      if (loss == 0 && change.told() && change.ratio() > 1) {
        told++;
      }
    }
    return told;
  }

  @ParameterizedTest
  @ValueSource(ints = {5, 9, 20, 60})
  void theSameThingIsNotToldApart(int rounds) {
    assertThat(told(rounds, 0, 0.01, 1)).isLessThanOrEqualTo(COMPARISONS / 50);
    assertThat(told(rounds, 0, 0.20, 2)).isLessThanOrEqualTo(COMPARISONS / 50);
  }

  @ParameterizedTest
  @ValueSource(ints = {5, 9, 20, 60})
  void aLossOfFivePercentIsToldAtOnePercentOfNoise(int rounds) {
    assertThat(told(rounds, 0.05, 0.01, 3)).isGreaterThanOrEqualTo(COMPARISONS * 97 / 100);
  }

  @Test
  void aDifferenceTooSmallToMatterIsNoneHoweverSureItIs() {
    double[] first = rounds(new Random(4), 60, 40, 0.0001);
    double[] second = rounds(new Random(5), 60, 39.9, 0.0001);
    Change change = Change.between(first, second);
    assertThat(change.chance()).isLessThan(1e-6);
    assertThat(change.told()).isFalse();
  }

  @Test
  void theRatioIsFoundWithItsInterval() {
    Change change =
        Change.between(rounds(new Random(6), 20, 40, 0.02), rounds(new Random(7), 20, 30, 0.02));
    assertThat(change.ratio()).isCloseTo(0.75, within(0.02));
    assertThat(change.low()).isLessThan(0.75);
    assertThat(change.high()).isGreaterThan(0.75);
  }

  @Test
  void whatWouldHaveBeenNoticedGrowsWithTheNoise() {
    Random random = new Random(8);
    double quiet = Change.smallestNoticed(rounds(random, 9, 40, 0.01), rounds(random, 9, 40, 0.01));
    double noisy = Change.smallestNoticed(rounds(random, 9, 40, 0.1), rounds(random, 9, 40, 0.1));
    assertThat(quiet).isBetween(0.005, 0.05);
    assertThat(noisy).isBetween(0.05, 0.5).isGreaterThan(quiet * 3);
    assertThat(Change.smallestNoticed(new double[] {1, 2}, new double[] {1, 2})).isNaN();
  }

  @Test
  void aPlantedLossOfTheSizeNamedIsIndeedNoticed() {
    Random random = new Random(9);
    double[] first = rounds(random, 9, 40, 0.03);
    double[] second = rounds(random, 9, 40, 0.03);
    double loss = Change.smallestNoticed(first, second);
    assertThat(told(9, loss * 1.3, 0.03, 10)).isGreaterThanOrEqualTo(COMPARISONS * 9 / 10);
  }
}
