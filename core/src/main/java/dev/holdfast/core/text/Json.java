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

  /** Reads one value. */
  public static @Nullable Object read(String text) {
    // Read as the one element of an array, so that anything after the value is seen.
    try (JsonReader reader = STREAM.reader("[" + text + "]")) {
      reader.beginArray();
      if (!reader.hasNextElement()) {
        throw new JsonException("empty");
      }
      Object value = value(reader, 0);
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
  @SuppressWarnings("unchecked")
  public static Map<String, @Nullable Object> object(String text) {
    if (read(text) instanceof Map<?, ?> map) {
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
              writer.name(String.valueOf(name));
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
      default -> writer.value(tree.toString());
    }
  }

  private static @Nullable Object value(JsonReader reader, int depth) {
    if (depth > MAX_DEPTH) {
      throw new JsonException("nested deeper than " + MAX_DEPTH);
    }
    return switch (reader.currentToken()) {
      case BEGIN_OBJECT -> {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        reader.beginObject();
        while (reader.hasNextField()) {
          String name = reader.nextField();
          map.put(name, value(reader, depth + 1));
        }
        reader.endObject();
        yield map;
      }
      case BEGIN_ARRAY -> {
        List<@Nullable Object> list = new ArrayList<>();
        reader.beginArray();
        while (reader.hasNextElement()) {
          list.add(value(reader, depth + 1));
        }
        reader.endArray();
        yield list;
      }
      case STRING -> reader.readString();
      case BOOLEAN -> reader.readBoolean();
      case NUMBER -> number(reader.readDecimal());
      case NULL -> {
        reader.isNullValue();
        yield null;
      }
    };
  }

  private static Object number(BigDecimal decimal) {
    try {
      return decimal.longValueExact();
    } catch (ArithmeticException e) {
      return decimal.doubleValue();
    }
  }
}
