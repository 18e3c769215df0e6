package dev.holdfast.core.text;

import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * One value of a YAML file that knows where it stands.
 *
 * <p>A reader asks for what it expects (a text, a number, these keys) and gets it, or an error
 * HF-1003 with file, line and, for a mistyped key, the nearest known one. So a misspelt setting is
 * never silently without effect.
 */
public final class Setting {
  private final String file;

  /** The keys that lead here, for messages: {@code doctor.overrides[2].reason}. */
  private final String path;

  private final Node node;

  /** Where it begins for a reader: at its key, if it has one. */
  private final Node start;

  private Setting(String file, String path, Node node, Node start) {
    this.file = file;
    this.path = path;
    this.node = node;
    this.start = start;
  }

  /** The whole of a file, which must be a mapping. */
  public static Setting read(String file, String text) {
    Node root = YamlTree.compose(file, text);
    return new Setting(file, "", root, root);
  }

  /** The values under these keys; any other key is an error. */
  public Map<String, Setting> mapping(Collection<String> known) {
    Map<String, Setting> values = mapping();
    values.forEach(
        (key, value) -> {
          if (!known.contains(key)) {
            throw value.wrong(
                "unknown key '"
                    + key
                    + "'"
                    + Nearest.hint(key, known)
                    + "; known: "
                    + String.join(", ", known));
          }
        });
    return values;
  }

  /** The values under whatever keys there are, in order. */
  public Map<String, Setting> mapping() {
    if (!(node instanceof MappingNode mapping)) {
      throw wrong("expected keys with values, found " + kind());
    }
    Map<String, Setting> values = new LinkedHashMap<>();
    for (NodeTuple tuple : mapping.getValue()) {
      Setting key = new Setting(file, path, tuple.getKeyNode(), tuple.getKeyNode());
      String name = key.text();
      String below = path.isEmpty() ? name : path + "." + name;
      Setting value = new Setting(file, below, tuple.getValueNode(), tuple.getKeyNode());
      if (values.put(name, value) != null) {
        throw key.wrong("the key '" + name + "' is there twice");
      }
    }
    return values;
  }

  public List<Setting> list() {
    if (!(node instanceof SequenceNode sequence)) {
      throw wrong("expected a list, found " + kind());
    }
    List<Setting> values = new ArrayList<>();
    for (Node value : sequence.getValue()) {
      values.add(new Setting(file, path + "[" + (values.size() + 1) + "]", value, value));
    }
    return values;
  }

  public boolean isList() {
    return node instanceof SequenceNode;
  }

  public boolean isMapping() {
    return node instanceof MappingNode;
  }

  /** The text of a single value; an empty one is an error. */
  public String text() {
    if (!(node instanceof ScalarNode scalar)) {
      throw wrong("expected one value, found " + kind());
    }
    if (scalar.getTag().equals(Tag.NULL) || scalar.getValue().isBlank()) {
      throw wrong("the value is missing");
    }
    return scalar.getValue().strip();
  }

  public double number() {
    try {
      double value = Double.parseDouble(text());
      if (Double.isFinite(value)) {
        return value;
      }
    } catch (NumberFormatException e) {
      // told below
    }
    throw wrong("expected a number, found '" + text() + "'");
  }

  public LocalDate date() {
    try {
      return LocalDate.parse(text());
    } catch (DateTimeException e) {
      throw wrong("expected a day such as 2026-12-31, found '" + text() + "'");
    }
  }

  public boolean flag() {
    return switch (text()) {
      case "true" -> true;
      case "false" -> false;
      default -> throw wrong("expected true or false, found '" + text() + "'");
    };
  }

  /** File and line, as editors understand them. */
  public String place() {
    return file + start.getStartMark().map(mark -> ":" + (mark.getLine() + 1)).orElse("");
  }

  /** The error that this value is not what it should be. */
  public HoldfastException wrong(String what) {
    String where = path.isEmpty() ? place() : place() + ": " + path;
    return new HoldfastException(ErrorCode.BAD_CONFIGURATION, where + ": " + what);
  }

  private String kind() {
    return switch (node) {
      case MappingNode _ -> "keys with values";
      case SequenceNode _ -> "a list";
      case ScalarNode scalar -> "'" + scalar.getValue() + "'";
      default -> "something else";
    };
  }
}
