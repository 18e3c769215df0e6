package dev.holdfast.core.forensics;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads what Python's pickle made of plain data: dictionaries, lists, tuples, texts, numbers, truth
 * and nothing. A pickle is a program; the words of it that make objects or call functions are not
 * known here, so reading one can do no harm. Bounded in size, depth and count.
 */
public final class PlainPickle {
  private static final int MOST_BYTES = 64 << 20;
  private static final int MOST_VALUES = 4_000_000;

  /** Where a list or dictionary began. */
  private static final Object MARK = new Object();

  private final byte[] bytes;
  private final ArrayDeque<Object> stack = new ArrayDeque<>();
  private final Map<Integer, Object> memory = new HashMap<>();
  private int at;
  private int values;

  /** Stands for None, which a stack of values cannot hold. */
  private static final Object NONE = new Object();

  private PlainPickle(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * The value: Map, List, String, Long, Double, Boolean or null.
   *
   * @throws IllegalArgumentException if it is not a whole pickle of plain data
   */
  public static @Nullable Object read(byte[] bytes) {
    if (bytes.length > MOST_BYTES) {
      throw new IllegalArgumentException("pickle: more than 64 MiB");
    }
    PlainPickle pickle = new PlainPickle(bytes);
    try {
      return pickle.run();
    } catch (IndexOutOfBoundsException | java.util.NoSuchElementException | ClassCastException e) {
      throw new IllegalArgumentException("pickle: broken at byte " + pickle.at, e);
    }
  }

  private @Nullable Object run() {
    while (true) {
      int word = next();
      switch (word) {
        case 0x80 -> next();
        case 0x95 -> at += 8;
        case '(' -> stack.push(MARK);
        case '}' -> put(new LinkedHashMap<Object, @Nullable Object>());
        case ']' -> put(new ArrayList<@Nullable Object>());
        case ')' -> put(List.of());
        case 'N' -> put(NONE);
        case 0x88 -> put(true);
        case 0x89 -> put(false);
        case 'K' -> put((long) next());
        case 'M' -> put(number(2));
        case 'J' -> put((long) (int) number(4));
        case 0x8a -> put(number(next(), true));
        case 'G' -> put(Double.longBitsToDouble(Long.reverseBytes(number(8))));
        case 'X' -> put(text(number(4)));
        case 0x8c -> put(text(next()));
        case 0x8d -> put(text(number(8)));
        case 'U' -> put(text(next()));
        case 'T' -> put(text(number(4)));
        case 'q' -> memory.put(next(), stack.element());
        case 'r' -> memory.put((int) number(4), stack.element());
        case 0x94 -> memory.put(memory.size(), stack.element());
        case 'h' -> put(known(next()));
        case 'j' -> put(known((int) number(4)));
        case 's' -> set(List.of(stack.pop(), stack.pop()).reversed());
        case 'u' -> set(toMark());
        case 'a' -> append(List.of(stack.pop()));
        case 'e' -> append(toMark());
        case 't' -> put(plain(toMark()));
        case 0x85 -> tuple(1);
        case 0x86 -> tuple(2);
        case 0x87 -> tuple(3);
        case '.' -> {
          return open(stack.pop());
        }
        default ->
            throw new IllegalArgumentException(
                "pickle: not plain data, word 0x%02x at byte %d".formatted(word, at - 1));
      }
    }
  }

  private int next() {
    return bytes[at++] & 0xff;
  }

  private long number(int length) {
    return number(length, false);
  }

  /** Little-endian. */
  private long number(int length, boolean signed) {
    if (length > 8) {
      throw new IllegalArgumentException("pickle: a number of " + length + " bytes");
    }
    long value = 0;
    for (int i = 0; i < length; i++) {
      value |= (long) next() << (8 * i);
    }
    int unused = 64 - 8 * length;
    return signed && length > 0 ? value << unused >> unused : value;
  }

  private String text(long length) {
    if (length < 0 || length > bytes.length - at) {
      throw new IllegalArgumentException("pickle: a text longer than the rest");
    }
    String text = new String(bytes, at, (int) length, StandardCharsets.UTF_8);
    at += (int) length;
    return text;
  }

  private void put(Object value) {
    if (++values > MOST_VALUES) {
      throw new IllegalArgumentException("pickle: more than " + MOST_VALUES + " values");
    }
    stack.push(value);
  }

  private Object known(int number) {
    Object value = memory.get(number);
    if (value == null) {
      throw new IllegalArgumentException("pickle: nothing was remembered as " + number);
    }
    return value;
  }

  private void tuple(int size) {
    Deque<Object> parts = new ArrayDeque<>();
    for (int i = 0; i < size; i++) {
      parts.push(stack.pop());
    }
    put(plain(List.copyOf(parts)));
  }

  private List<Object> toMark() {
    Deque<Object> parts = new ArrayDeque<>();
    for (Object value = stack.pop(); value != MARK; value = stack.pop()) {
      parts.push(value);
    }
    return List.copyOf(parts);
  }

  private static List<@Nullable Object> plain(List<Object> parts) {
    List<@Nullable Object> plain = new ArrayList<>(parts.size());
    parts.forEach(part -> plain.add(open(part)));
    return plain;
  }

  private static @Nullable Object open(Object value) {
    if (value == MARK) {
      throw new IllegalArgumentException("pickle: a list that never ends");
    }
    return value == NONE ? null : value;
  }

  @SuppressWarnings("unchecked") // Only this class fills the stack.
  private void set(List<Object> pairs) {
    Map<Object, @Nullable Object> map = (Map<Object, @Nullable Object>) stack.element();
    for (int i = 0; i + 1 < pairs.size(); i += 2) {
      Object key = pairs.get(i);
      if (key instanceof String || key instanceof Long) {
        map.put(key, open(pairs.get(i + 1)));
      }
    }
  }

  @SuppressWarnings("unchecked") // Only this class fills the stack.
  private void append(List<Object> parts) {
    List<@Nullable Object> list = (List<@Nullable Object>) stack.element();
    list.addAll(plain(parts));
  }
}
