package dev.holdfast.core.text;

import java.util.stream.Collectors;

/** Fits prose into a terminal. */
public final class Wrap {
  private Wrap() {}

  /** Breaks at spaces so that lines end before {@code width}; all but the first are indented. */
  public static String hanging(String text, int indent, int width) {
    return Visible.text(text)
        .lines()
        .map(line -> broken(line, indent, width))
        .collect(Collectors.joining("\n" + " ".repeat(indent)));
  }

  private static String broken(String text, int indent, int width) {
    StringBuilder out = new StringBuilder();
    int column = indent;
    for (String word : text.split(" ")) {
      if (column > indent && column + 1 + word.length() > width) {
        out.append('\n').append(" ".repeat(indent));
        column = indent;
      } else if (column > indent) {
        out.append(' ');
        column++;
      }
      out.append(word);
      column += word.length();
    }
    return out.toString();
  }

  /** At most {@code width} characters, with an ellipsis where something was left out. */
  public static String cut(String text, int width) {
    if (text.length() <= width) {
      return text;
    }
    int end = Math.max(0, width - 1);
    boolean half = end > 0 && Character.isHighSurrogate(text.charAt(end - 1));
    return text.substring(0, half ? end - 1 : end) + "…";
  }
}
