package dev.holdfast.core.text;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * JSON as plain trees: maps in order, lists, strings, {@link Long} or {@link Double}, booleans,
 * null.
 *
 * <p>Trees rather than bound records, because most of what is read here comes from elsewhere (site
 * checks, other versions, other tools) and must be judged field by field with a good message.
 */
public final class Json {
  private Json() {}

  /** Who wrote what is read. */
  enum Origin {
    /** A program that speaks our protocol, or somebody who wants to be taken for one. */
    OURS,
    /** A tool that prints what it likes: what it says twice counts as it said it last. */
    FOREIGN
  }

  /**
   * Reads one value. A field that an object has twice is an error, because two readers would take
   * it for two different things, and so is half a surrogate pair, which is no letter and cannot be
   * written again.
   */
  public static @Nullable Object read(String text) {
    return read(text, Origin.OURS);
  }

  /** Reads one object that a program of others printed, as people read it. */
  public static Map<String, @Nullable Object> foreignObject(String text) {
    return object(foreign(text));
  }

  /** Reads one value that a program of others printed, as people read it. */
  public static @Nullable Object foreign(String text) {
    return read(text, Origin.FOREIGN);
  }

  private static @Nullable Object read(String text, Origin origin) {
    return new JsonReader(text, origin).all();
  }

  /** Reads one object. */
  public static Map<String, @Nullable Object> object(String text) {
    return object(read(text));
  }

  @SuppressWarnings("unchecked")
  private static Map<String, @Nullable Object> object(@Nullable Object tree) {
    if (tree instanceof Map<?, ?> map) {
      return (Map<String, @Nullable Object>) map;
    }
    throw new IllegalArgumentException("not a JSON object");
  }

  /** One line, for JSON lines and wire forms. */
  public static String line(@Nullable Object tree) {
    return JsonWriter.write(tree, false);
  }

  /** Indented, for files and terminals. */
  public static String pretty(@Nullable Object tree) {
    return JsonWriter.write(tree, true) + "\n";
  }

  /** An ordered object from alternating names and values; a null value is left out. */
  public static Map<String, @Nullable Object> map(@Nullable Object... namesAndValues) {
    Map<String, @Nullable Object> map = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      if (namesAndValues[i + 1] != null) {
        map.put(String.valueOf(namesAndValues[i]), namesAndValues[i + 1]);
      }
    }
    return map;
  }
}
