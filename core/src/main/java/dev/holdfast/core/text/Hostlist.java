package dev.holdfast.core.text;

import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Lists of hosts as Slurm writes them: {@code gpu[001-250,300],login1}, {@code r[1-2]n[01-04]}.
 *
 * <p>Leading zeros fix the width of a number. Expansion is bounded, so that no pattern from a
 * command line or a file can fill memory.
 */
public final class Hostlist {
  static final int MAX_HOSTS = 100_000;

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,252}");
  private static final Pattern RANGE = Pattern.compile("(\\d{1,9})(?:-(\\d{1,9}))?");
  private static final Pattern LAST_NUMBER = Pattern.compile("^(.*?)(\\d{1,9})(\\D*)$");

  private Hostlist() {}

  /** Every host the text names, each once, in its order. */
  public static List<String> expand(String text) {
    LinkedHashSet<String> hosts = new LinkedHashSet<>();
    for (String item : items(text)) {
      for (String host : expandItem(text, item)) {
        if (!NAME.matcher(host).matches()) {
          throw bad(text, "'" + host + "' is not a host name");
        }
        hosts.add(host);
        requireRoom(text, hosts.size());
      }
    }
    if (hosts.isEmpty()) {
      throw bad(text, "it names no host");
    }
    return List.copyOf(hosts);
  }

  /** The shortest usual form: hosts that differ only in their last number share a bracket. */
  public static String compress(Collection<String> hosts) {
    Set<String> padded = new HashSet<>();
    for (String host : hosts) {
      Matcher parts = LAST_NUMBER.matcher(host);
      if (parts.matches() && parts.group(2).startsWith("0")) {
        padded.add(key(parts, parts.group(2).length()));
      }
    }
    Map<String, TreeSet<String>> numbers = new LinkedHashMap<>();
    List<String> plain = new ArrayList<>();
    for (String host : new LinkedHashSet<>(hosts)) {
      Matcher parts = LAST_NUMBER.matcher(host);
      if (parts.matches()) {
        // 099 and 100 belong together, 9 and 010 do not.
        String fixed = key(parts, parts.group(2).length());
        String key = padded.contains(fixed) ? fixed : key(parts, 0);
        numbers.computeIfAbsent(key, _ -> new TreeSet<>(Hostlist::byValue)).add(parts.group(2));
      } else {
        plain.add(host);
      }
    }
    List<String> items = new ArrayList<>();
    numbers.forEach(
        (key, values) -> {
          String[] ends = key.split("\0", -1);
          String ranges = ranges(values);
          boolean single = values.size() == 1;
          items.add(ends[0] + (single ? ranges : "[" + ranges + "]") + ends[1]);
        });
    items.addAll(plain);
    return String.join(",", items);
  }

  private static String key(Matcher parts, int width) {
    return parts.group(1) + "\0" + parts.group(3) + "\0" + width;
  }

  private static int byValue(String left, String right) {
    int byNumber = Integer.compare(Integer.parseInt(left), Integer.parseInt(right));
    return byNumber != 0 ? byNumber : Integer.compare(left.length(), right.length());
  }

  private static String ranges(TreeSet<String> values) {
    StringBuilder out = new StringBuilder();
    String first = "";
    String last = "";
    for (String value : values) {
      boolean follows =
          !last.isEmpty()
              && Integer.parseInt(value) == Integer.parseInt(last) + 1
              && (value.length() == last.length() || !value.startsWith("0"));
      if (!follows) {
        append(out, first, last);
        first = value;
      }
      last = value;
    }
    append(out, first, last);
    return out.toString();
  }

  private static void append(StringBuilder out, String first, String last) {
    if (!first.isEmpty()) {
      out.append(out.isEmpty() ? "" : ",").append(first);
      out.append(first.equals(last) ? "" : "-" + last);
    }
  }

  /** Splits at the commas outside brackets. */
  private static List<String> items(String text) {
    List<String> items = new ArrayList<>();
    int start = 0;
    boolean inside = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '[' || c == ']') {
        if (inside == (c == '[')) {
          throw bad(text, "brackets do not match");
        }
        inside = c == '[';
      } else if (c == ',' && !inside) {
        items.add(text.substring(start, i).strip());
        start = i + 1;
      }
    }
    if (inside) {
      throw bad(text, "a bracket is not closed");
    }
    items.add(text.substring(start).strip());
    items.removeIf(String::isEmpty);
    return items;
  }

  private static List<String> expandItem(String text, String item) {
    List<String> heads = List.of("");
    int position = 0;
    while (position < item.length()) {
      int open = item.indexOf('[', position);
      String literal = item.substring(position, open < 0 ? item.length() : open);
      int close = open < 0 ? item.length() - 1 : item.indexOf(']', open);
      List<String> tails = open < 0 ? List.of("") : numbers(text, item.substring(open + 1, close));
      requireRoom(text, (long) heads.size() * tails.size());
      List<String> longer = new ArrayList<>();
      for (String head : heads) {
        for (String tail : tails) {
          longer.add(head + literal + tail);
        }
      }
      heads = longer;
      position = close + 1;
    }
    return heads;
  }

  private static List<String> numbers(String text, String ranges) {
    List<String> numbers = new ArrayList<>();
    for (String range : ranges.split(",", -1)) {
      Matcher ends = RANGE.matcher(range.strip());
      if (!ends.matches()) {
        throw bad(text, "'" + range + "' is not a number or a range");
      }
      int from = Integer.parseInt(ends.group(1));
      int to = ends.group(2) == null ? from : Integer.parseInt(ends.group(2));
      if (to < from) {
        throw bad(text, "the range " + range + " runs backwards");
      }
      requireRoom(text, numbers.size() + (long) to - from + 1);
      int width = ends.group(1).length();
      for (int number = from; number <= to; number++) {
        String digits = Integer.toString(number);
        numbers.add("0".repeat(Math.max(0, width - digits.length())) + digits);
      }
    }
    return numbers;
  }

  private static void requireRoom(String text, long count) {
    if (count > MAX_HOSTS) {
      throw bad(text, "it names more than " + MAX_HOSTS + " hosts");
    }
  }

  private static HoldfastException bad(String text, String why) {
    return new HoldfastException(
        ErrorCode.BAD_HOSTLIST, "host list '%s': %s".formatted(Wrap.cut(text, 80), why));
  }
}
