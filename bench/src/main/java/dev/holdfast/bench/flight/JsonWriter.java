package dev.holdfast.bench.flight;

import dev.holdfast.bench.flight.PickleWriter.Absent;
import dev.holdfast.bench.flight.PickleWriter.Pair;
import java.util.List;
import java.util.Map;

/** The same trees as the worker server writes them: JSON, where nothing becomes 0. */
final class JsonWriter {
  private JsonWriter() {}

  static String of(Object value) {
    StringBuilder out = new StringBuilder();
    write(value, out);
    return out.toString();
  }

  private static void write(Object value, StringBuilder out) {
    switch (value) {
      case Map<?, ?> map -> {
        String before = "{";
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          out.append(before).append('"').append(entry.getKey()).append("\":");
          write(entry.getValue(), out);
          before = ",";
        }
        out.append(map.isEmpty() ? "{}" : "}");
      }
      case List<?> list -> {
        out.append('[');
        for (int i = 0; i < list.size(); i++) {
          out.append(i == 0 ? "" : ",");
          write(list.get(i), out);
        }
        out.append(']');
      }
      case Pair pair -> write(List.of(pair.left(), pair.right()), out);
      case Boolean _, Long _, Integer _ -> out.append(value);
      case Absent _ -> out.append('0');
      default -> out.append('"').append(value).append('"');
    }
  }
}
