package dev.holdfast.core.kernel;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One line of the kernel log without its dress: syslog priority (0 emergency … 7 debug), time since
 * boot or wall time, and the text.
 *
 * <p>Understood: {@code <3>[ 123.456789] text}, {@code /dev/kmsg} records {@code
 * 3,1234,123456789,-;text}, {@code dmesg} with its {@code -x}, {@code -T} and ISO variants, and
 * syslog or journal text with {@code kernel:} before the message. Stamps without a year or a zone
 * are dropped rather than guessed.
 */
public record KernelLine(
    OptionalInt priority, Optional<Duration> uptime, Optional<Instant> wall, String text) {

  /** Longer lines are cut: no kernel prints more, and patterns must not see more. */
  public static final int MAXIMUM_LENGTH = 4096;

  private static final Pattern RECORD =
      Pattern.compile("(\\d{1,5}),\\d{1,20},(\\d{1,18}),[^;]{0,64};");
  private static final Pattern RAW = Pattern.compile("<(\\d{1,3})>");
  private static final Pattern DECODED =
      Pattern.compile("[a-z0-9]{1,8} *:(emerg|alert|crit|err|warn|notice|info|debug) *: ");
  private static final Pattern UPTIME =
      Pattern.compile(
          "\\[ {0,12}(\\d{1,12})\\.(\\d{6})\\d{0,3}\\] ?(?:\\[ {0,8}[TC]\\d{1,10}\\] ?)?");
  private static final Pattern CALENDAR =
      Pattern.compile("\\[[A-Z][a-z]{2} [A-Z][a-z]{2} [ \\d]\\d \\d\\d:\\d\\d:\\d\\d \\d{4}\\] ?");

  /** {@code dmesg -e} and {@code -d}: the time since the line before, or the minute. */
  private static final Pattern RELATIVE =
      Pattern.compile(
          "\\[(?: {0,8}\\+ {0,8}\\d{1,8}\\.\\d{6}| {0,4}< {0,10}\\d{1,8}\\.\\d{6}>"
              + "|[A-Z][a-z]{2} ?\\d{1,2} \\d\\d:\\d\\d)\\] ?");

  private static final Pattern ISO =
      Pattern.compile(
          "(\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d)(?:[.,](\\d{1,9}))?(Z|[+-]\\d\\d:?\\d\\d) ");
  private static final Pattern SYSLOG =
      Pattern.compile("[A-Z][a-z]{2} [ \\d]\\d \\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,9})? ");
  private static final Pattern SENDER =
      Pattern.compile("(?:[\\w.-]{1,255} )?kernel(?:\\[\\d{1,10}\\])?: ");
  private static final String LEVELS = "emerg alert crit err warn notice info debug";

  public KernelLine {
    if (priority.isPresent() && (priority.getAsInt() < 0 || priority.getAsInt() > 7)) {
      throw new IllegalArgumentException("priority is 0 to 7, not " + priority.getAsInt());
    }
    text = text.length() > MAXIMUM_LENGTH ? text.substring(0, MAXIMUM_LENGTH) : text;
  }

  /** Reads any of the forms above; a line of no known form is all text. */
  public static KernelLine parse(String line) {
    String bounded = line.length() > MAXIMUM_LENGTH ? line.substring(0, MAXIMUM_LENGTH) : line;
    return new Reader(bounded).read();
  }

  /** When it was logged, given when the node booted. */
  public Optional<Instant> when(Optional<Instant> boot) {
    return wall.or(() -> boot.flatMap(start -> uptime.map(start::plus)));
  }

  /** Takes one prefix after another off the front of a line. */
  private static final class Reader {
    private final String line;
    private int at;
    private OptionalInt priority = OptionalInt.empty();
    private Optional<Duration> uptime = Optional.empty();
    private Optional<Instant> wall = Optional.empty();

    Reader(String line) {
      this.line = line;
    }

    KernelLine read() {
      char first = line.isEmpty() ? ' ' : line.charAt(0);
      if (Character.isDigit(first)) {
        digits();
      } else if (first == '<') {
        take(RAW, prefix -> priority = OptionalInt.of(Integer.parseInt(prefix.group(1)) & 7));
      } else if (first >= 'a' && first <= 'z') {
        take(DECODED, prefix -> priority = OptionalInt.of(level(prefix.group(1))));
        take(ISO, prefix -> wall = instant(prefix));
      } else if (first >= 'A' && first <= 'Z') {
        take(SYSLOG, prefix -> {});
      }
      if (at < line.length() && line.charAt(at) != '[') {
        take(SENDER, prefix -> {});
      }
      if (at < line.length() && line.charAt(at) == '[') {
        stamp();
      }
      return new KernelLine(priority, uptime, wall, line.substring(at));
    }

    private void digits() {
      boolean kernelRecord =
          take(
              RECORD,
              prefix -> {
                priority = OptionalInt.of(Integer.parseInt(prefix.group(1)) & 7);
                uptime = Optional.of(micros(Long.parseLong(prefix.group(2))));
              });
      if (!kernelRecord) {
        take(ISO, prefix -> wall = instant(prefix));
      }
    }

    private void stamp() {
      boolean sinceBoot =
          take(
              UPTIME,
              prefix ->
                  uptime =
                      Optional.of(
                          Duration.ofSeconds(Long.parseLong(prefix.group(1)))
                              .plus(micros(Long.parseLong(prefix.group(2))))));
      if (!sinceBoot && !take(CALENDAR, prefix -> {})) {
        take(RELATIVE, prefix -> {});
      }
    }

    private boolean take(Pattern pattern, Consumer<Matcher> found) {
      Matcher prefix = pattern.matcher(line).region(at, line.length());
      if (!prefix.lookingAt()) {
        return false;
      }
      at = prefix.end();
      found.accept(prefix);
      return true;
    }

    private static Duration micros(long micros) {
      return Duration.ofSeconds(micros / 1_000_000, micros % 1_000_000 * 1000);
    }

    private static int level(String word) {
      return LEVELS.substring(0, LEVELS.indexOf(word)).split(" ", -1).length - 1;
    }

    private static Optional<Instant> instant(Matcher iso) {
      String fraction = iso.group(2) == null ? "" : "." + iso.group(2);
      String zone = iso.group(3);
      if (zone.length() == 5) {
        zone = zone.substring(0, 3) + ":" + zone.substring(3);
      }
      try {
        return Optional.of(OffsetDateTime.parse(iso.group(1) + fraction + zone).toInstant());
      } catch (DateTimeException impossible) {
        return Optional.empty();
      }
    }
  }
}
