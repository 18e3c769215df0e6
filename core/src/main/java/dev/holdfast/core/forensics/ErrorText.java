package dev.holdfast.core.forensics;

import java.util.List;

/** Finds the sentence that matters in what a Python program writes when it fails. */
final class ErrorText {
  private static final int PREFIX = 40;

  private ErrorText() {}

  static List<String> lines(String text, int most) {
    return text.isEmpty() ? List.of() : text.lines().limit(most).toList();
  }

  /** How long the prefix of a launcher is: {@code [rank0]: } or {@code [trainer3]:}. */
  static int prefix(String line) {
    int at = 0;
    while (at < line.length() && line.charAt(at) == '[') {
      int close = line.indexOf("]:", at);
      if (close < 0 || close - at > PREFIX || !Character.isDigit(line.charAt(close - 1))) {
        return at;
      }
      for (int i = at + 1; i < close; i++) {
        char c = line.charAt(i);
        if (!Character.isLetterOrDigit(c) && c != '_' && c != '-') {
          return at;
        }
      }
      at = close + 2;
      if (at < line.length() && line.charAt(at) == ' ') {
        at++;
      }
    }
    return at;
  }

  /**
   * The line that names the exception of the last traceback; without one the last line that is not
   * blank.
   */
  static String exception(List<String> lines) {
    String last = "";
    boolean stack = false;
    String named = "";
    for (String line : lines) {
      String text = line.substring(prefix(line));
      if (text.startsWith("Traceback (most recent call last)")) {
        stack = true;
      } else if (stack && !text.isEmpty() && !Character.isWhitespace(text.charAt(0))) {
        named = text.strip();
        stack = false;
      }
      if (!text.isBlank()) {
        last = text.strip();
      }
    }
    return named.isEmpty() ? last : named;
  }
}
