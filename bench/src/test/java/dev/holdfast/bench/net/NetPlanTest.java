package dev.holdfast.bench.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.core.network.Collective;
import dev.holdfast.core.text.Json;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What may be asked for. */
class NetPlanTest {
  private static NetPlan plan(int iterations) {
    Operation operation = Operation.of(Collective.ALL_REDUCE, 1024, Element.FLOAT, 0, 2);
    return new NetPlan(List.of(operation), 2, Transport.TCP, 1, iterations, 1, false, 1, true, 60);
  }

  @Test
  void moreIterationsThanOneAnswerHoldsAreRefused() {
    assertThat(plan(NetPlan.MOST_ITERATIONS).iterations()).isEqualTo(NetPlan.MOST_ITERATIONS);
    assertThatThrownBy(() -> plan(NetPlan.MOST_ITERATIONS + 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("--iters: at most 200000, not 200001; more --rounds tell more");
    assertThatThrownBy(
            () -> new PairPlan(2, Transport.TCP, 1, 1024, NetPlan.MOST_ITERATIONS + 1, 1, true, 60))
        .hasMessage("--exchanges: at most 200000, not 200001");
  }

  @Test
  void theLongestTimesOfAllIterationsFitIntoOneAnswer() {
    String line =
        Json.line(
            Json.map(
                "done",
                true,
                "nanos",
                Collections.nCopies(NetPlan.MOST_ITERATIONS, Long.MAX_VALUE),
                "others",
                Long.MAX_VALUE));
    assertThat(line.length()).isLessThan(Wire.LONGEST);
  }
}
