package dev.holdfast.core.text;

import io.avaje.json.JsonException;
import io.avaje.json.JsonReader;
import io.avaje.json.JsonWriter;
import io.avaje.json.stream.JsonStream;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
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
  private static final JsonStream STREAM =
      JsonStream.builder().serializeNulls(true).serializeEmpty(true).build();
  private static final int MAX_DEPTH = 64;

  private Json() {}

  /** Who wrote what is read. */
  private enum Origin {
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
    // Read as the one element of an array, so that anything after the value is seen.
    try (JsonReader reader = STREAM.reader("[" + text + "]")) {
      reader.beginArray();
      if (!reader.hasNextElement()) {
        throw new JsonException("empty");
      }
      Object value = value(reader, 0, origin);
      if (reader.hasNextElement()) {
        throw new JsonException("more than one value");
      }
      reader.endArray();
      return value;
    } catch (JsonException | IllegalStateException | IndexOutOfBoundsException e) {
      throw new IllegalArgumentException("not JSON: " + e.getMessage(), e);
    }
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
    return write(tree, false);
  }

  /** Indented, for files and terminals. */
  public static String pretty(@Nullable Object tree) {
    return write(tree, true) + "\n";
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

  private static String write(@Nullable Object tree, boolean pretty) {
    var writer = STREAM.bufferedWriter();
    writer.pretty(pretty);
    value(writer, tree);
    return writer.result();
  }

  private static void value(JsonWriter writer, @Nullable Object tree) {
    switch (tree) {
      case null -> writer.nullValue();
      case Map<?, ?> map -> {
        writer.beginObject();
        map.forEach(
            (name, value) -> {
              writer.name(Unicode.whole(String.valueOf(name)));
              value(writer, value);
            });
        writer.endObject();
      }
      case Iterable<?> list -> {
        writer.beginArray();
        list.forEach(value -> value(writer, value));
        writer.endArray();
      }
      case Boolean value -> writer.value(value.booleanValue());
      case Integer value -> writer.value(value.intValue());
      case Long value -> writer.value(value.longValue());
      case Double value when Double.isFinite(value) -> writer.value(value.doubleValue());
      case Double _ -> writer.nullValue();
      default -> writer.value(Unicode.whole(tree.toString()));
    }
  }

  private static @Nullable Object value(JsonReader reader, int depth, Origin origin) {
    if (depth > MAX_DEPTH) {
      throw new JsonException("nested deeper than " + MAX_DEPTH);
    }
    return switch (reader.currentToken()) {
      case BEGIN_OBJECT -> {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        reader.beginObject();
        while (reader.hasNextField()) {
          String name = letters(reader.nextField(), origin);
          boolean again = map.containsKey(name);
          map.put(name, value(reader, depth + 1, origin));
          if (again && origin == Origin.OURS) {
            throw new JsonException("the field '" + name + "' is there twice");
          }
        }
        reader.endObject();
        yield map;
      }
      case BEGIN_ARRAY -> {
        List<@Nullable Object> list = new ArrayList<>();
        reader.beginArray();
        while (reader.hasNextElement()) {
          list.add(value(reader, depth + 1, origin));
        }
        reader.endArray();
        yield list;
      }
      case STRING -> letters(reader.readString(), origin);
      case BOOLEAN -> reader.readBoolean();
      case NUMBER -> number(reader.readDecimal());
      case NULL -> {
        reader.isNullValue();
        yield null;
      }
    };
  }

  private static String letters(String text, Origin origin) {
    String whole = Unicode.whole(text);
    if (origin == Origin.OURS && !whole.equals(text)) {
      throw new JsonException("half a surrogate pair in a text");
    }
    return whole;
  }

  private static Object number(BigDecimal decimal) {
    try {
      return decimal.longValueExact();
    } catch (ArithmeticException e) {
      return decimal.doubleValue();
    }
  }
}
