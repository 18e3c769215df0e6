package dev.holdfast.core.text;

import java.util.Comparator;

/**
 * Hosts that follow each other and differ in their last number alone: {@code n[08-09]}, or one host
 * of any name. However many they are, they take the room of one.
 *
 * <p>Each name belongs to one {@link Family} and has one number there, so that whether a run has a
 * host is a comparison of numbers.
 */
public record HostRun(Family family, long first, int count) {
  private static final int MAX_DIGITS = 18;

  /**
   * What the names have alike. In order, so that names chosen to have one hash are still found
   * fast.
   *
   * @param width of numbers that begin with zeros; 0: numbers without; −1: the name has no number
   */
  public record Family(String prefix, int width, String suffix) implements Comparable<Family> {
    private static final Comparator<Family> ORDER =
        Comparator.comparing(Family::prefix)
            .thenComparing(Family::suffix)
            .thenComparingInt(Family::width);

    @Override
    public int compareTo(Family other) {
      return ORDER.compare(this, other);
    }

    String name(long number) {
      return width < 0 ? prefix : prefix + Hostlist.padded(number, width) + suffix;
    }
  }

  /** One host. */
  public static HostRun of(String name) {
    int end = name.length();
    while (end > 0 && !isDigit(name.charAt(end - 1))) {
      end--;
    }
    int start = end;
    while (start > 0 && end - start < MAX_DIGITS && isDigit(name.charAt(start - 1))) {
      start--;
    }
    if (start == end) {
      return new HostRun(new Family(name, -1, ""), 0, 1);
    }
    boolean zeros = end - start > 1 && name.charAt(start) == '0';
    Family family =
        new Family(name.substring(0, start), zeros ? end - start : 0, name.substring(end));
    return new HostRun(family, Long.parseLong(name, start, end, 10), 1);
  }

  private static boolean isDigit(char letter) {
    return letter >= '0' && letter <= '9';
  }

  public long last() {
    return first + count - 1;
  }

  public String name(int index) {
    return family.name(first + index);
  }

  /** Whether these begin where those end. */
  public boolean follows(HostRun before) {
    return first == before.first + before.count && family.equals(before.family);
  }

  /** Those and these. */
  public HostRun after(HostRun before) {
    return new HostRun(before.family, before.first, before.count + count);
  }

  /** How many letters a list grows by that has these, too. */
  public int letters(boolean sameFamily) {
    return numbers().length()
        + 1
        + (sameFamily ? 0 : family.prefix.length() + family.suffix.length() + 2);
  }

  /** In the form {@link Hostlist} reads. */
  @Override
  public String toString() {
    return count == 1 ? name(0) : family.prefix + "[" + numbers() + "]" + family.suffix;
  }

  /** What stands in the brackets. */
  String numbers() {
    String from = Hostlist.padded(first, family.width);
    return count == 1 ? from : from + "-" + Hostlist.padded(last(), family.width);
  }
}
