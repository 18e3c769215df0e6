package dev.holdfast.core.text;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/**
 * How are many hosts written shortly?
 *
 * <p>A name is cut into words and numbers. Names that differ in one number only are joined, the
 * last number first; then, with what was joined as one piece, those that differ in an earlier
 * number only. So a grid of racks and slots becomes {@code r[1-2]n[01-04]}, and nothing is ever
 * added.
 */
final class HostRanges {
  private static final int MAX_DIGITS = 18;

  private HostRanges() {}

  static String compress(Collection<String> hosts) {
    List<List<String>> names = new ArrayList<>();
    int most = 0;
    for (String host : new LinkedHashSet<>(hosts)) {
      List<String> pieces = pieces(host);
      names.add(pieces);
      most = Math.max(most, pieces.size());
    }
    for (int place = most - 1; place >= 0; place--) {
      names = joined(names, place);
    }
    return String.join(",", names.stream().map(pieces -> String.join("", pieces)).toList());
  }

  /** Words at even places, numbers at odd ones: {@code r1n01} is r, 1, n, 01. */
  private static List<String> pieces(String name) {
    List<String> pieces = new ArrayList<>();
    int start = 0;
    boolean number = false;
    for (int i = 0; i <= name.length(); i++) {
      boolean digit = i < name.length() && name.charAt(i) >= '0' && name.charAt(i) <= '9';
      if (i == name.length() || digit != number) {
        pieces.add(name.substring(start, i));
        start = i;
        number = digit;
      }
    }
    return pieces;
  }

  private static List<List<String>> joined(List<List<String>> names, int place) {
    Map<List<String>, List<String>> groups = new LinkedHashMap<>();
    for (List<String> pieces : names) {
      List<String> others = new ArrayList<>(pieces);
      boolean number = place % 2 == 1 && place < pieces.size() && isShort(pieces.get(place));
      if (number) {
        others.set(place, "");
      }
      groups.computeIfAbsent(others, _ -> new ArrayList<>()).add(number ? pieces.get(place) : "");
    }
    List<List<String>> result = new ArrayList<>();
    groups.forEach(
        (others, numbers) -> {
          List<String> pieces = new ArrayList<>(others);
          if (!numbers.getFirst().isEmpty()) {
            pieces.set(place, numbers.size() == 1 ? numbers.getFirst() : ranges(numbers));
          }
          result.add(pieces);
        });
    return result;
  }

  private static boolean isShort(String number) {
    return !number.isEmpty() && number.length() <= MAX_DIGITS;
  }

  /** {@code [001-003,010]} of 003, 001, 010, 002. */
  private static String ranges(List<String> numbers) {
    List<String> sorted = new ArrayList<>(numbers);
    sorted.sort(Comparator.comparingInt(String::length).thenComparing(number -> number));
    List<String> parts = new ArrayList<>();
    String first = sorted.getFirst();
    String last = first;
    for (String number : sorted.subList(1, sorted.size())) {
      if (!number.equals(Hostlist.padded(Long.parseLong(last) + 1, last.length()))) {
        parts.add(first.equals(last) ? first : first + "-" + last);
        first = number;
      }
      last = number;
    }
    parts.add(first.equals(last) ? first : first + "-" + last);
    return "[" + String.join(",", parts) + "]";
  }
}
