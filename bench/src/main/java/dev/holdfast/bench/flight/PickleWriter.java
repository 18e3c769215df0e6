package dev.holdfast.bench.flight;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Writes trees as PyTorch's own pickler does: protocol 2, every text once. */
final class PickleWriter {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final Map<String, Integer> known = new HashMap<>();

  /** Where each entry ends. */
  final List<Integer> ends = new ArrayList<>();

  /** A pair that Python calls a tuple. */
  record Pair(Object left, Object right) {}

  static PickleWriter of(Map<String, ?> tree) {
    PickleWriter writer = new PickleWriter();
    writer.out.write(0x80);
    writer.out.write(2);
    writer.value(tree);
    writer.out.write('.');
    return writer;
  }

  byte[] bytes() {
    return out.toByteArray();
  }

  private void value(Object value) {
    switch (value) {
      case Map<?, ?> map -> {
        out.write('}');
        out.write('(');
        map.forEach(
            (name, inner) -> {
              value(name);
              value(inner);
            });
        out.write('u');
      }
      case List<?> list -> {
        out.write(']');
        out.write('(');
        boolean entries = !list.isEmpty() && list.getFirst() instanceof Map<?, ?>;
        for (Object one : list) {
          value(one);
          if (entries) {
            ends.add(out.size());
          }
        }
        out.write('e');
      }
      case Pair pair -> {
        value(pair.left());
        value(pair.right());
        out.write(0x86);
      }
      case Boolean flag -> out.write(flag ? 0x88 : 0x89);
      case Long number -> number(number);
      case Integer number -> number(number);
      case Absent _ -> out.write('N');
      default -> text(value.toString());
    }
  }

  /** None. */
  enum Absent {
    NONE
  }

  private void number(long number) {
    if (number >= 0 && number < 256) {
      out.write('K');
      little(number, 1);
    } else if (number >= 0 && number < 65_536) {
      out.write('M');
      little(number, 2);
    } else if (number == (int) number) {
      out.write('J');
      little(number, 4);
    } else {
      out.write(0x8a);
      out.write(8);
      little(number, 8);
    }
  }

  private void text(String text) {
    Integer place = known.get(text);
    if (place != null) {
      out.write(place < 256 ? 'h' : 'j');
      little(place, place < 256 ? 1 : 4);
      return;
    }
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.write('X');
    little(bytes.length, 4);
    out.writeBytes(bytes);
    int next = known.size();
    known.put(text, next);
    out.write(next < 256 ? 'q' : 'r');
    little(next, next < 256 ? 1 : 4);
  }

  private void little(long number, int bytes) {
    for (int i = 0; i < bytes; i++) {
      out.write((int) (number >> (8 * i)));
    }
  }
}
