package dev.holdfast.bench.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.bench.net.Step.Piece;
import dev.holdfast.bench.net.Step.Transfer;
import dev.holdfast.core.network.Collective;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which way an operation takes, and what it costs. */
class ScheduleTest {
  private static Algorithm chosen(long bytes, int ranks) {
    return Operation.of(Collective.ALL_REDUCE, bytes, Element.FLOAT, 0, ranks).algorithm();
  }

  @Test
  void stepsDecideForSmallSumsAndBytesForLargeOnes() {
    assertThat(chosen(64 << 10, 2)).isEqualTo(Algorithm.DOUBLING);
    assertThat(chosen(128 << 10, 2)).isEqualTo(Algorithm.RING);
    assertThat(chosen(16 << 10, 8)).isEqualTo(Algorithm.DOUBLING);
    assertThat(chosen(32 << 10, 8)).isEqualTo(Algorithm.HALVING);
    assertThat(chosen(1 << 20, 8)).isEqualTo(Algorithm.HALVING);
    assertThat(chosen(2 << 20, 8)).isEqualTo(Algorithm.RING);
  }

  @Test
  void whereRanksAreNoPowerOfTwoHalvingWouldMoveMoreThanARing() {
    assertThat(chosen(256 << 10, 6)).isEqualTo(Algorithm.RING);
  }

  @Test
  void halvingMovesAsLittleAsARingInFewerSteps() {
    Operation sum = Operation.of(Collective.ALL_REDUCE, 1 << 20, Element.FLOAT, 0, 8);
    List<Step> steps = Schedule.of(sum.by(Algorithm.HALVING), 5);
    assertThat(steps).hasSize(6);
    assertThat(sent(steps)).isEqualTo(sent(Schedule.of(sum.by(Algorithm.RING), 5)));
  }

  private static long sent(List<Step> steps) {
    return steps.stream()
        .flatMap(it -> ((Transfer) it).out().stream())
        .mapToLong(Piece::bytes)
        .sum();
  }
}
