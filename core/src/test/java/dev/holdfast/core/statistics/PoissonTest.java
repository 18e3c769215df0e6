package dev.holdfast.core.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class PoissonTest {
  @Test
  void theUpperBoundIsThatOfTheTables() {
    // Half the 95 % quantile of chi-square with 2(n + 1) degrees of freedom.
    assertThat(Poisson.upper(0, 0.95)).isCloseTo(2.9957, within(1e-4));
    assertThat(Poisson.upper(1, 0.95)).isCloseTo(4.7439, within(1e-4));
    assertThat(Poisson.upper(5, 0.95)).isCloseTo(10.5130, within(1e-4));
    assertThat(Poisson.upper(10, 0.95)).isCloseTo(16.9622, within(1e-4));
    assertThat(Poisson.upper(100, 0.95)).isCloseTo(118.079, within(1e-2));
    assertThat(Poisson.upper(10_000, 0.95)).isBetween(10_160.0, 10_170.0);
  }

  @Test
  void sumsAreChances() {
    assertThat(Poisson.atMost(0, 1)).isCloseTo(Math.exp(-1), within(1e-12));
    assertThat(Poisson.atMost(2, 1)).isCloseTo(2.5 * Math.exp(-1), within(1e-12));
    assertThat(Poisson.atMost(1000, 1)).isCloseTo(1, within(1e-12));
    assertThat(Poisson.atMost(3, 0)).isEqualTo(1);
  }

  @Test
  void withManyOthersTheirRateIsKnownAndThePlainDistributionRemains() {
    for (long n : new long[] {1, 2, 3, 5, 8}) {
      double plain = 1 - Poisson.atMost(n - 1, 0.5);
      assertThat(Poisson.atLeast(n, 1, 500_000, 1_000_000)).isCloseTo(plain, within(plain * 0.01));
    }
  }

  @Test
  void tinyChancesAreNotRoundedToNothing() {
    assertThat(Poisson.atLeast(60, 30, 100, 300_000)).isPositive().isLessThan(1e-60);
    assertThat(Poisson.atLeast(0, 30, 100, 300_000)).isEqualTo(1);
    assertThat(Poisson.atLeast(3, 30, 0, 0)).as("nobody to compare with").isEqualTo(1);
  }

  @Test
  void theChanceIsThatOfADraw() {
    Random random = new Random(7);
    int draws = 200_000;
    int hits = 0;
    for (int i = 0; i < draws; i++) {
      // A rate drawn from Gamma(4.5, 90), then a count over 30.
      double rate = gamma(random) / 90;
      hits += count(random, rate * 30) >= 4 ? 1 : 0;
    }
    assertThat(Poisson.atLeast(4, 30, 4, 90)).isCloseTo(hits / (double) draws, within(0.004));
  }

  /** Gamma with shape 4.5: four exponentials and half a square of a normal. */
  private static double gamma(Random random) {
    double sum = 0;
    for (int i = 0; i < 4; i++) {
      sum -= Math.log(1 - random.nextDouble());
    }
    double normal = random.nextGaussian();
    return sum + normal * normal / 2;
  }

  private static long count(Random random, double mean) {
    long n = 0;
    for (double left = mean + Math.log(1 - random.nextDouble());
        left > 0;
        left += Math.log(1 - random.nextDouble())) {
      n++;
    }
    return n;
  }
}
