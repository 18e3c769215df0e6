package dev.holdfast.core.text;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.regex.Pattern;

/** Times in one form: RFC 3339, UTC, milliseconds. */
public final class Times {
  private static final Instant FIRST = Instant.parse("0000-01-01T00:00:00Z");
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999Z");

  private static final Pattern LONG_YEAR =
      Pattern.compile("-[0-9]{3,10}-[0-9:T.-]{1,30}Z|[0-9]{5,10}-[0-9:T.-]{1,30}Z");

  private Times() {}

  /** A time outside the years of four digits is shown as the nearest that is not. */
  public static String show(Instant time) {
    var utc = near(time).truncatedTo(ChronoUnit.MILLIS).atOffset(ZoneOffset.UTC);
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

  /**
   * The time in a text of RFC 3339; any other text is an {@link IllegalArgumentException}. One with
   * another year than of four digits is read as the nearest that has such a year.
   */
  public static Instant read(String text) {
    try {
      return near(OffsetDateTime.parse(text).toInstant()).truncatedTo(ChronoUnit.MILLIS);
    } catch (DateTimeException wrong) {
      if (LONG_YEAR.matcher(text).matches()) { // as it was once shown
        return text.startsWith("-") ? FIRST : LAST;
      }
      throw new IllegalArgumentException("not a time: '" + Wrap.cut(text, 40) + "'", wrong);
    }
  }

  /**
   * The nearest time whose year has four digits: others can be reckoned with only until somebody
   * adds to them.
   */
  public static Instant near(Instant time) {
    return time.isBefore(FIRST) ? FIRST : time.isAfter(LAST) ? LAST : time;
  }
}
