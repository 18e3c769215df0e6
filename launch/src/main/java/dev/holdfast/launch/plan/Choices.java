package dev.holdfast.launch.plan;

import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.text.Durations;
import dev.holdfast.core.text.Nearest;
import dev.holdfast.core.text.Setting;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * What somebody chose, option by option, and where: on the command line, in the environment
 * (HOLDFAST_NNODES, PET_NNODES), in a configuration file, in this order. A value that cannot be
 * read is told with the place it stands in.
 */
public final class Choices {
  private final Map<String, List<Given>> given;

  /** A value as written, and where. */
  public record Given(String value, String source, ErrorCode code) {
    /** The value in its type; what is wrong with it is told with its source. */
    public <T> T as(Function<String, T> reader) {
      try {
        return reader.apply(value);
      } catch (IllegalArgumentException wrong) {
        throw wrong(String.valueOf(wrong.getMessage()));
      }
    }

    public HoldfastException wrong(String what) {
      return new HoldfastException(code, source + ": " + what);
    }
  }

  private Choices(Map<String, List<Given>> given) {
    this.given = Map.copyOf(given);
  }

  /**
   * @param names all there are, in words joined by dashes
   * @param flags given on the command line, by those names
   */
  public static Choices of(
      Collection<String> names,
      Map<String, List<String>> flags,
      Map<String, String> environment,
      Optional<Setting> configuration) {
    Map<String, List<Given>> given = new HashMap<>();
    configuration.ifPresent(root -> given.putAll(configured(names, root)));
    for (String name : names) {
      String upper = name.toUpperCase(Locale.ROOT).replace('-', '_');
      // HOLDFAST_CONFIG names the configuration of all commands, not the one of a run.
      String own = name.equals("config") ? "HOLDFAST_RUN_CONFIG" : "HOLDFAST_" + upper;
      Stream.of("PET_" + upper, own)
          .filter(variable -> !environment.getOrDefault(variable, "").isBlank())
          .forEach(
              variable ->
                  given.put(
                      name,
                      List.of(
                          new Given(
                              environment.getOrDefault(variable, "").strip(),
                              variable,
                              ErrorCode.WRONG_USAGE))));
      List<String> values = flags.getOrDefault(name, List.of());
      if (!values.isEmpty()) {
        given.put(
            name,
            values.stream()
                .map(value -> new Given(value, "--" + name, ErrorCode.WRONG_USAGE))
                .toList());
      }
    }
    return new Choices(given);
  }

  private static Map<String, List<Given>> configured(Collection<String> names, Setting root) {
    Map<String, List<Given>> given = new HashMap<>();
    root.mapping()
        .forEach(
            (key, setting) -> {
              String name = key.replace('_', '-');
              if (!names.contains(name)) {
                throw setting.wrong(
                    "unknown key"
                        + Nearest.hint(key, names)
                        + "; keys are the options of `holdfast run --help` without dashes before");
              }
              given.put(name, values(key, setting));
            });
    return given;
  }

  private static List<Given> values(String key, Setting setting) {
    if (setting.isMapping()) {
      return setting.mapping().entrySet().stream()
          .map(entry -> configured(key, entry.getValue(), entry.getKey() + "="))
          .toList();
    }
    return setting.isList()
        ? setting.list().stream().map(one -> configured(key, one, "")).toList()
        : List.of(configured(key, setting, ""));
  }

  private static Given configured(String key, Setting setting, String before) {
    return new Given(
        before + setting.text(), setting.place() + ": " + key, ErrorCode.BAD_CONFIGURATION);
  }

  /** All values of an option that may be given several times. */
  public List<Given> all(String name) {
    return given.getOrDefault(name, List.of());
  }

  /** The last value of an option. */
  public Optional<Given> one(String name) {
    List<Given> values = all(name);
    return values.isEmpty() ? Optional.empty() : Optional.of(values.getLast());
  }

  public boolean has(String name) {
    return one(name).isPresent();
  }

  public String text(String name, String otherwise) {
    return one(name).map(Given::value).orElse(otherwise);
  }

  public boolean flag(String name) {
    return one(name).map(value -> value.as(Choices::yes)).orElse(false);
  }

  private static boolean yes(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "1", "true", "yes" -> true;
      case "0", "false", "no" -> false;
      default -> throw new IllegalArgumentException("'" + text + "' is neither 1 nor 0");
    };
  }

  public OptionalInt number(String name, int least, int most) {
    return one(name)
        .map(value -> OptionalInt.of(value.as(text -> whole(text, least, most))))
        .orElse(OptionalInt.empty());
  }

  static int whole(String text, int least, int most) {
    if (text.matches("[0-9]{1,9}")) {
      int value = Integer.parseInt(text);
      if (value >= least && value <= most) {
        return value;
      }
    }
    throw new IllegalArgumentException("'%s' is no number in %d-%d".formatted(text, least, most));
  }

  /** A duration; a plain number means seconds, as torchrun has it. */
  public Optional<Duration> duration(String name) {
    return one(name)
        .map(
            value ->
                value.as(
                    text ->
                        Durations.parse(text.matches("[0-9]+(\\.[0-9]+)?") ? text + "s" : text)));
  }

  /** One of these words. */
  public String word(String name, String otherwise, List<String> words) {
    return one(name)
        .map(
            value -> {
              if (!words.contains(value.value())) {
                throw value.wrong(
                    "'%s' is none of %s%s"
                        .formatted(
                            value.value(),
                            String.join(", ", words),
                            Nearest.hint(value.value(), words)));
              }
              return value.value();
            })
        .orElse(otherwise);
  }
}
