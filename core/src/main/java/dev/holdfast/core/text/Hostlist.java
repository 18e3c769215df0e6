package dev.holdfast.core.text;

import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Which hosts does {@code gpu[001-250],r[1-2]n[01-04],login1} mean, and how are many hosts written
 * shortly? Slurm's syntax, both ways.
 *
 * <p>Numbers keep the width of the range's first one. A host is named once however often it is
 * written. The number of hosts is known before any is made, so a short text cannot ask for more
 * than {@link #MAX_HOSTS}; names may hold only letters that no shell and no program takes for
 * something else.
 */
public final class Hostlist {
  public static final int MAX_HOSTS = 100_000;

  private static final int MAX_TEXT = 1 << 20;
  private static final int MAX_NAME = 253;
  private static final int MAX_DIGITS = 18;

  private final String text;
  private int at;

  private Hostlist(String text) {
    this.text = text;
  }

  /** Every host, in the order written. */
  public static List<String> expand(String text) {
    if (text.length() > MAX_TEXT) {
      throw new HoldfastException(
          ErrorCode.BAD_HOSTLIST, "the host list is longer than " + MAX_TEXT + " letters");
    }
    return new Hostlist(text.strip()).list();
  }

  /** The short form of these hosts: what {@link #expand} turns into the same set again. */
  public static String compress(Collection<String> hosts) {
    return HostRanges.compress(hosts);
  }

  private List<String> list() {
    Set<String> hosts = new LinkedHashSet<>();
    long written = 0;
    do {
      List<List<String>> parts = item();
      written += parts.stream().mapToLong(List::size).reduce(1, Math::multiplyExact);
      requireFew(written);
      expand(parts, hosts);
    } while (accept(','));
    if (at < text.length()) {
      throw wrong("unexpected '" + text.charAt(at) + "'");
    }
    return List.copyOf(hosts);
  }

  private void requireFew(long count) {
    if (count > MAX_HOSTS) {
      throw wrong("more than " + MAX_HOSTS + " hosts");
    }
  }

  /** One item as parts whose product it is: {@code r[1-2]n} has r, then 1 and 2, then n. */
  private List<List<String>> item() {
    List<List<String>> parts = new ArrayList<>();
    long count = 1;
    blanks();
    while (at < text.length() && ",] ".indexOf(text.charAt(at)) < 0) {
      parts.add(accept('[') ? brackets() : List.of(literal()));
      count *= parts.getLast().size();
      requireFew(count);
      if (parts.size() > MAX_NAME) {
        throw wrong("too many parts in one name");
      }
    }
    if (parts.isEmpty()) {
      throw wrong("a host name is missing");
    }
    blanks();
    return parts;
  }

  private void blanks() {
    while (accept(' ')) {
      continue;
    }
  }

  private String literal() {
    int start = at;
    while (at < text.length() && isNameLetter(text.charAt(at))) {
      at++;
    }
    if (start == at) {
      throw wrong("'" + text.charAt(at) + "' cannot be in a host name");
    }
    return text.substring(start, at);
  }

  private List<String> brackets() {
    List<String> numbers = new ArrayList<>();
    do {
      String first = digits();
      String last = accept('-') ? digits() : first;
      long low = Long.parseLong(first);
      long high = Long.parseLong(last);
      if (high < low) {
        throw wrong("the range " + first + "-" + last + " runs backwards");
      }
      requireFew(high - low + 1 + numbers.size());
      for (long number = low; number <= high; number++) {
        numbers.add(padded(number, first.length()));
      }
    } while (accept(','));
    if (!accept(']')) {
      throw wrong("']' is missing");
    }
    return numbers;
  }

  private String digits() {
    int start = at;
    while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
      at++;
    }
    if (start == at || at - start > MAX_DIGITS) {
      throw wrong(start == at ? "a number is missing in the brackets" : "the number is too long");
    }
    return text.substring(start, at);
  }

  private void expand(List<List<String>> parts, Set<String> hosts) {
    List<String> names = List.of("");
    for (List<String> part : parts) {
      List<String> longer = new ArrayList<>(names.size() * part.size());
      for (String name : names) {
        for (String piece : part) {
          longer.add(requireName(name + piece));
        }
      }
      names = longer;
    }
    hosts.addAll(names);
  }

  private String requireName(String name) {
    if (name.length() > MAX_NAME || name.startsWith("-") || name.startsWith(".")) {
      throw wrong("'" + Wrap.cut(name, 40) + "' is no host name");
    }
    return name;
  }

  static String padded(long number, int width) {
    String digits = Long.toString(number);
    return "0".repeat(Math.max(0, width - digits.length())) + digits;
  }

  private boolean accept(char wanted) {
    boolean found = at < text.length() && text.charAt(at) == wanted;
    at += found ? 1 : 0;
    return found;
  }

  private static boolean isNameLetter(char c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || c == '.'
        || c == '-'
        || c == '_';
  }

  private HoldfastException wrong(String what) {
    return new HoldfastException(
        ErrorCode.BAD_HOSTLIST,
        "host list '%s', letter %d: %s".formatted(Wrap.cut(text, 60), at + 1, what));
  }
}
