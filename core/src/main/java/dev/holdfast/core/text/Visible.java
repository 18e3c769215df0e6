package dev.holdfast.core.text;

/**
 * Text of others, as it may stand on a terminal: what would act there, or hide or turn around what
 * stands beside it, is shown by its number instead.
 *
 * <p>That is every control character (C0, DEL, C1), every format character (marks of direction,
 * zero-width ones, the byte order mark), separators of lines and paragraphs, tags, noncharacters
 * and halves of surrogate pairs. The form is JSON's, {@code \}{@code u001b}: so a JSON document
 * stays the same document.
 */
public final class Visible {
  private Visible() {}

  /** With its line breaks and tabs. */
  public static String text(String text) {
    return shown(text, true);
  }

  /** On one line, whatever it has in it: a cell, a name. */
  public static String line(String text) {
    return shown(text, false);
  }

  private static String shown(String text, boolean lines) {
    int clean = harmless(text, 0, lines);
    if (clean == text.length()) {
      return text;
    }
    StringBuilder out = new StringBuilder(text.length() + 16).append(text, 0, clean);
    for (int at = clean; at < text.length(); ) {
      if (Style.marks(text, at)) {
        out.append(Style.MARK);
        at += Style.MARK.length();
      } else {
        int point = text.codePointAt(at);
        int end = at + Character.charCount(point);
        boolean returned = lines && point == '\r' && text.startsWith("\n", end);
        for (; at < end; at++) {
          if (!returned) {
            escape(out, text.charAt(at));
          }
        }
      }
      int next = harmless(text, at, lines);
      out.append(text, at, next);
      at = next;
    }
    return out.toString();
  }

  private static void escape(StringBuilder out, char c) {
    switch (c) {
      case '\n' -> out.append("\\n");
      case '\r' -> out.append("\\r");
      case '\t' -> out.append("\\t");
      default -> {
        out.append("\\u");
        for (int shift = 12; shift >= 0; shift -= 4) {
          out.append(Character.forDigit(c >> shift & 0xf, 16));
        }
      }
    }
  }

  /** Where the first character stands that must not be written as it is. */
  private static int harmless(String text, int from, boolean lines) {
    int at = from;
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c >= ' ' && c < 0x7f || lines && (c == '\n' || c == '\t')) {
        at++;
        continue;
      }
      int point = text.codePointAt(at);
      if (acts(point)) {
        break;
      }
      at += Character.charCount(point);
    }
    return at;
  }

  private static boolean acts(int point) {
    return switch (Character.getType(point)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE ->
          true;
      // Tags and what Unicode keeps beside them, and what is no character at all.
      default ->
          point >= 0xe0000 && point <= 0xe0fff
              || point >= 0xfdd0 && point <= 0xfdef
              || (point & 0xfffe) == 0xfffe;
    };
  }
}
