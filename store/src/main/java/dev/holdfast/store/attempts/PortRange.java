package dev.holdfast.store.attempts;

/** The ports attempts may have, such as 29500-29999. */
public record PortRange(int first, int last) {
  public static final PortRange DEFAULT = new PortRange(29_500, 29_999);

  public PortRange {
    if (first < 1 || last > 65_535 || first > last) {
      throw new IllegalArgumentException(
          "'%d-%d' is not a range of ports such as 29500-29999".formatted(first, last));
    }
  }

  public static PortRange parse(String text) {
    int dash = text.indexOf('-');
    try {
      return dash < 0
          ? new PortRange(Integer.parseInt(text), Integer.parseInt(text))
          : new PortRange(
              Integer.parseInt(text.substring(0, dash)),
              Integer.parseInt(text.substring(dash + 1)));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a range of ports such as 29500-29999", e);
    }
  }

  public int size() {
    return last - first + 1;
  }

  /** The port at a place counted from the start, over and over again. */
  public int at(long place) {
    return first + (int) Math.floorMod(place, (long) size());
  }

  @Override
  public String toString() {
    return first + "-" + last;
  }
}
