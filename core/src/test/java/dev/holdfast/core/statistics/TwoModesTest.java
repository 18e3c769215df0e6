package dev.holdfast.core.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two kinds of rounds are seen, and noise is not taken for them. */
class TwoModesTest {
  private static final int TRIALS = 5_000;

  private static double flagged(int rounds, DoubleSupplier noise) {
    int flagged = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
      double[] values = new double[rounds];
      for (int i = 0; i < rounds; i++) {
        values[i] = noise.getAsDouble();
      }
      flagged += TwoModes.of(values).isPresent() ? 1 : 0;
    }
    return (double) flagged / TRIALS;
  }

  @ParameterizedTest
  @ValueSource(ints = {6, 9, 15, 30})
  void noiseOfOneKindIsRarelyTakenForTwo(int rounds) {
    Random random = new Random(rounds);
    assertThat(flagged(rounds, () -> 10 + random.nextGaussian())).isLessThan(0.02);
    assertThat(flagged(rounds, () -> 10 + 4 * random.nextDouble())).isLessThan(0.02);
    assertThat(flagged(rounds, () -> Math.exp(0.3 * random.nextGaussian()))).isLessThan(0.02);
  }

  @Test
  void placesOfProcessesThatDifferTwofoldAreSeen() {
    Random random = new Random(1);
    DoubleSupplier twofold =
        () -> (random.nextBoolean() ? 4 : 9.5) * (1 + 0.05 * random.nextGaussian());
    // Of nine rounds, eight or nine are of one kind in one of 26 runs.
    assertThat(flagged(9, twofold)).isGreaterThan(0.9);
  }

  @Test
  void theKindsAreTold() {
    TwoModes modes = TwoModes.of(4.1, 9.6, 4.0, 9.4, 4.2, 9.5).orElseThrow();
    assertThat(modes).isEqualTo(new TwoModes(4.1, 9.5, 3, 3));
  }

  @Test
  void oneOddRoundIsNoKindAndFewRoundsTellNothing() {
    assertThat(TwoModes.of(4, 4.1, 4.2, 4.1, 4, 9)).isEmpty();
    assertThat(TwoModes.of(4, 4.1, 9, 9.1)).isEmpty();
    assertThat(TwoModes.of(5, 5, 5, 5, 5, 5)).isEmpty();
  }
}
