package dev.holdfast.core.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** One large call or many: the verdict is the measurement's, and luck makes none. */
class PiecesTest {
  private static final long TOTAL = 64 << 20;

  /** Calls that cost a fixed time and a time for each byte, which may depend on the size. */
  private interface Cost {
    double seconds(long bytes);
  }

  private static Pieces measured(Random random, int rounds, double noise, Cost cost) {
    List<NetResult> results = new ArrayList<>();
    double[] machine = new double[rounds];
    for (int i = 0; i < rounds; i++) {
      // What makes a whole round slow is the same for all sizes.
      machine[i] = 1 + random.nextDouble();
    }
    for (long bytes = TOTAL; bytes >= 16 << 10; bytes /= 4) {
      double[] seconds = new double[rounds];
      for (int i = 0; i < rounds; i++) {
        seconds[i] = machine[i] * cost.seconds(bytes) * (1 + noise * random.nextGaussian());
      }
      results.add(
          NetResult.of(
              Collective.ALL_REDUCE, "tcp ring", bytes, 2, "float", Latency.UNKNOWN, 0, seconds));
    }
    return Pieces.of(TOTAL, results);
  }

  @Test
  void theCostOfCallsIsFoundAndTheSizeFromWhichItShows() {
    double each = 20e-6;
    double gigabytes = 2;
    Pieces pieces = measured(new Random(1), 9, 0.01, bytes -> each + bytes / gigabytes / 1e9);
    assertThat(pieces.piecesWin()).isFalse();
    // 20 µs are a tenth of the time of 400 kB, a third of that of 64 KiB.
    assertThat(pieces.costShowsFrom().orElseThrow().result().bytes()).isEqualTo(256 << 10);
    assertThat(pieces.costOfCall()).isCloseTo(1.5 * each, within(0.5 * each));
    assertThat(pieces.words())
        .contains("One all_reduce of 64 MiB takes", "From pieces of 256 KiB down", "a call.");
  }

  @Test
  void piecesThatFitIntoCacheWin() {
    Pieces pieces =
        measured(new Random(2), 8, 0.02, bytes -> 2e-6 + bytes / (bytes > 4 << 20 ? 1.3e9 : 2.6e9));
    assertThat(pieces.piecesWin()).isTrue();
    assertThat(pieces.best().result().bytes()).isBetween(256L << 10, 4L << 20);
    assertThat(pieces.words()).startsWith("Many small ones win here: ").contains("times as long");
  }

  @Test
  void noiseAloneIsNoWin() {
    int wins = 0;
    int costs = 0;
    for (int seed = 0; seed < 1000; seed++) {
      Pieces pieces = measured(new Random(seed), 8, 0.05, bytes -> bytes / 2e9);
      wins += pieces.piecesWin() ? 1 : 0;
      costs += pieces.costShowsFrom().isPresent() ? 1 : 0;
    }
    assertThat(wins).as("of 1000").isLessThan(50);
    assertThat(costs).as("of 1000").isLessThan(50);
  }

  @Test
  void fewRoundsTellNothing() {
    Pieces pieces = measured(new Random(3), 3, 0, bytes -> 1e-3 + bytes / 2e9);
    assertThat(pieces.piecesWin()).isFalse();
    assertThat(pieces.costShowsFrom()).isEmpty();
    assertThat(pieces.words())
        .contains("3 rounds cannot tell a difference from luck among 7 sizes: take 7 or more");
  }
}
