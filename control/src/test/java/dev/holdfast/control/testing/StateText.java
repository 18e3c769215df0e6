package dev.holdfast.control.testing;

import dev.holdfast.control.state.ClusterState;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Everything a state holds, whoever added it, as text: equal states give equal texts. */
public final class StateText {
  private StateText() {}

  public static String of(ClusterState state) {
    return text(state);
  }

  private static String text(Object value) {
    if (value instanceof Map<?, ?> map) {
      TreeMap<String, String> sorted = new TreeMap<>();
      map.forEach(
          (key, each) -> {
            if (!(each instanceof Collection<?> some && some.isEmpty())) {
              sorted.put(text(key), text(each));
            }
          });
      return sorted.entrySet().stream()
          .map(it -> it.getKey() + " = " + it.getValue())
          .collect(Collectors.joining("\n"));
    }
    if (value instanceof Set<?> set) {
      return set.stream().map(StateText::text).sorted().collect(Collectors.joining(", "));
    }
    if (value instanceof Collection<?> list) {
      return list.stream().map(StateText::text).collect(Collectors.joining(", "));
    }
    Class<?> type = value.getClass();
    boolean part =
        type.getPackageName().equals(ClusterState.class.getPackageName())
            && !type.isRecord()
            && !type.isEnum();
    return part ? fields(value, type) : value.toString();
  }

  private static String fields(Object value, Class<?> type) {
    StringBuilder text = new StringBuilder();
    for (Field field : type.getDeclaredFields()) {
      if (!Modifier.isStatic(field.getModifiers())) {
        try {
          field.setAccessible(true);
          text.append("-- ").append(type.getSimpleName()).append('.').append(field.getName());
          text.append('\n').append(text(field.get(value))).append('\n');
        } catch (IllegalAccessException impossible) {
          throw new IllegalStateException(impossible);
        }
      }
    }
    return text.toString();
  }
}
