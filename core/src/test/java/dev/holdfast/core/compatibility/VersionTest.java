package dev.holdfast.core.compatibility;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class VersionTest {
  @ParameterizedTest
  @CsvSource({
    "525.60.13, 525.60.14",
    "470.57.02, 525.60.13",
    "9.2, 10.0",
    "12.4, 12.4.1",
    "2.6.0a0, 2.6.0",
    "2.6.0.dev20250101, 2.6.0",
    "8.2.RC1, 8.2.RC2",
    "8.2.RC1, 8.2.0",
    "2.7.1, 2.7.1.post2",
    "2.7.1.post2, 2.7.1.post10",
    "3.9, 3.10",
    "1.0, 99999999999999999999"
  })
  void theFirstIsOlderThanTheSecond(String older, String newer) {
    assertThat(Version.of(older)).isLessThan(Version.of(newer));
    assertThat(Version.of(newer)).isGreaterThan(Version.of(older));
  }

  @ParameterizedTest
  @CsvSource({"12.4, 12.4.0", "2.7.0+cu128, 2.7.0+cu126", "v1.2, 1.2", "535.104.05, 535.104.5"})
  void theseAreTheSameVersion(String left, String right) {
    assertThat(Version.of(left)).isEqualTo(Version.of(right)).hasSameHashCodeAs(Version.of(right));
  }

  @Test
  void theLocalPartAndTheReleaseAreKept() {
    Version torch = Version.of("2.6.0a0+ecf3bae40a.nv25.01");
    assertThat(torch.local()).isEqualTo("ecf3bae40a.nv25.01");
    assertThat(torch.release()).isEqualTo(Version.of("2.6"));
    assertThat(Version.of("12.4.1").isOf(Version.of("12.4"))).isTrue();
    assertThat(Version.of("12.40").isOf(Version.of("12.4"))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "   ", "unknown", ".5", "+1", "-1"})
  void whatBeginsWithNoNumberIsNoVersion(String text) {
    assertThat(Version.find(text)).isEmpty();
    assertThatThrownBy(() -> Version.of(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void anEndlessTextIsNoVersion() {
    assertThat(Version.find("1.".repeat(1000))).isEmpty();
  }
}
