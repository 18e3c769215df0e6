package dev.holdfast.doctor.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HistoryTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final Map<String, Long> BOTH = Map.of("gpu", 1L, "nic", 2L);

  @Test
  void aRunEveryMinuteForTenDaysStaysASmallFileThatReachesBackAWeek() {
    History history = History.EMPTY;
    Instant time = START;
    for (int minute = 0; minute < 10 * 24 * 60; minute++) {
      time = START.plus(Duration.ofMinutes(minute));
      history = history.with(new Sample(time, "boot", BOTH));
    }
    assertThat(history.samples()).hasSizeBetween(40, 50);
    Duration reach = Duration.between(history.samples().getFirst().time(), time);
    assertThat(reach).isBetween(Duration.ofDays(6), Duration.ofDays(7));
    assertThat(history.samples()).extracting(Sample::time).isSorted();
    Instant now = time;
    assertThat(history.samples())
        .filteredOn(sample -> Duration.between(sample.time(), now).toMinutes() < 60)
        .hasSizeBetween(12, 14);
  }

  @Test
  void theOldestOfASlotStays() {
    History history =
        History.EMPTY.with(sample(0, BOTH)).with(sample(60, BOTH)).with(sample(120, BOTH));
    assertThat(history.samples()).containsExactly(sample(0, BOTH), sample(120, BOTH));
  }

  @Test
  void aRunOfAFewChecksDoesNotPushOutTheCountersOfTheOthers() {
    Map<String, Long> few = Map.of("gpu", 1L);
    History history =
        History.EMPTY.with(sample(0, few)).with(sample(60, BOTH)).with(sample(120, BOTH));
    assertThat(history.samples()).contains(sample(0, few), sample(60, BOTH));
  }

  @Test
  void alternatingPartsStayBoundedAndKeepTheNewest() {
    History history = History.EMPTY;
    Sample newest = sample(0, BOTH);
    for (int i = 0; i < 2000; i++) {
      newest = sample(i * 30, Map.of(i % 2 == 0 ? "gpu" : "nic", 1L));
      history = history.with(newest);
    }
    assertThat(history.samples()).hasSizeLessThanOrEqualTo(64).endsWith(newest);
  }

  @Test
  void anotherBootAndTheFutureAreDropped() {
    Sample earlier = new Sample(START, "boot-before", BOTH);
    Sample future = sample(10_000, BOTH);
    History history = new History(List.of(earlier, future)).with(sample(600, BOTH));
    assertThat(history.samples()).containsExactly(sample(600, BOTH));
  }

  @Test
  void whatIsWrittenIsReadBack() {
    History history = History.EMPTY.with(sample(0, BOTH)).with(sample(900, Map.of("gpu", -1L)));
    assertThat(History.parse(history.toJson())).isEqualTo(history);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{}",
        "{\"schema\":\"holdfast.counters/2\"}",
        "{\"schema\":\"holdfast.counters/1\",\"samples\":[{\"time\":\"yesterday\"}]}"
      })
  void damageIsRefused(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> History.parse(text));
  }

  private static Sample sample(long second, Map<String, Long> values) {
    return new Sample(START.plusSeconds(second), "boot", values);
  }
}
