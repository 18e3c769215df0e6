package dev.holdfast.launch.watch;

import dev.holdfast.core.text.Durations;
import java.time.Duration;

/**
 * When a hang is called, as {@code --hang} says it.
 *
 * @param limit in automatic mode the least time a rank must be quiet while others wait for it; in
 *     plain mode the time without any sign of progress
 */
public record HangRule(Mode mode, Duration limit) {
  /** How hangs are found. */
  public enum Mode {
    AUTO,
    PLAIN,
    OFF
  }

  private static final Duration SHORTEST = Duration.ofSeconds(5);

  public static final HangRule AUTO = new HangRule(Mode.AUTO, Duration.ofSeconds(30));
  public static final HangRule OFF = new HangRule(Mode.OFF, Duration.ofSeconds(30));

  public HangRule {
    if (limit.compareTo(SHORTEST) < 0) {
      throw new IllegalArgumentException(
          "a hang cannot be told in less than 5 s, not in " + Durations.show(limit));
    }
  }

  /** Reads {@code auto}, {@code auto:SECONDS}, a duration such as {@code 20m}, or {@code off}. */
  public static HangRule parse(String text) {
    String word = text.strip();
    if (word.equals("auto")) {
      return AUTO;
    }
    if (word.equals("off")) {
      return OFF;
    }
    try {
      return word.startsWith("auto:")
          ? new HangRule(Mode.AUTO, length(word.substring("auto:".length())))
          : new HangRule(Mode.PLAIN, length(word));
    } catch (IllegalArgumentException wrong) {
      throw new IllegalArgumentException(
          "'" + text + "' is none of auto, auto:SECONDS, a duration (20m), off: " + why(wrong),
          wrong);
    }
  }

  private static String why(IllegalArgumentException wrong) {
    return String.valueOf(wrong.getMessage());
  }

  /** A bare number means seconds. */
  private static Duration length(String text) {
    boolean bare = !text.isEmpty() && Character.isDigit(text.charAt(text.length() - 1));
    return Durations.parse(bare ? text + "s" : text);
  }

  @Override
  public String toString() {
    return switch (mode) {
      case AUTO -> "auto, from " + Durations.show(limit) + " on";
      case PLAIN -> "no sign of progress for " + Durations.show(limit);
      case OFF -> "off";
    };
  }
}
