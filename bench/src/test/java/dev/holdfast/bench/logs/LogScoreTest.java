package dev.holdfast.bench.logs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.bench.score.Score;
import dev.holdfast.core.forensics.logs.LogVerdict;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Logs of jobs whose fault is known. */
class LogScoreTest {
  @Test
  void theGuiltyAreNamedAndTheInnocentLeftAlone() {
    Score score = LogScore.of(500_000, 420);
    Score.Row all = score.rows().getLast();
    assertThat(all.cases()).isEqualTo(420);
    assertThat(all.decidable()).isGreaterThan(210);
    assertThat(all.exact())
        .as("%s", score.mistakes())
        .isGreaterThanOrEqualTo(all.decidable() * 95 / 100);
    assertThat(all.innocent()).as("%s", score.mistakes()).isLessThanOrEqualTo(all.cases() / 100);
  }

  @Test
  void everySeedGivesTheSameCase() {
    LogCase one = LogMaker.make(77);
    LogCase again = LogMaker.make(77);
    assertThat(again.note()).isEqualTo(one.note());
    assertThat(again.files().keySet()).isEqualTo(one.files().keySet());
    one.files().forEach((name, bytes) -> assertThat(again.files().get(name)).isEqualTo(bytes));
  }

  @Test
  void theOrderOfFilesAndThreadsChangesNothing() {
    for (long seed : List.of(0L, 6L, 8L, 11L)) {
      LogCase one = LogMaker.make(seed);
      LogVerdict verdict = LogScore.read(one.files());
      LogVerdict again = LogScore.read(one.files());
      assertThat(again.first()).isEqualTo(verdict.first());
    }
  }

  @Test
  void ordinaryLogsAreReadAndTheFailureAtTheirEndFound() {
    assertThat(LogLoad.measure(2_000_000).bytes()).isGreaterThan(2_000_000);
  }
}
