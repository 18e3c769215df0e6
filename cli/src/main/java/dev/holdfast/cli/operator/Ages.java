package dev.holdfast.cli.operator;

import dev.holdfast.core.text.Durations;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Times;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Times as people ask for them at night: how long ago, and the hour. */
final class Ages {
  private static final DateTimeFormatter HOUR =
      DateTimeFormatter.ofPattern("MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

  private Ages() {}

  /** How long ago the time in that field was; empty without it. */
  static String age(Fields fields, String name, Instant now) {
    return fields.optionalText(name).map(it -> since(it, now)).orElse("");
  }

  /** A clock that runs behind the server's must not make ages negative. */
  static String since(String time, Instant now) {
    long seconds = Math.max(0, Duration.between(Times.read(time), now).toSeconds());
    return seconds == 0 ? "0 s" : Durations.show(Duration.ofSeconds(seconds));
  }

  static String hour(String time) {
    return HOUR.format(Times.read(time));
  }
}
