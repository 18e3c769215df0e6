package dev.holdfast.core.compatibility;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Which of two versions is newer, for the ways drivers, toolkits and Python packages write them:
 * {@code 535.104.05}, {@code 12.4}, {@code 2.7.1.post8}, {@code 2.6.0a0}, {@code 8.2.RC1}, {@code
 * 2.7.0+cu128}.
 *
 * <p>Numbers count, missing ones are zero, a pre-release comes before its release and a
 * post-release after it. What follows a plus sign (the local part) says how it was built and does
 * not order.
 *
 * @param stage negative for a pre-release, positive for a post-release
 */
public record Version(String text, List<Integer> numbers, int stage, int stageNumber, String local)
    implements Comparable<Version> {
  private static final int MAX_LENGTH = 100;

  public Version {
    numbers = List.copyOf(numbers);
  }

  /** The version a text begins with; empty when it begins with no number. */
  public static Optional<Version> find(String text) {
    String whole = text.strip();
    if (whole.startsWith("v") || whole.startsWith("V")) {
      whole = whole.substring(1);
    }
    if (whole.isEmpty() || whole.length() > MAX_LENGTH || !isDigit(whole.charAt(0))) {
      return Optional.empty();
    }
    int plus = whole.indexOf('+');
    String ordered = plus < 0 ? whole : whole.substring(0, plus);
    List<Integer> numbers = new ArrayList<>();
    int at = 0;
    while (at < ordered.length() && isDigit(ordered.charAt(at))) {
      int end = endOfDigits(ordered, at);
      numbers.add(number(ordered.substring(at, end)));
      at = end;
      if (at + 1 < ordered.length()
          && ordered.charAt(at) == '.'
          && isDigit(ordered.charAt(at + 1))) {
        at++;
      } else {
        break;
      }
    }
    String rest = ordered.substring(at).toLowerCase(Locale.ROOT);
    int stage = stage(rest);
    return Optional.of(
        new Version(
            whole,
            numbers,
            stage,
            stage == 0 ? 0 : firstNumber(rest),
            plus < 0 ? "" : whole.substring(plus + 1)));
  }

  /** The version, which must be one. */
  public static Version of(String text) {
    return find(text)
        .orElseThrow(() -> new IllegalArgumentException("not a version: '" + text + "'"));
  }

  public int major() {
    return numbers.getFirst();
  }

  public int minor() {
    return part(1);
  }

  /** The first two numbers: {@code 2.7} of {@code 2.7.1.post8}. */
  public Version release() {
    return of(major() + "." + minor());
  }

  public boolean atLeast(Version other) {
    return compareTo(other) >= 0;
  }

  public boolean isBefore(Version other) {
    return compareTo(other) < 0;
  }

  /** Whether the numbers begin with those of {@code other}: 12.4.1 is of 12.4. */
  public boolean isOf(Version other) {
    for (int i = 0; i < other.numbers.size(); i++) {
      if (part(i) != other.part(i)) {
        return false;
      }
    }
    return true;
  }

  private int part(int index) {
    return index < numbers.size() ? numbers.get(index) : 0;
  }

  @Override
  public int compareTo(Version other) {
    for (int i = 0; i < Math.max(numbers.size(), other.numbers.size()); i++) {
      int byNumber = Integer.compare(part(i), other.part(i));
      if (byNumber != 0) {
        return byNumber;
      }
    }
    int byStage = Integer.compare(stage, other.stage);
    return byStage != 0 ? byStage : Integer.compare(stageNumber, other.stageNumber);
  }

  /** Same place in the order: 12.4 and 12.4.0 are one version. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Version version && compareTo(version) == 0;
  }

  @Override
  public int hashCode() {
    int last = numbers.size();
    while (last > 0 && numbers.get(last - 1) == 0) {
      last--;
    }
    return 31 * numbers.subList(0, last).hashCode() + stage;
  }

  @Override
  public String toString() {
    return text;
  }

  private static int stage(String rest) {
    String word = rest.startsWith(".") || rest.startsWith("-") ? rest.substring(1) : rest;
    if (word.startsWith("post")) {
      return 1;
    }
    boolean early =
        word.startsWith("rc")
            || word.startsWith("dev")
            || word.startsWith("alpha")
            || word.startsWith("beta")
            || (word.length() > 1
                && (word.charAt(0) == 'a' || word.charAt(0) == 'b')
                && isDigit(word.charAt(1)));
    return early ? -1 : 0;
  }

  private static int firstNumber(String text) {
    int at = 0;
    while (at < text.length() && !isDigit(text.charAt(at))) {
      at++;
    }
    return at == text.length() ? 0 : number(text.substring(at, endOfDigits(text, at)));
  }

  private static int endOfDigits(String text, int from) {
    int end = from;
    while (end < text.length() && isDigit(text.charAt(end))) {
      end++;
    }
    return end;
  }

  /** A build number longer than any int is as new as can be. */
  private static int number(String digits) {
    try {
      return Integer.parseInt(digits);
    } catch (NumberFormatException e) {
      return Integer.MAX_VALUE;
    }
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
