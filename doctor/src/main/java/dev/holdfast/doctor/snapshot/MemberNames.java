package dev.holdfast.doctor.snapshot;

import dev.holdfast.core.archive.MemberName;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;

/**
 * The names of recorded files as an archive allows them. A path of the machine may hold what a
 * member name must not (a backslash, {@code ..}); such characters are written {@code %5C}.
 */
final class MemberNames {
  private MemberNames() {}

  /** The name in the archive; empty when it cannot have one. */
  static Optional<String> stored(String name) {
    if (name.indexOf('%') < 0 && MemberName.problem(name).isEmpty()) {
      return Optional.of(name);
    }
    StringJoiner steps = new StringJoiner("/");
    for (String step : List.of(name.split("/", -1))) {
      steps.add(step.equals(".") || step.equals("..") ? step.replace(".", "%2E") : escaped(step));
    }
    return Optional.of(steps.toString()).filter(safe -> MemberName.problem(safe).isEmpty());
  }

  private static String escaped(String step) {
    StringBuilder escaped = new StringBuilder();
    step.codePoints()
        .forEach(
            point -> {
              int type = Character.getType(point);
              boolean bad =
                  point == '%'
                      || point == '\\'
                      || type == Character.CONTROL
                      || type == Character.FORMAT;
              String text = Character.toString(point);
              for (byte octet : bad ? text.getBytes(StandardCharsets.UTF_8) : new byte[0]) {
                escaped.append("%%%02X".formatted(octet));
              }
              escaped.append(bad ? "" : text);
            });
    return escaped.toString();
  }

  /** The name {@link #stored} was given; a malformed escape stays as it is. */
  static String original(String stored) {
    if (stored.indexOf('%') < 0) {
      return stored;
    }
    try {
      return URLDecoder.decode(stored.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return stored;
    }
  }
}
