package dev.holdfast.core.topology;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A set of numbers the kernel gives to things: logical processors (CPUs) or NUMA nodes. Never
 * changes once made. Its text form is the kernel's: {@code 0-3,8}.
 *
 * <p>Kept as the words of bits between its first and its last member: a machine has a set for each
 * of its parts, and most of them are small ones far from zero.
 */
public final class IdSet {
  public static final IdSet EMPTY = new IdSet(0, new long[0]);

  /** Beyond this no kernel numbers anything; it bounds what hostile text can make us hold. */
  public static final int MAX_ID = (1 << 16) - 1;

  private static final int WORD = Long.SIZE;

  private final int base;
  private final long[] words;

  /** The first and the last word are not zero, so that equal sets look alike. */
  private IdSet(int base, long[] words) {
    this.base = base;
    this.words = words;
  }

  /** The set of the bits in the words from the one with the number {@code base}. */
  static IdSet trimmed(int base, long[] words) {
    int from = 0;
    int to = words.length;
    while (to > 0 && words[to - 1] == 0) {
      to--;
    }
    while (from < to && words[from] == 0) {
      from++;
    }
    if (from == to) {
      return EMPTY;
    }
    boolean whole = from == 0 && to == words.length;
    return new IdSet(base + from, whole ? words : Arrays.copyOfRange(words, from, to));
  }

  public static IdSet of(int... ids) {
    if (ids.length == 1) {
      return new IdSet(checked(ids[0]) / WORD, new long[] {1L << ids[0]});
    }
    BitSet bits = new BitSet();
    for (int id : ids) {
      bits.set(checked(id));
    }
    return copyOf(bits);
  }

  public static IdSet range(int first, int last) {
    BitSet bits = new BitSet();
    bits.set(checked(first), checked(last) + 1);
    return copyOf(bits);
  }

  public static IdSet copyOf(BitSet bits) {
    return trimmed(0, bits.toLongArray());
  }

  /** The union of many sets, at the cost of one. */
  public static IdSet union(Iterable<IdSet> sets) {
    int from = Integer.MAX_VALUE;
    int to = 0;
    for (IdSet set : sets) {
      if (!set.isEmpty()) {
        from = Math.min(from, set.base);
        to = Math.max(to, set.base + set.words.length);
      }
    }
    if (from >= to) {
      return EMPTY;
    }
    long[] all = new long[to - from];
    for (IdSet set : sets) {
      for (int i = 0; i < set.words.length; i++) {
        all[set.base - from + i] |= set.words[i];
      }
    }
    return new IdSet(from, all);
  }

  /** Reads {@code 0-3,8}; an empty text is the empty set. */
  public static IdSet parse(String text) {
    return IdText.list(text);
  }

  /**
   * Reads 32-bit hexadecimal words, the high one first, as hwloc ({@code 0x00000303,,0x3}), the
   * kernel ({@code 00000000,0000ffff}) and Slurm ({@code 0xff00}) write them; an empty word is 0.
   */
  public static IdSet parseMask(String text) {
    return IdText.mask(text);
  }

  static int checked(int id) {
    if (id < 0 || id > MAX_ID) {
      throw new IllegalArgumentException(id + " is outside of 0-" + MAX_ID);
    }
    return id;
  }

  public boolean isEmpty() {
    return words.length == 0;
  }

  public int count() {
    int count = 0;
    for (long word : words) {
      count += Long.bitCount(word);
    }
    return count;
  }

  public boolean contains(int id) {
    return id >= 0 && (word(id / WORD) >>> id & 1) != 0;
  }

  private long word(int number) {
    int at = number - base;
    return at >= 0 && at < words.length ? words[at] : 0;
  }

  /** The smallest member, or -1. */
  public int first() {
    return isEmpty() ? -1 : base * WORD + Long.numberOfTrailingZeros(words[0]);
  }

  /** The smallest member at or after {@code from}, or -1. */
  public int next(int from) {
    int at = Math.max(from / WORD, base);
    long word = at == from / WORD ? word(at) & -1L << from : word(at);
    while (word == 0) {
      if (++at >= base + words.length) {
        return -1;
      }
      word = word(at);
    }
    return at * WORD + Long.numberOfTrailingZeros(word);
  }

  /** The largest member, or -1. */
  public int last() {
    int end = base + words.length;
    return isEmpty() ? -1 : end * WORD - 1 - Long.numberOfLeadingZeros(words[words.length - 1]);
  }

  public boolean intersects(IdSet other) {
    int to = Math.min(base + words.length, other.base + other.words.length);
    for (int at = Math.max(base, other.base); at < to; at++) {
      if ((word(at) & other.word(at)) != 0) {
        return true;
      }
    }
    return false;
  }

  public boolean containsAll(IdSet other) {
    for (int i = 0; i < other.words.length; i++) {
      if ((other.words[i] & ~word(other.base + i)) != 0) {
        return false;
      }
    }
    return true;
  }

  public IdSet and(IdSet other) {
    long[] common = words.clone();
    for (int i = 0; i < common.length; i++) {
      common[i] &= other.word(base + i);
    }
    return trimmed(base, common);
  }

  public IdSet or(IdSet other) {
    return union(List.of(this, other));
  }

  public IdSet without(IdSet other) {
    if (!intersects(other)) {
      return this;
    }
    long[] left = words.clone();
    for (int i = 0; i < left.length; i++) {
      left[i] &= ~other.word(base + i);
    }
    return trimmed(base, left);
  }

  public IntStream stream() {
    return IntStream.of(toArray());
  }

  public int[] toArray() {
    int[] ids = new int[count()];
    int at = 0;
    for (int i = 0; i < words.length; i++) {
      for (long word = words[i]; word != 0; word &= word - 1) {
        ids[at++] = (base + i) * WORD + Long.numberOfTrailingZeros(word);
      }
    }
    return ids;
  }

  /** The first members, at most so many. */
  public IdSet firsts(int limit) {
    if (limit >= count()) {
      return this;
    }
    long[] kept = new long[words.length];
    int left = limit;
    for (int i = 0; i < words.length && left > 0; i++) {
      for (long word = words[i]; word != 0 && left > 0; word &= word - 1) {
        kept[i] |= word & -word;
        left--;
      }
    }
    return trimmed(base, kept);
  }

  /** One hexadecimal number, as taskset and Slurm take it: {@code 0xff00}. */
  public String toMask() {
    return IdText.mask(this);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof IdSet set && base == set.base && Arrays.equals(words, set.words);
  }

  @Override
  public int hashCode() {
    return 31 * base + Arrays.hashCode(words);
  }

  @Override
  public String toString() {
    return IdText.list(this);
  }
}
