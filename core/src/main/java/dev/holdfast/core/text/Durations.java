package dev.holdfast.core.text;

import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write them: {@code 250ms}, {@code 2s}, {@code 20m}, {@code 1h30m}. */
public final class Durations {
  private static final Pattern PART = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)\\s*(ms|s|m|h|d)");

  /** A hundred years: in nanoseconds it still fits a long. */
  private static final Duration LONGEST = Duration.ofDays(36_500);

  private Durations() {}

  public static Duration parse(String text) {
    Matcher part = PART.matcher(text.strip());
    Duration sum = Duration.ZERO;
    int end = 0;
    while (part.lookingAt()) {
      double value = Double.parseDouble(part.group(1));
      double seconds =
          switch (part.group(2)) {
            case "ms" -> value / 1000;
            case "s" -> value;
            case "m" -> value * 60;
            case "h" -> value * 3600;
            default -> value * 86400;
          };
      sum = sum.plusMillis(Math.round(seconds * 1000));
      end = part.end();
      part.region(end, text.strip().length());
    }
    if (end == 0 || end != text.strip().length()) {
      throw new IllegalArgumentException("not a duration: '" + text + "' (write 30s, 20m, 1h30m)");
    }
    if (sum.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException("duration out of range: '" + text + "'");
    }
    return sum;
  }

  /** In the form {@link #parse} reads, exact to the millisecond: {@code 1h30m}, {@code 0s}. */
  public static String write(Duration duration) {
    StringBuilder text = new StringBuilder();
    part(text, duration.toDays(), "d");
    part(text, duration.toHoursPart(), "h");
    part(text, duration.toMinutesPart(), "m");
    part(text, duration.toSecondsPart(), "s");
    part(text, duration.toMillisPart(), "ms");
    return text.isEmpty() ? "0s" : text.toString();
  }

  private static void part(StringBuilder text, long count, String unit) {
    if (count != 0) {
      text.append(count).append(unit);
    }
  }

  /** Two significant units at most: {@code 1.2 s}, {@code 3 min 20 s}, {@code 2 d 4 h}. */
  public static String show(Duration duration) {
    long millis = duration.toMillis();
    if (millis < 1000) {
      return millis + " ms";
    }
    if (millis < 59_950) {
      return millis % 1000 == 0
          ? millis / 1000 + " s"
          : String.format(Locale.ROOT, "%.1f s", millis / 1000.0);
    }
    long seconds = Math.round(millis / 1000.0);
    if (seconds < 3600) {
      return pair(seconds / 60, "min", seconds % 60, "s");
    }
    if (seconds < 86400) {
      return pair(seconds / 3600, "h", seconds % 3600 / 60, "min");
    }
    return pair(seconds / 86400, "d", seconds % 86400 / 3600, "h");
  }

  private static String pair(long large, String largeName, long small, String smallName) {
    return large + " " + largeName + (small == 0 ? "" : " " + small + " " + smallName);
  }
}
