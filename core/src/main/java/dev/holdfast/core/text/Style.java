package dev.holdfast.core.text;

import java.util.concurrent.ThreadLocalRandom;

/**
 * Colours for terminals; plain text everywhere else.
 *
 * <p>A style is not written as the terminal wants it but behind a mark, which the console turns
 * into an escape character ({@link #painted}). So the console can tell our colours from those that
 * came with the text of others, which it shows and does not obey ({@link Visible}).
 */
public enum Style {
  PLAIN,
  ANSI;

  /** Four noncharacters that each process draws anew: nobody outside can write them. */
  static final String MARK = mark();

  private static final char FIRST = '\ufdd0';
  private static final int LETTERS = 32;

  public String bold(String text) {
    return wrap("1", text);
  }

  public String dim(String text) {
    return wrap("2", text);
  }

  public String red(String text) {
    return wrap("31;1", text);
  }

  public String green(String text) {
    return wrap("32", text);
  }

  public String yellow(String text) {
    return wrap("33", text);
  }

  private String wrap(String code, String text) {
    return this == PLAIN ? text : MARK + "[" + code + "m" + text + MARK + "[0m";
  }

  /** For the console alone: the text with its styles as the terminal wants them. */
  public static String painted(String text) {
    return text.replace(MARK, "\u001b");
  }

  static boolean marks(String text, int at) {
    return text.startsWith(MARK, at);
  }

  private static String mark() {
    StringBuilder mark = new StringBuilder();
    ThreadLocalRandom.current()
        .ints(4, 0, LETTERS)
        .forEach(letter -> mark.append((char) (FIRST + letter)));
    return mark.toString();
  }
}
