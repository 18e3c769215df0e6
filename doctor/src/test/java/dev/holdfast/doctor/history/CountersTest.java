package dev.holdfast.doctor.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CountersTest {
  private static final Instant NOW = Instant.parse("2026-01-08T12:00:00Z");
  private static final Duration HOUR = Duration.ofHours(1);

  @Test
  void theFirstSampleOfABootIsNoRate() {
    assertThat(counters(History.EMPTY).observe("c", 500, HOUR)).isEmpty();
    History before = History.EMPTY.with(new Sample(ago(600), "boot-0", Map.of("c", 10L)));
    assertThat(counters(before).observe("c", 500, HOUR)).isEmpty();
  }

  @Test
  void growthIsToldOverTheLongestStretchInTheWindow() {
    Counters counters = counters(history(sample(7200, 1), sample(1800, 10), sample(600, 40)));
    assertThat(counters.observe("c", 45, HOUR)).contains(new Change(35, Duration.ofMinutes(30)));
    assertThat(counters.observe("c", 45, Duration.ofMinutes(15)))
        .contains(new Change(5, Duration.ofMinutes(10)));
  }

  @Test
  void aRunLongerAgoThanTheWindowIsBetterThanNothingAndSaysSo() {
    assertThat(counters(history(sample(7200, 1))).observe("c", 5, HOUR))
        .contains(new Change(4, Duration.ofHours(2)));
  }

  @Test
  void aResetCostsOnlyTheStepInWhichItHappened() {
    Counters counters = counters(history(sample(1800, 100), sample(1200, 130), sample(600, 4)));
    assertThat(counters.observe("c", 6, HOUR)).contains(new Change(36, Duration.ofMinutes(30)));
  }

  @Test
  void twoRunsInTheSameMomentSayNothing() {
    assertThat(counters(history(sample(0, 1))).observe("c", 9, HOUR)).isEmpty();
    assertThat(counters(history(sample(9, 1))).observe("c", 9, HOUR)).isEmpty();
    assertThat(counters(history(sample(10, 1))).observe("c", 9, HOUR)).isPresent();
  }

  @Test
  void aClockThatWasSetBackMakesNoNegativeTime() {
    Counters counters = counters(history(sample(600, 1), sample(-3600, 5)));
    assertThat(counters.observe("c", 6, HOUR)).contains(new Change(5, Duration.ofMinutes(10)));
    assertThat(counters.next().samples()).extracting(Sample::time).containsExactly(ago(600), NOW);
  }

  @Test
  void aClockThatWasSetForwardMakesNoRateOverDecades() {
    History since1970 = history(new Sample(Instant.EPOCH, "boot-1", Map.of("c", 1L)));
    Counters counters = counters(since1970);
    assertThat(counters.observe("c", 1000, HOUR)).isEmpty();
    assertThat(counters.next().samples()).extracting(Sample::time).containsExactly(NOW);
  }

  @Test
  void aSampleThatDoesNotKnowTheCounterIsPassedOver() {
    Sample other = new Sample(ago(300), "boot-1", Map.of("d", 1L));
    assertThat(counters(history(sample(600, 1), other)).observe("c", 3, HOUR))
        .contains(new Change(2, Duration.ofMinutes(10)));
  }

  private static Counters counters(History history) {
    return new Counters(history, NOW, "boot-1");
  }

  private static History history(Sample... samples) {
    return new History(java.util.List.of(samples));
  }

  private static Sample sample(long secondsAgo, long value) {
    return new Sample(ago(secondsAgo), "boot-1", Map.of("c", value));
  }

  private static Instant ago(long seconds) {
    return NOW.minusSeconds(seconds);
  }
}
