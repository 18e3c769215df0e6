package dev.holdfast.core.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {
  @ParameterizedTest
  @CsvSource({
    "250ms, 250",
    "2s, 2000",
    "1.5s, 1500",
    "20m, 1200000",
    "1h30m, 5400000",
    "1d, 86400000",
    "' 2 s ', 2000",
    "0s, 0"
  })
  void readsWhatPeopleWrite(String text, long millis) {
    assertThat(Durations.parse(text)).isEqualTo(Duration.ofMillis(millis));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "5", "s", "-5s", "5s!", "5 weeks", "1e9d", "99999999999999999999d"})
  void refusesTheRestAndSaysWhat(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Durations.parse(text))
        .withMessageContaining("'" + text + "'");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0 ms",
    "999, 999 ms",
    "1000, 1 s",
    "1234, 1.2 s",
    "59949, 59.9 s",
    "59960, 1 min",
    "200000, 3 min 20 s",
    "3600000, 1 h",
    "5400000, 1 h 30 min",
    "187200000, 2 d 4 h"
  })
  void showsAtMostTwoUnits(long millis, String text) {
    assertThat(Durations.show(Duration.ofMillis(millis))).isEqualTo(text);
  }
}
