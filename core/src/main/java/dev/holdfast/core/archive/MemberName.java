package dev.holdfast.core.archive;

import java.util.Optional;

/** Which names a member may have: those that mean one file below one folder, on any system. */
public final class MemberName {
  public static final int MAX_LENGTH = 512;

  private MemberName() {}

  /** What is wrong with the name; empty when it may be used. */
  public static Optional<String> problem(String name) {
    if (name.isEmpty()) {
      return Optional.of("is empty");
    }
    if (name.length() > MAX_LENGTH) {
      return Optional.of("is longer than " + MAX_LENGTH + " characters");
    }
    if (name.startsWith("/") || (name.length() > 1 && name.charAt(1) == ':')) {
      return Optional.of("is absolute");
    }
    int step = 0;
    for (int i = 0; i <= name.length(); i++) {
      char c = i == name.length() ? '/' : name.charAt(i);
      if (c == '/') {
        String badStep = badStep(name, step, i);
        if (!badStep.isEmpty()) {
          return Optional.of(badStep);
        }
        step = i + 1;
      } else if (c == '\\') {
        return Optional.of("has a backslash");
      } else if ((c < ' ' || c > '~') && isControl(name.codePointAt(i))) {
        return Optional.of("has a control character");
      }
    }
    return Optional.empty();
  }

  private static String badStep(String name, int from, int to) {
    int length = to - from;
    boolean dots = length <= 2 && name.startsWith("..".substring(0, length), from);
    if (length == 0) {
      return "has an empty step";
    }
    return dots ? "leaves its folder ('" + name.substring(from, to) + "')" : "";
  }

  /** Also what changes the direction of text or has no UTF-8 form. */
  private static boolean isControl(int codePoint) {
    int type = Character.getType(codePoint);
    return type == Character.CONTROL || type == Character.FORMAT || type == Character.SURROGATE;
  }

  /** The name as it may be shown in a message: short, on one line. */
  static String shown(String name) {
    StringBuilder shown = new StringBuilder("'");
    name.codePoints()
        .limit(80)
        .forEach(point -> shown.appendCodePoint(isControl(point) ? '?' : point));
    return shown.append(name.length() > 80 ? "…'" : "'").toString();
  }
}
