package dev.holdfast.core.text;

/** Colours for terminals; plain text everywhere else. */
public enum Style {
  PLAIN,
  ANSI;

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
    return this == PLAIN ? text : "\u001b[" + code + "m" + text + "\u001b[0m";
  }
}
