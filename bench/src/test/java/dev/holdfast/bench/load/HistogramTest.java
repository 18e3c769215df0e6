package dev.holdfast.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** Durations come back to the percent, however long they are. */
class HistogramTest {
  @Test
  void quantilesAreRightToOnePercent() {
    Histogram histogram = new Histogram();
    for (int i = 1; i <= 100_000; i++) {
      histogram.record(i * 1000L);
    }
    assertThat((double) histogram.quantile(0.5)).isCloseTo(50e6, within(0.5e6));
    assertThat((double) histogram.quantile(0.99)).isCloseTo(99e6, within(1e6));
    assertThat(histogram.total()).isEqualTo(100_000);
  }

  @Test
  void smallAndHugeDurationsHaveTheirPlaces() {
    Histogram histogram = new Histogram();
    histogram.record(0);
    histogram.record(127);
    histogram.record(128);
    histogram.record(Long.MAX_VALUE);
    histogram.record(-5);
    assertThat(histogram.quantile(0.1)).isZero();
    assertThat(histogram.quantile(0.6)).isEqualTo(127);
    assertThat(histogram.quantile(0.8)).isEqualTo(128);
    assertThat(histogram.quantile(1)).isGreaterThan(Long.MAX_VALUE / 100 * 99);
  }

  @Test
  void severalAreAddedUp() {
    Histogram one = new Histogram();
    Histogram other = new Histogram();
    one.record(10);
    other.record(20);
    one.add(other);
    assertThat(one.total()).isEqualTo(2);
    assertThat(one.quantile(1)).isEqualTo(20);
    assertThat(new Histogram().quantile(0.5)).isZero();
  }
}
