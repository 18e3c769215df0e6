package dev.holdfast.bench.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is measured again because Java's compilers worked beside it, and what is said of it. */
class CompilerWatchTest {
  private static final long SECOND = 1_000_000_000;

  private long now;
  private final CompilerWatch watch = new CompilerWatch(() -> now);
  private int runs;

  /** A second of calls, and what other threads had of it in one run after the other. */
  private double during(boolean again, double... others) throws IOException {
    return during(again, SECOND, others);
  }

  private double during(boolean again, long calls, double... others) throws IOException {
    runs = 0;
    return watch
        .during(
            again,
            () -> {
              now += SECOND;
              return new RankFleet.Timed(List.of(new long[] {calls}), others[runs++]);
            })
        .others();
  }

  @Test
  void whatNobodyDisturbedIsMeasuredOnce() throws IOException {
    assertThat(during(true, 0.04)).isEqualTo(0.04);
    assertThat(runs).isEqualTo(1);
    assertThat(watch.notes()).isEmpty();
  }

  @Test
  void whatTheyDisturbedIsMeasuredAgain() throws IOException {
    assertThat(during(true, 0.5, 0.1, 0.01)).isEqualTo(0.01);
    assertThat(runs).isEqualTo(3);
    assertThat(watch.notes())
        .containsExactly("Java's compilers worked beside ranks: 2 measured again");
  }

  @Test
  void whatTheyDisturbForLongCountsInTheEndAndItIsSaid() throws IOException {
    assertThat(during(true, 0.5, 0.4, 0.3, 0.01)).isEqualTo(0.3);
    assertThat(runs).isEqualTo(3);
    assertThat(during(true, 0.2, 0.2, 0.2)).isEqualTo(0.2);
    assertThat(watch.notes())
        .containsExactly(
            "Java's compilers worked beside ranks: 4 measured again, 2 counted although they used up"
                + " to 30 % of the calls' time");
  }

  @Test
  void shortCallsThatTheyDisturbAreNotMeasuredForHours() throws IOException {
    assertThat(during(true, SECOND / 100_000, 1, 1, 1)).isEqualTo(1);
    assertThat(runs).as("in three seconds, not in three seconds of calls").isEqualTo(3);
  }

  @Test
  void asOftenAsSomebodySaidIsMeasuredOnceAndSaid() throws IOException {
    assertThat(during(false, 0.07, 0.01)).isEqualTo(0.07);
    assertThat(runs).isEqualTo(1);
    assertThat(watch.notes())
        .containsExactly(
            "Java's compilers worked beside ranks: 1 counted although they used up to 7 % of the"
                + " calls' time (without --iters, calls go on until they rest)");
  }
}
