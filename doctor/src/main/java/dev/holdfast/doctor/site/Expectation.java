package dev.holdfast.doctor.site;

import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.health.Fact;
import dev.holdfast.core.text.Nearest;
import dev.holdfast.core.text.Setting;
import dev.holdfast.doctor.inventory.FactNames;
import dev.holdfast.os.file.BoundedFile;
import dev.holdfast.os.file.Reading;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a good node of the site consists of, from an expectation file: fact names in groups, each
 * with a value, a list of allowed values, or {@code {least: …, most: …}}.
 *
 * <p>Read strictly: a name no inventory has is an error with file, line and the nearest known name.
 */
public record Expectation(Map<String, Requirement> requirements) {
  static final String SCHEMA = "holdfast.expect/1";
  public static final Expectation NONE = new Expectation(Map.of());
  private static final int MAX_FILE = 1 << 20;

  public Expectation {
    requirements = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(requirements));
  }

  /** One value for each of these facts. */
  public static Expectation of(Map<String, String> values) {
    Map<String, Requirement> requirements = new LinkedHashMap<>();
    values.forEach((name, value) -> requirements.put(name, Requirement.equalTo(value)));
    return new Expectation(requirements);
  }

  public static Expectation read(Path file) {
    Reading reading = BoundedFile.read(file, MAX_FILE);
    return parse(
        file.toString(),
        reading
            .text()
            .orElseThrow(() -> new HoldfastException(ErrorCode.UNREADABLE_INPUT, reading.why())));
  }

  static Expectation parse(String file, String text) {
    List<String> known = new ArrayList<>(List.of("schema"));
    FactNames.groups().forEach(group -> known.add(group.key()));
    Setting root = Setting.read(file, text);
    Map<String, Setting> groups = new LinkedHashMap<>(root.mapping(known));
    Setting schema = groups.remove("schema");
    if (schema == null || !schema.text().equals(SCHEMA)) {
      throw (schema == null ? root : schema)
          .wrong("the file must say 'schema: " + SCHEMA + "'; this version reads no other");
    }
    Map<String, Requirement> requirements = new LinkedHashMap<>();
    for (Setting group : groups.values()) {
      group
          .mapping()
          .forEach(
              (name, value) -> {
                if (!FactNames.isKnown(name)) {
                  throw value.wrong(
                      "no fact is called '" + name + "'" + Nearest.hint(name, FactNames.fixed()));
                }
                if (requirements.put(name, requirement(value)) != null) {
                  throw value.wrong("the fact '" + name + "' is there twice");
                }
              });
    }
    return new Expectation(requirements);
  }

  private static Requirement requirement(Setting value) {
    if (value.isList()) {
      List<String> values = value.list().stream().map(Setting::text).toList();
      if (values.isEmpty()) {
        throw value.wrong("an empty list allows no value at all");
      }
      return new Requirement.AnyOf(values);
    }
    if (value.isMapping()) {
      Map<String, Setting> ends = value.mapping(List.of("least", "most"));
      if (ends.isEmpty()) {
        throw value.wrong("expected least or most");
      }
      return new Requirement.Range(
          Optional.ofNullable(ends.get("least")).map(Setting::text),
          Optional.ofNullable(ends.get("most")).map(Setting::text));
    }
    return Requirement.equalTo(value.text());
  }

  /** The expectation file that a node with these facts fulfils. */
  public static String learn(List<Fact> facts) {
    return ExpectationText.write(facts);
  }

  public boolean isEmpty() {
    return requirements.isEmpty();
  }
}
