package dev.holdfast.core.text;

import java.math.BigDecimal;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes a tree as JSON, on one line or indented. */
final class JsonWriter {
  private static final String INDENT = "  ";
  private static final String HEX = "0123456789ABCDEF";

  private final StringBuilder out = new StringBuilder();
  private final boolean pretty;

  private JsonWriter(boolean pretty) {
    this.pretty = pretty;
  }

  static String write(@Nullable Object tree, boolean pretty) {
    JsonWriter writer = new JsonWriter(pretty);
    writer.value(tree, 0);
    return writer.out.toString();
  }

  private void value(@Nullable Object tree, int depth) {
    switch (tree) {
      case null -> out.append("null");
      case Map<?, ?> map -> object(map, depth);
      case Iterable<?> list -> array(list, depth);
      case Boolean value -> out.append(value.booleanValue());
      case Integer value -> out.append(value.intValue());
      case Long value -> out.append(value.longValue());
      case Double value -> out.append(number(value));
      default -> string(Unicode.whole(tree.toString()));
    }
  }

  private void object(Map<?, ?> map, int depth) {
    out.append('{');
    Iterator<? extends Map.Entry<?, ?>> fields = map.entrySet().iterator();
    boolean any = fields.hasNext();
    while (fields.hasNext()) {
      Map.Entry<?, ?> field = fields.next();
      line(depth + 1);
      string(Unicode.whole(String.valueOf(field.getKey())));
      out.append(pretty ? ": " : ":");
      value(field.getValue(), depth + 1);
      out.append(fields.hasNext() ? "," : "");
    }
    close('}', any, depth);
  }

  private void array(Iterable<?> list, int depth) {
    out.append('[');
    Iterator<?> elements = list.iterator();
    boolean any = elements.hasNext();
    while (elements.hasNext()) {
      line(depth + 1);
      value(elements.next(), depth + 1);
      out.append(elements.hasNext() ? "," : "");
    }
    close(']', any, depth);
  }

  private void close(char sign, boolean any, int depth) {
    if (any) {
      line(depth);
    }
    out.append(sign);
  }

  private void line(int depth) {
    if (pretty) {
      out.append('\n').repeat(INDENT, depth);
    }
  }

  /** Written out where people can still read it. */
  private static String number(double value) {
    if (!Double.isFinite(value)) {
      return "null";
    }
    String shortest = Double.toString(value);
    double size = Math.abs(value);
    if (shortest.indexOf('E') < 0 || size >= 1e15 || size < 1e-7) {
      return shortest;
    }
    String plain = new BigDecimal(shortest).stripTrailingZeros().toPlainString();
    return plain.indexOf('.') < 0 ? plain + ".0" : plain;
  }

  private void string(String text) {
    out.append('"');
    int written = 0;
    for (int i = 0; i < text.length(); i++) {
      char sign = text.charAt(i);
      if (sign < ' ' || sign == '"' || sign == '\\') {
        out.append(text, written, i);
        escape(sign);
        written = i + 1;
      }
    }
    out.append(text, written, text.length()).append('"');
  }

  private void escape(char sign) {
    out.append('\\');
    switch (sign) {
      case '"', '\\' -> out.append(sign);
      case '\b' -> out.append('b');
      case '\f' -> out.append('f');
      case '\n' -> out.append('n');
      case '\r' -> out.append('r');
      case '\t' -> out.append('t');
      default -> out.append("u00").append(sign < 16 ? '0' : '1').append(HEX.charAt(sign & 15));
    }
  }
}
