package dev.holdfast.core.text;

/** Text made safe for XML and HTML. */
public final class Xml {
  private Xml() {}

  /** Escapes markup; characters XML cannot carry become U+FFFD. */
  public static String escape(String text) {
    StringBuilder out = new StringBuilder(text.length());
    text.codePoints()
        .forEach(
            c -> {
              switch (c) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '"' -> out.append("&quot;");
                case '\n', '\t' -> out.appendCodePoint(c);
                default -> out.appendCodePoint(allowed(c) ? c : 0xFFFD);
              }
            });
    return out.toString();
  }

  private static boolean allowed(int c) {
    return c >= 0x20 && (c < 0xD800 || c > 0xDFFF) && c != 0xFFFE && c != 0xFFFF;
  }
}
