package dev.holdfast.core.text;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a JSON object, read by name and kind. Whatever is missing or of another kind is an
 * {@link IllegalArgumentException} that names the object and the field.
 */
public final class Fields {
  private final String what;
  private final Map<?, ?> map;

  private Fields(String what, Map<?, ?> map) {
    this.what = what;
    this.map = map;
  }

  /** The fields of a tree that {@link Json} read; {@code what} names it in messages. */
  public static Fields of(String what, @Nullable Object tree) {
    if (tree instanceof Map<?, ?> map) {
      return new Fields(what, map);
    }
    throw new IllegalArgumentException(what + ": not an object");
  }

  public boolean has(String name) {
    return map.get(name) != null;
  }

  /** All of it, as it was read. */
  public Map<?, ?> tree() {
    return map;
  }

  /** The names of all fields, in order. */
  public List<String> names() {
    return map.keySet().stream().map(String::valueOf).toList();
  }

  public String text(String name) {
    return optionalText(name).orElseThrow(() -> wrong(name, "a text"));
  }

  /** One of the words of a kind, in small letters: {@code degraded}. */
  public <E extends Enum<E>> E word(String name, Class<E> kind) {
    return Words.read(what + "." + name, text(name), kind);
  }

  public String text(String name, String otherwise) {
    return optionalText(name).orElse(otherwise);
  }

  public Optional<String> optionalText(String name) {
    return switch (map.get(name)) {
      case null -> Optional.empty();
      case String text -> Optional.of(text);
      default -> throw wrong(name, "a text");
    };
  }

  public long number(String name) {
    if (map.get(name) instanceof Long number) {
      return number;
    }
    throw wrong(name, "a whole number");
  }

  public long number(String name, long otherwise) {
    return has(name) ? number(name) : otherwise;
  }

  public int integer(String name) {
    long number = number(name);
    if (number != (int) number) {
      throw wrong(name, "a number below 2^31");
    }
    return (int) number;
  }

  public int integer(String name, int otherwise) {
    return has(name) ? integer(name) : otherwise;
  }

  public double decimal(String name, double otherwise) {
    return switch (map.get(name)) {
      case null -> otherwise;
      case Number number -> number.doubleValue();
      default -> throw wrong(name, "a number");
    };
  }

  public boolean flag(String name) {
    return switch (map.get(name)) {
      case null -> false;
      case Boolean flag -> flag;
      default -> throw wrong(name, "true or false");
    };
  }

  /** The object of that name. */
  public Fields object(String name) {
    return of(what + "." + name, map.get(name));
  }

  /** The objects of the list of that name; none when it is missing. */
  public List<Fields> objects(String name) {
    List<Fields> objects = new ArrayList<>();
    for (Object element : list(name)) {
      objects.add(of(what + "." + name, element));
    }
    return objects;
  }

  /** The texts of the list of that name; none when it is missing. */
  public List<String> texts(String name) {
    List<String> texts = new ArrayList<>();
    for (Object element : list(name)) {
      if (!(element instanceof String text)) {
        throw wrong(name, "a list of texts");
      }
      texts.add(text);
    }
    return texts;
  }

  /** The numbers of the list of that name; none when it is missing. */
  public List<Integer> integers(String name) {
    List<Integer> numbers = new ArrayList<>();
    for (Object element : list(name)) {
      if (!(element instanceof Long number) || number != number.intValue()) {
        throw wrong(name, "a list of numbers below 2^31");
      }
      numbers.add(number.intValue());
    }
    return numbers;
  }

  /** The whole numbers of the list of that name, however large; none when it is missing. */
  public List<Long> numbers(String name) {
    List<Long> numbers = new ArrayList<>();
    for (Object element : list(name)) {
      if (!(element instanceof Long number)) {
        throw wrong(name, "a list of whole numbers");
      }
      numbers.add(number);
    }
    return numbers;
  }

  /** The numbers of the list of that name, whole or not; none when it is missing. */
  public List<Double> decimals(String name) {
    List<Double> numbers = new ArrayList<>();
    for (Object element : list(name)) {
      if (!(element instanceof Number number)) {
        throw wrong(name, "a list of numbers");
      }
      numbers.add(number.doubleValue());
    }
    return numbers;
  }

  /** The object of that name as texts by name, in order; none when it is missing. */
  public Map<String, String> textMap(String name) {
    Map<String, String> texts = new LinkedHashMap<>();
    if (has(name)) {
      object(name)
          .map
          .forEach(
              (key, value) -> {
                if (!(value instanceof String text)) {
                  throw wrong(name, "an object of texts");
                }
                texts.put(String.valueOf(key), text);
              });
    }
    return texts;
  }

  private List<?> list(String name) {
    return switch (map.get(name)) {
      case null -> List.of();
      case List<?> list -> list;
      default -> throw wrong(name, "a list");
    };
  }

  private IllegalArgumentException wrong(String name, String expected) {
    return new IllegalArgumentException(
        what + ": '" + name + "' should be " + expected + ", not " + Json.line(map.get(name)));
  }
}
