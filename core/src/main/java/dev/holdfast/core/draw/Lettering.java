package dev.holdfast.core.draw;

import java.util.ArrayList;
import java.util.List;

/**
 * How wide is a text? A picture is drawn without knowing the font it will be shown in, so every
 * character is taken as wide as in the widest of the usual sans-serif fonts: text may end early but
 * never leaves its box.
 */
public final class Lettering {
  private static final String NARROW = "iljI.,:;'|!/\\ \u00a0()[]";
  private static final String SLIM = "-ftr\"`*";
  private static final String WIDE = "mwMWGOQ@%…×—";

  private Lettering() {}

  public static double width(String text, double size) {
    return size * text.codePoints().mapToDouble(Lettering::width).sum();
  }

  private static double width(int c) {
    if (c > 0x2FFF) {
      return 1.1;
    }
    if (NARROW.indexOf(c) >= 0) {
      return 0.36;
    }
    if (SLIM.indexOf(c) >= 0) {
      return 0.45;
    }
    if (WIDE.indexOf(c) >= 0 || c > 0x7F) {
      return 1.0;
    }
    return c >= 'A' && c <= 'Z' ? 0.74 : 0.65;
  }

  /** The largest size from {@code size} down to {@code least} in which the text has room. */
  public static double fitting(String text, double size, double least, double room) {
    double at = size;
    while (at > least && width(text, at) > room) {
      at -= 0.5;
    }
    return Math.max(at, least);
  }

  /** The text, or its beginning with an ellipsis, in at most {@code room}. */
  public static String fit(String text, double size, double room) {
    if (width(text, size) <= room) {
      return text;
    }
    int[] points = text.codePoints().toArray();
    for (int end = points.length - 1; end > 0; end--) {
      String cut = new String(points, 0, end).stripTrailing() + "…";
      if (width(cut, size) <= room) {
        return cut;
      }
    }
    return width("…", size) <= room ? "…" : "";
  }

  /** Lines of words, each in at most {@code room}; what is left over ends in an ellipsis. */
  public static List<String> lines(String text, double size, double room, int most) {
    List<String> lines = new ArrayList<>();
    String line = "";
    for (String word : text.split(" ", -1)) {
      String longer = line.isEmpty() ? word : line + " " + word;
      boolean last = lines.size() == most - 1;
      if (line.isEmpty() || last || width(longer, size) <= room) {
        line = longer;
      } else {
        lines.add(fit(line, size, room));
        line = word;
      }
    }
    if (!line.isEmpty()) {
      lines.add(fit(line, size, room));
    }
    return lines;
  }
}
