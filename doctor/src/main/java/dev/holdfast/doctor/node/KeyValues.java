package dev.holdfast.doctor.node;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** The {@code key=value} lines of a probe. */
public record KeyValues(Map<String, String> values) {
  public KeyValues {
    values = Map.copyOf(values);
  }

  public static KeyValues parse(String text) {
    return parse(text, '=');
  }

  /** Lines of another separator, such as {@code key value} of a cgroup's statistics. */
  public static KeyValues parse(String text, char separator) {
    Map<String, String> values = new HashMap<>();
    for (String line : text.split("\n")) {
      int at = line.indexOf(separator);
      if (at > 0) {
        values.put(line.substring(0, at).strip(), line.substring(at + 1).strip());
      }
    }
    return new KeyValues(values);
  }

  public Optional<String> text(String key) {
    return Optional.ofNullable(values.get(key));
  }

  public OptionalLong number(String key) {
    try {
      return OptionalLong.of(Long.parseLong(values.getOrDefault(key, "")));
    } catch (NumberFormatException e) {
      return OptionalLong.empty();
    }
  }

  public OptionalDouble real(String key) {
    try {
      double value = Double.parseDouble(values.getOrDefault(key, ""));
      return Double.isFinite(value) ? OptionalDouble.of(value) : OptionalDouble.empty();
    } catch (NumberFormatException e) {
      return OptionalDouble.empty();
    }
  }

  public boolean says(String key, String value) {
    return value.equals(values.get(key));
  }
}
