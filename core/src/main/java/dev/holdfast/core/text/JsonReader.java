package dev.holdfast.core.text;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads one JSON value as RFC 8259 has it, save that control characters in a text need no escape.
 * Texts may be as long as they are: whoever reads from a stranger bounds what is read.
 */
final class JsonReader {
  private static final int MAX_DEPTH = 64;

  /** No number that means something has more digits, and time to read them grows faster. */
  private static final int MAX_NUMBER = 1_000;

  /** So many digits always fit into a long. */
  private static final int SAFE_DIGITS = 18;

  private final String text;
  private final Json.Origin origin;
  private int at;

  JsonReader(String text, Json.Origin origin) {
    this.text = text;
    this.origin = origin;
  }

  /** The one value there is. */
  @Nullable Object all() {
    Object value = value(0);
    skip();
    if (at < text.length()) {
      throw wrong("more than one value");
    }
    return value;
  }

  private void skip() {
    while (at < text.length() && " \n\r\t".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  /** The next character that is no white space, 0 at the end. */
  private char token() {
    skip();
    return at < text.length() ? text.charAt(at) : 0;
  }

  private @Nullable Object value(int depth) {
    if (depth > MAX_DEPTH) {
      throw wrong("nested deeper than " + MAX_DEPTH);
    }
    return switch (token()) {
      case '{' -> object(depth);
      case '[' -> array(depth);
      case '"' -> string();
      case 't' -> word("true", true);
      case 'f' -> word("false", false);
      case 'n' -> word("null", null);
      case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> number();
      default -> throw wrong("a value is missing");
    };
  }

  private Map<String, @Nullable Object> object(int depth) {
    Map<String, @Nullable Object> map = new LinkedHashMap<>();
    at++;
    boolean more = token() != '}';
    while (more) {
      if (token() != '"') {
        throw wrong("a field name is missing");
      }
      String name = string();
      expect(':');
      boolean again = map.containsKey(name);
      map.put(name, value(depth + 1));
      if (again && origin == Json.Origin.OURS) {
        throw wrong("the field '" + name + "' is there twice");
      }
      more = another();
    }
    expect('}');
    return map;
  }

  private List<@Nullable Object> array(int depth) {
    List<@Nullable Object> list = new ArrayList<>();
    at++;
    boolean more = token() != ']';
    while (more) {
      list.add(value(depth + 1));
      more = another();
    }
    expect(']');
    return list;
  }

  /** Whether a comma follows; steps over it. */
  private boolean another() {
    if (token() != ',') {
      return false;
    }
    at++;
    return true;
  }

  private void expect(char sign) {
    if (token() != sign) {
      throw wrong("'" + sign + "' is missing");
    }
    at++;
  }

  private @Nullable Object word(String word, @Nullable Object value) {
    if (!text.startsWith(word, at)) {
      throw wrong("a value is missing");
    }
    at += word.length();
    return value;
  }

  private String string() {
    int begin = at + 1;
    int end = begin;
    while (end < text.length() && text.charAt(end) != '"' && text.charAt(end) != '\\') {
      end++;
    }
    if (end < text.length() && text.charAt(end) == '"') {
      at = end + 1;
      return letters(text.substring(begin, end));
    }
    StringBuilder out = new StringBuilder(text.substring(begin, end));
    at = end;
    while (at < text.length()) {
      char next = text.charAt(at++);
      if (next == '"') {
        return letters(out.toString());
      }
      out.append(next == '\\' ? escaped() : next);
    }
    throw wrong("a text does not end");
  }

  private char escaped() {
    char sign = at < text.length() ? text.charAt(at++) : 0;
    return switch (sign) {
      case '"', '\\', '/' -> sign;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> unicode();
      default -> throw wrong("an escape nobody knows");
    };
  }

  private char unicode() {
    int code = 0;
    for (int i = 0; i < 4; i++) {
      int digit = at < text.length() ? hex(text.charAt(at++)) : -1;
      if (digit < 0) {
        throw wrong("\\u needs four hexadecimal digits");
      }
      code = code << 4 | digit;
    }
    return (char) code;
  }

  private static int hex(char sign) {
    return sign < 128 ? Character.digit(sign, 16) : -1;
  }

  private String letters(String read) {
    String whole = Unicode.whole(read);
    if (origin == Json.Origin.OURS && !whole.equals(read)) {
      throw wrong("half a surrogate pair in a text");
    }
    return whole;
  }

  private Object number() {
    int begin = at;
    at += text.charAt(at) == '-' ? 1 : 0;
    int first = at;
    int whole = digits();
    if (whole > 1 && text.charAt(first) == '0') {
      at = begin;
      throw wrong("a number begins with 0");
    }
    boolean plain = true;
    if (is('.')) {
      at++;
      digits();
      plain = false;
    }
    if (is('e') || is('E')) {
      at++;
      at += is('+') || is('-') ? 1 : 0;
      digits();
      plain = false;
    }
    if (at - begin > MAX_NUMBER) {
      at = begin;
      throw wrong("a number of more than " + MAX_NUMBER + " digits");
    }
    return plain && whole <= SAFE_DIGITS
        ? (Object) Long.parseLong(text, begin, at, 10)
        : decimal(text.substring(begin, at));
  }

  /** Steps over digits, of which there must be one; tells how many. */
  private int digits() {
    int begin = at;
    while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
      at++;
    }
    if (at == begin) {
      throw wrong("a digit is missing");
    }
    return at - begin;
  }

  private boolean is(char sign) {
    return at < text.length() && text.charAt(at) == sign;
  }

  /** A whole number where it is one, however it is written. */
  private Object decimal(String written) {
    try {
      BigDecimal decimal = new BigDecimal(written);
      boolean whole = decimal.signum() == 0 || decimal.stripTrailingZeros().scale() <= 0;
      return whole && decimal.precision() - (long) decimal.scale() <= SAFE_DIGITS + 1
          ? (Object) decimal.longValueExact()
          : decimal.doubleValue();
    } catch (NumberFormatException beyond) {
      at -= written.length();
      throw wrong("a number nobody can write out");
    } catch (ArithmeticException large) {
      return Double.parseDouble(written);
    }
  }

  private IllegalArgumentException wrong(String what) {
    if (at >= text.length()) {
      return new IllegalArgumentException(
          "not JSON: " + (text.isBlank() ? "empty" : "it ends too early"));
    }
    return new IllegalArgumentException("not JSON: " + what + ", at character " + (at + 1));
  }
}
