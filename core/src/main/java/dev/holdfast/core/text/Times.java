package dev.holdfast.core.text;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** Times in one form: RFC 3339, UTC, milliseconds. */
public final class Times {
  private Times() {}

  public static String show(Instant time) {
    var utc = time.truncatedTo(ChronoUnit.MILLIS).atOffset(ZoneOffset.UTC);
    return String.format(
        Locale.ROOT,
        "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ",
        utc.getYear(),
        utc.getMonthValue(),
        utc.getDayOfMonth(),
        utc.getHour(),
        utc.getMinute(),
        utc.getSecond(),
        utc.getNano() / 1_000_000);
  }

  /** The time in a text of RFC 3339; any other text is an {@link IllegalArgumentException}. */
  public static Instant read(String text) {
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException wrong) {
      throw new IllegalArgumentException("not a time: '" + text + "'", wrong);
    }
  }
}
