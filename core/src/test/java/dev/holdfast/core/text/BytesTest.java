package dev.holdfast.core.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BytesTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "512, 512",
    "1k, 1024",
    "1KB, 1000",
    "64MiB, 67108864",
    "4 GB, 4000000000",
    "1.5m, 1572864",
    "2TiB, 2199023255552",
    "9223372036854775807, 9223372036854775807"
  })
  void readsWhatPeopleWrite(String text, long count) {
    assertThat(Bytes.parse(text)).isEqualTo(Bytes.of(count));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "-1", "MiB", "1 2", "1e3", "4 parsecs", "9223372036854775808", "9999999TiB"})
  void refusesTheRestAndSaysWhat(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Bytes.parse(text))
        .withMessageContaining("'" + text + "'");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0 B",
    "1023, 1023 B",
    "1024, 1 KiB",
    "1536, 1.5 KiB",
    "150000, 146 KiB",
    "1048575, 1.0 MiB",
    "9223372036854775807, 8 EiB"
  })
  void showsTheUnitThatKeepsTheNumberShort(long count, String text) {
    assertThat(Bytes.of(count)).hasToString(text);
  }

  @Test
  void thereIsNoNegativeSize() {
    assertThatIllegalArgumentException().isThrownBy(() -> Bytes.of(-1));
  }
}
