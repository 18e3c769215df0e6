package dev.holdfast.core.archive;

import java.util.List;
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
    if (name.indexOf('\\') >= 0) {
      return Optional.of("has a backslash");
    }
    if (name.codePoints().anyMatch(MemberName::isControl)) {
      return Optional.of("has a control character");
    }
    for (String step : List.of(name.split("/", -1))) {
      if (step.isEmpty()) {
        return Optional.of("has an empty step");
      }
      if (step.equals(".") || step.equals("..")) {
        return Optional.of("leaves its folder ('" + step + "')");
      }
    }
    return Optional.empty();
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
