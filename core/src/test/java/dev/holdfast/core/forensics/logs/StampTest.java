package dev.holdfast.core.forensics.logs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StampTest {
  private static final long WRITTEN = micros("2026-11-16T04:00:00Z");

  private static long micros(String time) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.parse(time));
  }

  private static String read(String line) {
    byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
    Stamp stamp = new Stamp(WRITTEN);
    return stamp.read(bytes, 0, bytes.length)
        ? Instant.EPOCH.plus(stamp.micros, ChronoUnit.MICROS)
            + "|"
            + line.substring(stamp.next).strip()
        : "none";
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      value = {
        "2026-11-16T03:45:03.123456Z text ! 2026-11-16T03:45:03.123456Z",
        "2026-11-16T03:45:03+01:00 text ! 2026-11-16T02:45:03Z",
        "2026-11-16T03:45:03.5-0530 text ! 2026-11-16T09:15:03.500Z",
        "2026-11-16 03:45:03,123 text ! 2026-11-16T03:45:03.123Z",
        "[2026-11-16 03:45:03] text ! 2026-11-16T03:45:03Z",
        "2026/11/16 03:45:03 text ! 2026-11-16T03:45:03Z",
        "2026-11-16_03:45:03 text ! 2026-11-16T03:45:03Z",
        "11/16/2026 03:45:03 text ! 2026-11-16T03:45:03Z",
        "E1116 03:45:03.426415540 text ! 2026-11-16T03:45:03.426415Z",
        "[E321 02:07:08.408271257 text ! 2026-03-21T02:07:08.408271Z",
        "W1218 20:27:21.426415 text ! 2025-12-18T20:27:21.426415Z",
        "Nov 16 03:45:03 text ! 2026-11-16T03:45:03Z",
        "Nov  6 03:45:03 text ! 2026-11-06T03:45:03Z",
        "[Mon Nov 16 03:45:03 2026] text ! 2026-11-16T03:45:03Z",
        "[Wed Nov 18 03:45:03 2026] text ! 2026-11-18T03:45:03Z",
        "1794800703.250 text ! 2026-11-16T03:45:03.250Z",
        "2024-02-29 23:59:60 text ! 2024-03-01T00:00:00Z",
      })
  void commonFormsAreRead(String line, String time) {
    assertThat(read(line)).isEqualTo(time.strip() + "|text");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      value = {
        "iteration 500 is done and well !",
        "Warnings are many and long enough !",
        "2026-13-16 03:45:03 no such month !",
        "2026-11-16 25:45:03 no such hour !",
        "9999-11-16 03:45:03 no such year !",
        "1234567890123456 bytes were read !",
        "127.0.0.1:29500 is an address !",
        "Epoch 12345 of 99999 has begun !",
        "E1116 and so on, but no time at all !",
        "[12345678901234567890] large number !",
        "Mon, the first day of the week !",
      })
  void otherTextIsNoTime(String line) {
    assertThat(read(line)).isEqualTo("none");
  }

  @Test
  void aTimeWithoutAYearIsNoneWhereNothingTellsTheYear() {
    byte[] bytes = "Nov 16 03:45:03 n17 kernel: text".getBytes(StandardCharsets.UTF_8);
    assertThat(new Stamp(Stamp.NONE).read(bytes, 0, bytes.length)).isFalse();
  }
}
