package dev.holdfast.launch.platform;

import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;

/**
 * What a launcher can see of where it runs: its environment, some small files, its host's name.
 *
 * @param files the text of a file, if it is there and can be read
 */
public record Surroundings(
    Map<String, String> environment, Function<String, Optional<String>> files, String hostName) {

  public Surroundings {
    environment = Map.copyOf(environment);
  }

  /** The host's name without its domain. */
  String shortName() {
    int dot = hostName.indexOf('.');
    return dot > 0 ? hostName.substring(0, dot) : hostName;
  }

  boolean has(String name) {
    return text(name).isPresent();
  }

  /** The value of the first of these variables that has one. */
  Optional<String> text(String... names) {
    for (String name : names) {
      String value = environment.getOrDefault(name, "").strip();
      if (!value.isEmpty()) {
        return Optional.of(value);
      }
    }
    return Optional.empty();
  }

  /** The first of these variables that has a value, as a number. */
  Optional<Claim> claim(String... names) {
    for (String name : names) {
      Optional<String> value = text(name);
      if (value.isPresent()) {
        return Optional.of(new Claim(name, number(name, value.get())));
      }
    }
    return Optional.empty();
  }

  OptionalInt number(String name) {
    Optional<String> value = text(name);
    return value.isPresent() ? OptionalInt.of(number(name, value.get())) : OptionalInt.empty();
  }

  private static int number(String name, String value) {
    if (value.matches("[0-9]{1,9}")) {
      return Integer.parseInt(value);
    }
    throw new HoldfastException(
        ErrorCode.CONTRADICTION, name + "=" + value + ": a number was expected");
  }
}
