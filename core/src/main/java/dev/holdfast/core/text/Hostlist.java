package dev.holdfast.core.text;

import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

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

  /** Whether a name can stand in a host list as it is. */
  public static boolean holds(String name) {
    return !name.isEmpty()
        && name.length() <= MAX_NAME
        && ".-".indexOf(name.charAt(0)) < 0
        && name.chars().allMatch(it -> isNameLetter((char) it));
  }

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
    requireShort(text);
    return new Hostlist(text.strip()).list();
  }

  private static void requireShort(String text) {
    if (text.length() > MAX_TEXT) {
      throw new HoldfastException(
          ErrorCode.BAD_HOSTLIST, "the host list is longer than " + MAX_TEXT + " letters");
    }
  }

  /** The short form of these hosts: what {@link #expand} turns into the same set again. */
  public static String compress(Collection<String> hosts) {
    return HostRanges.compress(hosts);
  }

  /**
   * The hosts as runs, in the order written, each as often as it is written; no name is made where
   * names follow each other.
   *
   * @param each takes a run; false: no more is wanted, the rest is only counted
   * @return how many hosts are written
   */
  public static long runs(String text, Predicate<HostRun> each) {
    requireShort(text);
    Hostlist list = new Hostlist(text.strip());
    boolean wanted = true;
    long written = 0;
    do {
      List<List<Range>> parts = list.item();
      written += product(parts);
      wanted = wanted && list.runs(parts, each);
    } while (list.accept(','));
    list.requireEnd();
    return written;
  }

  /** How these runs are written, in their order. */
  public static String write(List<HostRun> runs) {
    List<String> items = new ArrayList<>();
    for (int from = 0, to; from < runs.size(); from = to) {
      HostRun.Family family = runs.get(from).family();
      to = from + 1;
      while (family.width() >= 0 && to < runs.size() && runs.get(to).family().equals(family)) {
        to++;
      }
      items.add(to == from + 1 ? runs.get(from).toString() : write(family, runs.subList(from, to)));
    }
    return String.join(",", items);
  }

  private static String write(HostRun.Family family, List<HostRun> alike) {
    String numbers = alike.stream().map(HostRun::numbers).collect(Collectors.joining(","));
    return family.prefix() + "[" + numbers + "]" + family.suffix();
  }

  private List<String> list() {
    Set<String> hosts = new LinkedHashSet<>();
    long written = 0;
    do {
      List<List<Range>> parts = item();
      written += product(parts);
      requireFew(written);
      expand(parts, hosts);
    } while (accept(','));
    requireEnd();
    return List.copyOf(hosts);
  }

  private void requireEnd() {
    if (at < text.length()) {
      throw wrong("unexpected '" + text.charAt(at) + "'");
    }
  }

  /** Each product of parts; what follows the last part with several pieces is the same for all. */
  private boolean runs(List<List<Range>> parts, Predicate<HostRun> each) {
    int wide = parts.size() - 1;
    String after = "";
    while (wide > 0 && size(parts.get(wide)) == 1) {
      after = parts.get(wide).getFirst().piece(0).concat(after);
      wide--;
    }
    return runs("", parts, 0, wide, after, each);
  }

  private boolean runs(
      String before,
      List<List<Range>> parts,
      int at,
      int wide,
      String after,
      Predicate<HostRun> each) {
    List<Range> part = parts.get(at);
    for (int r = 0; r < part.size(); r++) {
      Range range = part.get(r);
      if (at == wide) {
        if (!run(before, range, after, each)) {
          return false;
        }
        continue;
      }
      for (int i = 0; i < range.count(); i++) {
        if (!runs(before.concat(range.piece(i)), parts, at + 1, wide, after, each)) {
          return false;
        }
      }
    }
    return true;
  }

  /** Numbers of as many digits are one run, unless digits follow them. */
  private boolean run(String before, Range range, String after, Predicate<HostRun> each) {
    boolean last = after.isEmpty() || after.chars().noneMatch(it -> it >= '0' && it <= '9');
    for (int from = 0, to; from < range.count(); from = to) {
      to = last ? Math.min(range.count(), from + range.alike(from)) : from + 1;
      HostRun first = HostRun.of(requireName(before + range.piece(from) + after));
      if (!each.test(new HostRun(first.family(), first.first(), to - from))) {
        return false;
      }
    }
    return true;
  }

  /** A word, or numbers that follow each other. */
  private record Range(String word, long low, int count, int width) {
    String piece(int index) {
      return width == 0 ? word : padded(low + index, width);
    }

    /** How many from there on have as many digits, zeros before them or not. */
    int alike(int index) {
      long number = low + index;
      int digits = Long.toString(number).length();
      long end = 1;
      for (int i = 0; i < digits; i++) {
        end *= 10;
      }
      return width == 0 ? 1 : (int) Math.min(count, end - number);
    }
  }

  private static long product(List<List<Range>> parts) {
    long product = 1;
    for (List<Range> part : parts) {
      product = Math.multiplyExact(product, size(part));
    }
    return product;
  }

  private static long size(List<Range> part) {
    long size = 0;
    for (Range range : part) {
      size += range.count();
    }
    return size;
  }

  private void requireFew(long count) {
    if (count > MAX_HOSTS) {
      throw wrong("more than " + MAX_HOSTS + " hosts");
    }
  }

  /** One item as parts whose product it is: {@code r[1-2]n} has r, then 1 and 2, then n. */
  private List<List<Range>> item() {
    List<List<Range>> parts = new ArrayList<>();
    long count = 1;
    blanks();
    while (at < text.length() && ",] ".indexOf(text.charAt(at)) < 0) {
      parts.add(accept('[') ? brackets() : List.of(new Range(literal(), 0, 1, 0)));
      count *= size(parts.getLast());
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

  private List<Range> brackets() {
    List<Range> numbers = new ArrayList<>();
    long count = 0;
    do {
      String first = digits();
      String last = accept('-') ? digits() : first;
      long low = Long.parseLong(first);
      long high = Long.parseLong(last);
      if (high < low) {
        throw wrong("the range " + first + "-" + last + " runs backwards");
      }
      count += high - low + 1;
      requireFew(count);
      numbers.add(new Range("", low, (int) (high - low + 1), first.length()));
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

  private void expand(List<List<Range>> parts, Set<String> hosts) {
    List<String> names = List.of("");
    for (List<Range> part : parts) {
      List<String> longer = new ArrayList<>(names.size() * (int) size(part));
      for (String name : names) {
        for (Range range : part) {
          for (int i = 0; i < range.count(); i++) {
            longer.add(requireName(name + range.piece(i)));
          }
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
