package dev.holdfast.core.topology;

import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A set of numbers the kernel gives to things: logical processors (CPUs) or NUMA nodes. Never
 * changes once made. Its text form is the kernel's: {@code 0-3,8}.
 */
public final class IdSet {
  public static final IdSet EMPTY = new IdSet(new BitSet());

  /** Beyond this no kernel numbers anything; it bounds what hostile text can make us hold. */
  public static final int MAX_ID = (1 << 16) - 1;

  /** As long as a mask or a list of that many can be, with every number written out. */
  private static final int MAX_CHARACTERS = 8 * (MAX_ID + 1);

  private final BitSet bits;

  private IdSet(BitSet bits) {
    this.bits = bits;
  }

  public static IdSet of(int... ids) {
    BitSet bits = new BitSet();
    for (int id : ids) {
      bits.set(checked(id));
    }
    return new IdSet(bits);
  }

  public static IdSet range(int first, int last) {
    BitSet bits = new BitSet();
    bits.set(checked(first), checked(last) + 1);
    return new IdSet(bits);
  }

  public static IdSet copyOf(BitSet bits) {
    return new IdSet((BitSet) bits.clone());
  }

  /** The union of many sets, at the cost of one. */
  public static IdSet union(Iterable<IdSet> sets) {
    BitSet bits = new BitSet();
    sets.forEach(set -> bits.or(set.bits));
    return new IdSet(bits);
  }

  /** Reads {@code 0-3,8}; an empty text is the empty set. */
  public static IdSet parse(String text) {
    BitSet bits = new BitSet();
    if (text.isBlank()) {
      return EMPTY;
    }
    if (text.length() > MAX_CHARACTERS) {
      throw new IllegalArgumentException(
          "a list of numbers with more than " + MAX_CHARACTERS + " characters");
    }
    for (String part : text.strip().split(",", -1)) {
      String range = part.strip();
      int dash = range.indexOf('-');
      int first = number(dash < 0 ? range : range.substring(0, dash), text);
      int last = dash < 0 ? first : number(range.substring(dash + 1), text);
      if (first > last) {
        throw new IllegalArgumentException(
            "'" + Shown.of(text) + "' has a range that runs backwards");
      }
      bits.set(first, last + 1);
    }
    return new IdSet(bits);
  }

  /**
   * Reads 32-bit hexadecimal words, the high one first, as hwloc ({@code 0x00000303,,0x3}), the
   * kernel ({@code 00000000,0000ffff}) and Slurm ({@code 0xff00}) write them; an empty word is 0.
   */
  public static IdSet parseMask(String text) {
    if (text.length() > MAX_CHARACTERS) {
      throw new IllegalArgumentException("a mask with more than " + (MAX_ID + 1) + " bits");
    }
    String[] words = text.strip().split(",", -1);
    if (words.length == 1) {
      return longMask(words[0], text);
    }
    if (words.length > (MAX_ID + 1) / 32) {
      throw new IllegalArgumentException("a mask with more than " + (MAX_ID + 1) + " bits");
    }
    BitSet bits = new BitSet();
    for (int i = 0; i < words.length; i++) {
      int base = 32 * (words.length - 1 - i);
      long word = word(words[i], text);
      for (int bit = 0; bit < 32; bit++) {
        if ((word >>> bit & 1) != 0) {
          bits.set(base + bit);
        }
      }
    }
    return new IdSet(bits);
  }

  private static IdSet longMask(String digits, String text) {
    String hex = digits.startsWith("0x") ? digits.substring(2) : digits;
    if (hex.length() > (MAX_ID + 1) / 4) {
      throw new IllegalArgumentException("a mask with more than " + (MAX_ID + 1) + " bits");
    }
    BitSet bits = new BitSet();
    for (int i = 0; i < hex.length(); i++) {
      int nibble = Character.digit(hex.charAt(hex.length() - 1 - i), 16);
      if (nibble < 0) {
        throw notMask(text);
      }
      for (int bit = 0; bit < 4; bit++) {
        if ((nibble >> bit & 1) != 0) {
          bits.set(4 * i + bit);
        }
      }
    }
    return new IdSet(bits);
  }

  private static long word(String digits, String text) {
    String hex = digits.startsWith("0x") ? digits.substring(2) : digits;
    if (hex.isEmpty()) {
      return 0;
    }
    long value = 0;
    for (int i = 0; i < hex.length(); i++) {
      int digit = Character.digit(hex.charAt(i), 16);
      value = value << 4 | digit;
      if (digit < 0 || value > 0xffff_ffffL) {
        throw notMask(text);
      }
    }
    return value;
  }

  private static IllegalArgumentException notMask(String text) {
    return new IllegalArgumentException(
        "'" + Shown.of(text) + "' is not a mask of hexadecimal words");
  }

  private static int number(String digits, String text) {
    try {
      return checked(Integer.parseInt(digits.strip()));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "'" + Shown.of(text) + "' is not a list of numbers such as 0-3,8", e);
    }
  }

  private static int checked(int id) {
    if (id < 0 || id > MAX_ID) {
      throw new IllegalArgumentException(id + " is outside of 0-" + MAX_ID);
    }
    return id;
  }

  public boolean isEmpty() {
    return bits.isEmpty();
  }

  public int count() {
    return bits.cardinality();
  }

  public boolean contains(int id) {
    return id >= 0 && bits.get(id);
  }

  /** The smallest member, or -1. */
  public int first() {
    return bits.nextSetBit(0);
  }

  /** The smallest member at or after {@code from}, or -1. */
  public int next(int from) {
    return bits.nextSetBit(from);
  }

  /** The largest member, or -1. */
  public int last() {
    return bits.length() - 1;
  }

  public boolean intersects(IdSet other) {
    return bits.intersects(other.bits);
  }

  public boolean containsAll(IdSet other) {
    for (int id = other.first(); id >= 0; id = other.next(id + 1)) {
      if (!bits.get(id)) {
        return false;
      }
    }
    return true;
  }

  public IdSet and(IdSet other) {
    BitSet copy = (BitSet) bits.clone();
    copy.and(other.bits);
    return new IdSet(copy);
  }

  public IdSet or(IdSet other) {
    return union(List.of(this, other));
  }

  public IdSet without(IdSet other) {
    BitSet copy = (BitSet) bits.clone();
    copy.andNot(other.bits);
    return new IdSet(copy);
  }

  public IntStream stream() {
    return bits.stream();
  }

  public int[] toArray() {
    return bits.stream().toArray();
  }

  /** One hexadecimal number, as taskset and Slurm take it: {@code 0xff00}. */
  public String toMask() {
    StringBuilder hex = new StringBuilder();
    for (int nibble = Math.max(0, last()) / 4; nibble >= 0; nibble--) {
      int value = 0;
      for (int bit = 0; bit < 4; bit++) {
        value |= contains(4 * nibble + bit) ? 1 << bit : 0;
      }
      hex.append(Character.forDigit(value, 16));
    }
    return "0x" + hex;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof IdSet set && bits.equals(set.bits);
  }

  @Override
  public int hashCode() {
    return bits.hashCode();
  }

  @Override
  public String toString() {
    StringBuilder out = new StringBuilder();
    for (int first = bits.nextSetBit(0); first >= 0; ) {
      int end = bits.nextClearBit(first);
      out.append(out.isEmpty() ? "" : ",").append(first);
      if (end - first > 1) {
        out.append('-').append(end - 1);
      }
      first = bits.nextSetBit(end);
    }
    return out.toString();
  }
}
