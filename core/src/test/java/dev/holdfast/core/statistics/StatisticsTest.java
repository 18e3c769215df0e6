package dev.holdfast.core.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class StatisticsTest {
  @Test
  void quantilesAreNeverBelowTheTruthAndLittleAbove() {
    for (int seed = 0; seed < 50; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      double[] values = new double[1 + random.nextInt(3000)];
      LogHistogram histogram = new LogHistogram();
      for (int i = 0; i < values.length; i++) {
        values[i] = Math.exp(random.nextDouble(-6, 12));
        histogram.add(values[i]);
      }
      Arrays.sort(values);
      for (double share : new double[] {0.01, 0.5, 0.9, 0.99, 1}) {
        double truth = values[Math.max(0, (int) Math.ceil(share * values.length) - 1)];
        assertThat(histogram.quantile(share))
            .isBetween(truth * (1 - 1e-9), Math.max(0.002, truth * 1.0906));
      }
      assertThat(histogram.largest()).isEqualTo(values[values.length - 1]);
    }
  }

  @Test
  void quantilesCanLeaveOutWhatIsClearlyLarger() {
    LogHistogram histogram = new LogHistogram();
    for (int i = 0; i < 90; i++) {
      histogram.add(1);
    }
    for (int i = 0; i < 10; i++) {
      histogram.add(900);
    }
    assertThat(histogram.quantile(0.99)).isGreaterThanOrEqualTo(900);
    assertThat(histogram.quantile(0.99, 4)).isBetween(1.0, 1.1);
    assertThat(new LogHistogram().quantile(0.5)).isZero();
  }

  @Test
  void histogramsAddUpAndSurviveJson() {
    LogHistogram one = new LogHistogram();
    LogHistogram two = new LogHistogram();
    one.add(3);
    two.add(50);
    two.add(1e12);
    one.add(two);
    assertThat(one.count()).isEqualTo(3);
    String json = Json.line(one.json());
    LogHistogram back = LogHistogram.of(Fields.of("h", Json.read(json)));
    assertThat(Json.line(back.json())).isEqualTo(json);
    assertThatIllegalArgumentException().isThrownBy(() -> one.add(Double.NaN));
    assertThatIllegalArgumentException().isThrownBy(() -> one.add(-1));
    for (String wrong :
        new String[] {
          "{\"buckets\":[1],\"counts\":[]}",
          "{\"buckets\":[999],\"counts\":[1]}",
          "{\"buckets\":[1],\"counts\":[-1]}"
        }) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> LogHistogram.of(Fields.of("h", Json.read(wrong))));
    }
  }

  @Test
  void wildNumbersDoNotMoveTheMiddle() {
    assertThat(Robust.median(1, 2, 1e9)).isEqualTo(2);
    assertThat(Robust.median(1, 2, 3, 4)).isEqualTo(2.5);
    assertThat(Robust.median()).isNaN();
    assertThat(Robust.spread(1, 2, 3, 4, 1e9)).isCloseTo(1.4826, within(1e-9));
  }

  @Test
  void binomialTailsAreExact() {
    assertThat(Binomial.atLeast(0, 10, 0.3)).isEqualTo(1);
    assertThat(Binomial.atLeast(10, 10, 0.5)).isCloseTo(Math.pow(2, -10), within(1e-15));
    assertThat(Binomial.atLeast(1, 10, 0.1)).isCloseTo(1 - Math.pow(0.9, 10), within(1e-12));
    assertThat(Binomial.atLeast(8, 10, 0.5)).isCloseTo(56.0 / 1024, within(1e-12));
    assertThat(Binomial.atLeast(50, 50, 1.0 / 32)).isBetween(1e-76, 1e-75);
    assertThat(Binomial.atLeast(11, 10, 0.5)).isZero();
  }
}
