package dev.holdfast.launch.job;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The ports a job's stores may use, both ends included. */
public record PortRange(int first, int last) {
  public static final PortRange DEFAULT = new PortRange(29500, 29999);

  private static final Pattern TEXT = Pattern.compile("(\\d{1,5})(?:-(\\d{1,5}))?");

  public PortRange {
    if (first < 1 || last > 65535 || last < first) {
      throw new IllegalArgumentException(
          "'%d-%d' is no range of ports: write 29500-29999".formatted(first, last));
    }
  }

  public static PortRange parse(String text) {
    Matcher range = TEXT.matcher(text.strip());
    if (!range.matches()) {
      throw new IllegalArgumentException("'" + text + "' is no range of ports: write 29500-29999");
    }
    int first = Integer.parseInt(range.group(1));
    String last = range.group(2);
    return new PortRange(first, last == null ? first : Integer.parseInt(last));
  }

  public int size() {
    return last - first + 1;
  }

  /** What {@link #parse} reads again. */
  @Override
  public String toString() {
    return first + "-" + last;
  }
}
