package dev.holdfast.core.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KernelLineTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      ignoreLeadingAndTrailingWhitespace = false,
      value = {
        "<3>[  123.456789] text|3",
        "<27>[  123.456789] text|3",
        "3,1234,123456789,-;text|3",
        "30,1234,123456789,-,caller=T77;text|6",
        "[  123.456789] text|-1",
        "[  123.456789][ T1234] text|-1",
        "[  123.456789] [   C12] text|-1",
        "kern  :err   : [  123.456789] text|3",
        "kern  :warn  : [  123.456789] text|4",
        "Aug 22 10:11:12 node17 kernel: [  123.456789] text|-1",
      })
  void readsPriorityAndUptime(String line, int priority) {
    KernelLine parsed = KernelLine.parse(line);
    assertThat(parsed.text()).isEqualTo("text");
    assertThat(parsed.uptime()).contains(Duration.ofNanos(123_456_789_000L));
    assertThat(parsed.priority().orElse(-1)).isEqualTo(priority);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2026-08-22T10:11:12.250+02:00 node17 kernel: text",
        "2026-08-22T10:11:12,250000+02:00 text",
        "2026-08-22T10:11:12.25+0200 kernel: text",
        "kern  :err   : 2026-08-22T10:11:12,250000+02:00 text",
      })
  void readsWallTimeWithZone(String line) {
    KernelLine parsed = KernelLine.parse(line);
    assertThat(parsed.text()).isEqualTo("text");
    assertThat(parsed.when(Optional.empty())).contains(Instant.parse("2026-08-22T08:11:12.250Z"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "text",
        "Aug 22 10:11:12 node17 kernel: text",
        "[Sat Aug 22 10:11:12 2026] text",
        "2026-13-45T99:99:99Z text",
      })
  void doesNotGuessTimesWithoutYearOrZone(String line) {
    KernelLine parsed = KernelLine.parse(line);
    assertThat(parsed.text()).isEqualTo("text");
    assertThat(parsed.when(Optional.of(Instant.EPOCH))).isEmpty();
  }

  @Test
  void wallTimeIsBootPlusUptime() {
    Instant boot = Instant.parse("2026-08-01T00:00:00Z");
    assertThat(KernelLine.parse("[   60.000000] x").when(Optional.of(boot)))
        .contains(boot.plusSeconds(60));
    assertThat(KernelLine.parse("[   60.000000] x").when(Optional.empty())).isEmpty();
  }

  @Test
  void cutsLongLines() {
    assertThat(KernelLine.parse("x".repeat(1 << 20)).text()).hasSize(KernelLine.MAXIMUM_LENGTH);
    assertThat(KernelLine.parse("").text()).isEmpty();
  }
}
