package dev.holdfast.core.forensics;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * How a dictionary was written: which words stand where. The entries of a dump are written alike,
 * thousands of times, with other numbers. One that has the form of an earlier one need not be read
 * word by word: what is wanted of it stands at known places, and the rest is passed over.
 */
final class PickleForm {
  private static final int LONGEST = 2048;
  private static final VarHandle EIGHT =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** What a reader's array must have room for behind the last byte. */
  static final int MARGIN = Long.BYTES;

  /** Where a value stands, and what stood there last. */
  static final class Place {
    private final String key;
    private final int from;
    private final int to;

    /** Where the bytes of a number begin. */
    private final int first;

    /** How many bits of the eight bytes from there are not the number's; −1: it is no number. */
    private final int beside;

    private final boolean signed;

    /** Ones for the bytes of a short value. */
    private final long own;

    private long last;
    private @Nullable Object value;

    private Place(String key, byte[] bytes, int from, int to) {
      this.key = key;
      this.from = from;
      this.to = to;
      int word = bytes[from] & 0xff;
      int digits =
          switch (word) {
            case 'K' -> 1;
            case 'M' -> 2;
            case 'J' -> 4;
            case 0x8a -> bytes[from + 1];
            default -> 0;
          };
      this.first = from + (word == 0x8a ? 2 : 1);
      // A tuple may begin with a number, too.
      this.beside = digits > 0 && first + digits == to ? Long.SIZE - 8 * digits : -1;
      this.signed = word == 'J' || word == 0x8a;
      this.own = to - from < Long.BYTES ? -1L >>> Long.SIZE - 8 * (to - from) : 0;
    }

    String key() {
      return key;
    }

    /** Counted from the dictionary's first byte, as is {@link #to()}, the byte behind it. */
    int from() {
      return from;
    }

    int to() {
      return to;
    }

    /** The value, if it can be told without doing words; null: it cannot. */
    @Nullable Object told(byte[] buffer, int dictionary) {
      if (beside >= 0) {
        long bits = (long) EIGHT.get(buffer, dictionary + first) << beside;
        return signed ? bits >> beside : bits >>> beside;
      }
      return value != null && bytes(buffer, dictionary) == last ? value : null;
    }

    /** The value was made of words; the same bytes are the same value from now on. */
    void made(byte[] buffer, int dictionary, @Nullable Object made) {
      value = own == 0 ? null : made;
      last = bytes(buffer, dictionary);
    }

    private long bytes(byte[] buffer, int dictionary) {
      return (long) EIGHT.get(buffer, dictionary + from) & own;
    }
  }

  private final long[] bytes;

  /** Ones where the bytes must be the same: words and keys. */
  private final long[] fixed;

  private final int length;
  private final Place[] places;

  private PickleForm(long[] bytes, long[] fixed, int length, Place[] places) {
    this.bytes = bytes;
    this.fixed = fixed;
    this.length = length;
    this.places = places;
  }

  int length() {
    return length;
  }

  Place[] places() {
    return places;
  }

  /** Whether what begins there is written like this. */
  boolean fits(byte[] buffer, int at, int end) {
    if (end - at < length) {
      return false;
    }
    for (int i = 0; i < bytes.length; i++) {
      if ((((long) EIGHT.get(buffer, at + 8 * i) ^ bytes[i]) & fixed[i]) != 0) {
        return false;
      }
    }
    return true;
  }

  /**
   * The form of a dictionary that was just read; null if it has none: only words that change
   * nothing for those that come after, and no dictionary in it.
   *
   * @param from its first byte
   * @param to the byte behind its last
   * @param pairs its keys and values by turns, from {@code first}
   */
  static @Nullable PickleForm of(
      byte[] buffer,
      int from,
      int to,
      @Nullable Object[] pairs,
      int first,
      Predicate<String> wanted) {
    int length = to - from;
    if (length > LONGEST || buffer[from + 1] != '(') {
      return null;
    }
    byte[] bytes = Arrays.copyOfRange(buffer, from, from + (length + 7) / 8 * 8);
    Trace trace = new Trace(bytes, length);
    if (!trace.whole()) {
      return null;
    }
    List<Place> places = new ArrayList<>();
    for (int i = 0; i < trace.count; i += 2) {
      int value = trace.starts[i + 1];
      Arrays.fill(trace.fixed, trace.starts[i], value, (byte) -1);
      if (pairs[first + i] instanceof String key && wanted.test(key)) {
        places.add(new Place(key, bytes, value, trace.starts[i + 2]));
      }
    }
    return new PickleForm(longs(bytes), longs(trace.fixed), length, places.toArray(Place[]::new));
  }

  /** Follows the words of a dictionary without doing them. */
  private static final class Trace {
    private final byte[] bytes;
    private final int length;
    private final byte[] fixed;

    /** Where each key and each value begins, and the dictionary's last word. */
    private final int[] starts;

    private final int[] marks;
    private int count;
    private int depth;

    /** The word before. */
    private int last = '(';

    Trace(byte[] bytes, int length) {
      this.bytes = bytes;
      this.length = length;
      this.fixed = new byte[bytes.length];
      this.starts = new int[length];
      this.marks = new int[length];
    }

    /** Whether all of it could be followed, to pairs of keys and values. */
    boolean whole() {
      int end = length - 1;
      Arrays.fill(fixed, 0, 2, (byte) -1);
      int at = 2;
      while (at < end) {
        int size = word(at);
        if (size == 0) {
          return false;
        }
        at += size;
      }
      fixed[end] = -1;
      starts[count] = end;
      return at == end && depth == 0 && count % 2 == 0;
    }

    /** How long the word is with what belongs to it; 0: not one that can be passed over. */
    private int word(int at) {
      int word = bytes[at] & 0xff;
      int previous = last;
      last = word;
      fixed[at] = -1;
      switch (word) {
        case '(' -> {
          if (previous != ']') {
            return 0; // more for a list that others may know
          }
          marks[depth++] = count;
        }
        case 'e' -> {
          if (depth == 0) {
            return 0;
          }
          count = marks[--depth];
        }
        case 0x85, 0x86, 0x87 -> count -= word - 0x85;
        default -> starts[count++] = at;
      }
      return switch (word) {
        case '(', 'e', ']', ')', 0x85, 0x86, 0x87, 'N', 0x88, 0x89 -> 1;
        case 'K', 'h' -> 2;
        case 'M' -> 3;
        case 'J', 'j' -> 5;
        case 'G' -> 9;
        case 0x8a -> {
          fixed[at + 1] = -1;
          yield 2 + bytes[at + 1];
        }
        default -> 0;
      };
    }
  }

  private static long[] longs(byte[] bytes) {
    long[] longs = new long[bytes.length / 8];
    for (int i = 0; i < longs.length; i++) {
      longs[i] = (long) EIGHT.get(bytes, 8 * i);
    }
    return longs;
  }
}
