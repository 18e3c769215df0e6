package dev.holdfast.core.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The test by ranks against values that can be counted by hand, and by sampling. */
class MannWhitneyTest {
  @Test
  void completelySeparatedHandsHaveTheSmallestChance() {
    MannWhitney test = MannWhitney.of(new double[] {1, 2, 3, 4, 5}, new double[] {6, 7, 8, 9, 10});
    assertThat(test.chance()).isCloseTo(2.0 / 252, within(1e-12));
    assertThat(test.delta()).isEqualTo(1);
    assertThat(MannWhitney.smallestChance(5, 5)).isCloseTo(2.0 / 252, within(1e-12));
    assertThat(MannWhitney.of(new double[] {6, 7}, new double[] {1, 2}).delta()).isEqualTo(-1);
  }

  @Test
  void smallHandsCountedByHand() {
    // Of the six ways to draw two of four, ranks 1+3 or fewer, or 2+4 or more, are four.
    assertThat(MannWhitney.of(new double[] {1, 3}, new double[] {2, 4}).chance())
        .isCloseTo(4.0 / 6, within(1e-12));
    // With ties: of {1, 1, 2, 2} all splits but the mixed ones are as far from the middle.
    assertThat(MannWhitney.of(new double[] {1, 1}, new double[] {2, 2}).chance())
        .isCloseTo(2.0 / 6, within(1e-12));
    assertThat(MannWhitney.of(new double[] {5, 5, 5}, new double[] {5, 5, 5}).chance()).isOne();
    assertThat(MannWhitney.of(new double[] {}, new double[] {1}).chance()).isOne();
  }

  @Test
  void theApproximationMeetsTheExactCount() {
    Random random = new Random(3);
    double[] first = random.doubles(30).toArray();
    double[] second = random.doubles(30, 0.2, 1.2).toArray();
    double exact = MannWhitney.of(first, second).chance();
    double[] longer = Arrays.copyOf(second, 31);
    longer[30] = Robust.median(second);
    assertThat(MannWhitney.of(first, longer).chance()).isCloseTo(exact, within(exact));
  }

  @Test
  void theSameThingRarelyLooksDifferent() {
    Random random = new Random(11);
    int surprises = 0;
    for (int i = 0; i < 2000; i++) {
      double[] first = random.doubles(9).toArray();
      double[] second = random.doubles(9).toArray();
      surprises += MannWhitney.of(first, second).chance() <= 0.05 ? 1 : 0;
    }
    assertThat(surprises).isBetween(40, 140);
  }

  @Test
  void theBellCurve() {
    assertThat(Normal.above(0)).isCloseTo(0.5, within(1e-15));
    assertThat(Normal.above(1.959963985)).isCloseTo(0.025, within(1e-10));
    assertThat(Normal.above(-1.959963985)).isCloseTo(0.975, within(1e-10));
    assertThat(Normal.above(5)).isCloseTo(2.866515719e-7, within(1e-15));
    assertThat(Normal.above(2.9999999)).isCloseTo(Normal.above(3), within(1e-9));
  }
}
