package dev.holdfast.bench.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What counts as a rank that is still being compiled. */
class RankFleetTest {
  private static final long SECOND = 1_000_000_000;

  @Test
  void callsDuringWhichOtherThreadsWorkedAreNotWhatTheyWillBe() {
    List<long[]> calls =
        List.of(new long[] {SECOND / 2, SECOND / 4}, new long[] {SECOND, SECOND, SECOND});
    assertThat(new RankFleet.Timed(calls, 0.1).total()).isEqualTo(3);
    assertThat(new RankFleet.Timed(calls, 0.1).compiling()).isFalse();
    assertThat(new RankFleet.Timed(calls, 0.2).compiling()).isTrue();
    assertThat(new RankFleet.Warm(10, 0.1, 1, 0.04).compiling()).isFalse();
    assertThat(new RankFleet.Warm(10, 0.1, 1, 0.06).compiling()).isTrue();
  }

  @Test
  void ofShortCallsWhatClocksCannotTellIsNobodysWork() {
    assertThat(new RankFleet.Warm(20, 7e-7, 14e-6, 40e-6).compiling()).isFalse();
    assertThat(new RankFleet.Warm(20, 7e-7, 14e-6, 60e-6).compiling()).isTrue();
  }
}
