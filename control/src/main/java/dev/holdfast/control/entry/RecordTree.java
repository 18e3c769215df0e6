package dev.holdfast.control.entry;

import dev.holdfast.core.cluster.JobDescription;
import dev.holdfast.core.cluster.NodeDescription;
import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.FindingForm;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.report.Request;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Times;
import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Records as JSON trees and back, by the names of their components. What has a form of its own in
 * the journal keeps it. A component that a tree does not have (an earlier version wrote it) is
 * empty, zero or false.
 */
final class RecordTree {
  private RecordTree() {}

  static @Nullable Object of(@Nullable Object value) {
    return switch (value) {
      case null -> null;
      case Finding finding -> FindingForm.json(finding);
      case NodeDescription node -> node.json();
      case JobDescription job -> job.json();
      case Request request -> request.json();
      case Cause cause -> cause.toString();
      case Entry entry -> entry.tree();
      case Subject subject -> subject.toString();
      case Instant time -> time.toString();
      case Duration length -> length.toString();
      case Enum<?> word -> word.name();
      case Optional<?> maybe -> of(maybe.orElse(null));
      case Collection<?> many -> many.stream().map(RecordTree::of).toList();
      case Map<?, ?> map -> {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        map.forEach((name, each) -> tree.put(String.valueOf(name), of(each)));
        yield tree;
      }
      case Record some -> components(some);
      default -> value;
    };
  }

  static Map<String, @Nullable Object> components(Record record) {
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    for (RecordComponent component : record.getClass().getRecordComponents()) {
      try {
        component.getAccessor().setAccessible(true);
        tree.put(component.getName(), of(component.getAccessor().invoke(record)));
      } catch (ReflectiveOperationException impossible) {
        throw new IllegalStateException(impossible);
      }
    }
    return tree;
  }

  static <T> T read(Class<T> type, Map<?, ?> tree) {
    return Objects.requireNonNull(type.cast(value(type, tree)));
  }

  private static @Nullable Object value(Type type, @Nullable Object tree) {
    if (type instanceof ParameterizedType many) {
      return several(many, tree);
    }
    Class<?> plain = (Class<?>) type;
    if (tree == null) {
      return absent(plain);
    }
    if (plain == Finding.class) {
      return FindingForm.of(Fields.of("finding", tree));
    } else if (plain == NodeDescription.class) {
      return NodeDescription.of(Fields.of("node", tree));
    } else if (plain == JobDescription.class) {
      return JobDescription.of(Fields.of("job", tree));
    } else if (plain == Request.class) {
      return Request.of(Fields.of("request", tree));
    } else if (plain == Cause.class) {
      return Cause.of((String) tree);
    } else if (Entry.class.isAssignableFrom(plain)) {
      return Entry.of(Fields.of("entry", tree));
    } else if (Subject.class.isAssignableFrom(plain)) {
      return Subject.parse((String) tree);
    } else if (plain == Instant.class) {
      return Times.near(Instant.parse((String) tree));
    } else if (plain == Duration.class) {
      return Duration.parse((String) tree);
    } else if (plain.isEnum()) {
      return word(plain, (String) tree);
    } else if (plain.isRecord()) {
      return record(plain, (Map<?, ?>) tree);
    }
    return tree instanceof Number number ? number(plain, number) : tree;
  }

  private static Object several(ParameterizedType many, @Nullable Object tree) {
    Class<?> raw = (Class<?>) many.getRawType();
    Type[] of = many.getActualTypeArguments();
    if (raw == Optional.class) {
      return tree == null ? Optional.empty() : Optional.ofNullable(value(of[0], tree));
    }
    if (Map.class.isAssignableFrom(raw)) {
      Map<String, @Nullable Object> map = new LinkedHashMap<>();
      if (tree instanceof Map<?, ?> known) {
        known.forEach((name, each) -> map.put(String.valueOf(name), value(of[1], each)));
      }
      return map;
    }
    List<@Nullable Object> list = new ArrayList<>();
    if (tree instanceof Collection<?> known) {
      known.forEach(each -> list.add(value(of[0], each)));
    }
    return list;
  }

  private static Object record(Class<?> type, Map<?, ?> tree) {
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] types = new Class<?>[components.length];
    @Nullable Object[] values = new Object[components.length];
    for (int i = 0; i < components.length; i++) {
      types[i] = components[i].getType();
      values[i] = value(components[i].getGenericType(), tree.get(components[i].getName()));
    }
    try {
      Constructor<?> made = type.getDeclaredConstructor(types);
      made.setAccessible(true);
      return made.newInstance(values);
    } catch (ReflectiveOperationException wrong) {
      throw new IllegalArgumentException(
          "not a " + type.getSimpleName() + ": " + tree.keySet(), wrong);
    }
  }

  private static Object word(Class<?> type, String name) {
    for (Object constant : type.getEnumConstants()) {
      if (((Enum<?>) constant).name().equals(name)) {
        return constant;
      }
    }
    throw new IllegalArgumentException("no such " + type.getSimpleName() + ": " + name);
  }

  private static Object number(Class<?> type, Number number) {
    if (type == int.class) {
      return Math.toIntExact(number.longValue());
    } else if (type == long.class) {
      return number.longValue();
    }
    return number.doubleValue();
  }

  private static @Nullable Object absent(Class<?> type) {
    if (type == boolean.class) {
      return false;
    } else if (type == String.class) {
      return "";
    }
    return type.isPrimitive() ? number(type, 0) : null;
  }
}
