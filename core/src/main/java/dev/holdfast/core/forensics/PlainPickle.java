package dev.holdfast.core.forensics;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads what Python's pickle made of plain data: dictionaries, lists, tuples, texts, numbers, truth
 * and nothing. A pickle is a program; the words of it that make objects or call functions are not
 * known here, so reading one can do no harm.
 *
 * <p>It is read as a stream. A dictionary may be given another shape the moment it is whole ({@link
 * Shaper}), so that a record of ten thousand entries never exists as ten thousand maps. What is
 * bounded: values alive at once, text, depth, and what a value weighs with everything in it counted
 * as often as it is named; a value that lies in another one does not change any more, so there are
 * no cycles.
 */
public final class PlainPickle {
  private static final int MOST_ALIVE = 4_000_000;
  private static final int MOST_TEXT = 256 << 20;
  private static final int MOST_ONE_TEXT = 16 << 20;
  private static final int MOST_DEPTH = 48;
  private static final int MOST_WEIGHT = 16_000_000;
  private static final int BUFFER = 1 << 16;

  /** Makes something smaller of a dictionary that is whole. */
  @FunctionalInterface
  public interface Shaper {
    /**
     * What to keep of the dictionary; null: the dictionary itself.
     *
     * @param pairs its keys and values by turns, from {@code from} to before {@code to}; a value
     *     that is None is null; only to be looked at during the call
     */
    @Nullable Object shape(@Nullable Object[] pairs, int from, int to);

    /**
     * Whether a value under this key is looked at. Others may be left out of the pairs, and be
     * passed over without a look at whether they are right.
     */
    default boolean wants(String key) {
      return true;
    }
  }

  /** Stands for None on the stack. */
  private static final Object NONE = new Object();

  private final InputStream in;
  private final Shaper shaper;
  private final byte[] buffer = new byte[BUFFER + PickleForm.MARGIN];
  private int at;
  private int end;
  private long before;

  private @Nullable Object[] stack = new Object[1024];
  private int top;
  private final int[] marks = new int[MOST_DEPTH];
  private final int[] aliveAtMark = new int[MOST_DEPTH];
  private int markCount;
  private @Nullable Object[] memory = new Object[1024];
  private int remembered;
  private int alive;
  private long text;
  private final PickleForms forms = new PickleForms();

  private PlainPickle(InputStream in, Shaper shaper) {
    this.in = in;
    this.shaper = shaper;
  }

  /**
   * The value: Map, List, String, Long, Double, Boolean or null.
   *
   * @throws IllegalArgumentException if it is not a whole pickle of plain data
   */
  public static @Nullable Object read(byte[] bytes) {
    try {
      return read(new ByteArrayInputStream(bytes), (_, _, _) -> null);
    } catch (EOFException broken) {
      throw new IllegalArgumentException(broken.getMessage(), broken);
    } catch (IOException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /**
   * The value, with dictionaries shaped as they become whole.
   *
   * @throws EOFException if the stream ends before the pickle does
   * @throws IllegalArgumentException if it is not a pickle of plain data
   */
  public static @Nullable Object read(InputStream in, Shaper shaper) throws IOException {
    PlainPickle pickle = new PlainPickle(in, shaper);
    try {
      return pickle.run(-1);
    } catch (IndexOutOfBoundsException | ClassCastException e) {
      throw new IllegalArgumentException("pickle: broken at byte " + pickle.position(), e);
    }
  }

  /** Does word after word until it stands there, or to the end. */
  private @Nullable Object run(int until) throws IOException {
    while (at != until) {
      int word = next();
      switch (word) {
        case 0x80 -> next();
        case 0x95 -> number(8);
        case '(' -> mark();
        case '}' -> dictionary();
        case ']', ')' -> put(new Sequence(2));
        case 'N' -> put(NONE);
        case 0x88 -> put(Boolean.TRUE);
        case 0x89 -> put(Boolean.FALSE);
        case 'K' -> put((long) next());
        case 'M' -> put(number(2));
        case 'J' -> put((long) (int) number(4));
        case 0x8a -> put(signed(next()));
        case 'G' -> put(Double.longBitsToDouble(Long.reverseBytes(number(8))));
        case 'X', 'T' -> put(text(number(4)));
        case 0x8c, 'U' -> put(text(next()));
        case 0x8d -> put(text(number(8)));
        case 'q' -> remember(next());
        case 'r' -> remember(number(4));
        case 0x94 -> remember(remembered);
        case 'h' -> put(known(next()));
        case 'j' -> put(known(number(4)));
        case 's' -> set(top - 2, false);
        case 'u' -> set(toMark(), true);
        case 'a' -> append(top - 1);
        case 'e' -> append(toMark());
        case 't' -> tuple(toMark());
        case 0x85 -> tuple(top - 1);
        case 0x86 -> tuple(top - 2);
        case 0x87 -> tuple(top - 3);
        case '.' -> {
          if (markCount > 0) {
            throw wrong("a list that never ends");
          }
          return open(stack[--top]);
        }
        default ->
            throw new IllegalArgumentException(
                "pickle: not plain data, word 0x%02x at byte %d".formatted(word, position() - 1));
      }
    }
    return null;
  }

  private long position() {
    return before + at;
  }

  private IllegalArgumentException wrong(String what) {
    return new IllegalArgumentException("pickle: " + what + " at byte " + position());
  }

  private int next() throws IOException {
    if (at == end) {
      fill(1);
    }
    return buffer[at++] & 0xff;
  }

  /** So that at least this many bytes can be taken. */
  private void fill(int needed) throws IOException {
    int left = end - at;
    System.arraycopy(buffer, at, buffer, 0, left);
    before += at;
    at = 0;
    end = left;
    while (end < needed) {
      int read = in.read(buffer, end, BUFFER - end);
      if (read < 0) {
        at = end;
        throw new EOFException("pickle: broken off at byte " + position());
      }
      end += read;
    }
  }

  /** Little-endian. */
  private long number(int length) throws IOException {
    if (length > 8) {
      throw wrong("a number of " + length + " bytes");
    }
    if (end - at < length) {
      fill(length);
    }
    long value = 0;
    for (int i = 0; i < length; i++) {
      value |= (buffer[at + i] & 0xffL) << (8 * i);
    }
    at += length;
    return value;
  }

  private long signed(int length) throws IOException {
    long value = number(length);
    int unused = 64 - 8 * length;
    return length > 0 ? value << unused >> unused : value;
  }

  private String text(long length) throws IOException {
    text += length;
    if (length < 0 || length > MOST_ONE_TEXT || text > MOST_TEXT) {
      throw wrong("too much text");
    }
    int size = (int) length;
    if (size <= BUFFER) {
      if (end - at < size) {
        fill(size);
      }
      at += size;
      return new String(buffer, at - size, size, StandardCharsets.UTF_8);
    }
    byte[] first = Arrays.copyOfRange(buffer, at, end);
    byte[] rest = in.readNBytes(size - first.length);
    before += first.length + rest.length;
    at = end;
    if (first.length + rest.length < size) {
      throw new EOFException("pickle: broken off at byte " + position());
    }
    byte[] all = Arrays.copyOf(first, size);
    System.arraycopy(rest, 0, all, first.length, rest.length);
    return new String(all, StandardCharsets.UTF_8);
  }

  private void put(Object value) {
    if (++alive > MOST_ALIVE) {
      throw wrong("more than " + MOST_ALIVE + " values");
    }
    if (top == stack.length) {
      stack = Arrays.copyOf(stack, 2 * top);
    }
    stack[top++] = value;
  }

  private void mark() {
    if (markCount == MOST_DEPTH) {
      throw wrong("nested too deep");
    }
    aliveAtMark[markCount] = alive;
    marks[markCount++] = top;
  }

  private int toMark() {
    return marks[--markCount];
  }

  private void remember(long number) {
    if (number > remembered || number >= MOST_ALIVE) {
      throw wrong("remembered out of order");
    }
    int place = (int) number;
    if (place < remembered) {
      forms.forget(); // their keys may be others now
    }
    if (place == memory.length) {
      memory = Arrays.copyOf(memory, 2 * place);
    }
    memory[place] = stack[top - 1];
    remembered = Math.max(remembered, place + 1);
  }

  private Object known(long number) {
    Object value = number < remembered ? memory[(int) number] : null;
    if (value == null) {
      throw wrong("nothing was remembered as " + number);
    }
    return value;
  }

  /** Nothing below the last mark may be taken from there. */
  private void require(int from) {
    if (from < (markCount == 0 ? 0 : marks[markCount - 1])) {
      throw wrong("a value is missing");
    }
  }

  private static @Nullable Object open(@Nullable Object value) {
    return value == NONE ? null : value;
  }

  private void tuple(int from) {
    require(from);
    Sequence tuple = new Sequence(top - from);
    fillIn(tuple, from);
    put(tuple);
  }

  private void append(int from) {
    require(from - 1);
    Sequence list = (Sequence) Objects.requireNonNull(stack[from - 1]);
    fillIn(list, from);
  }

  private void fillIn(Sequence list, int from) {
    for (int i = from; i < top; i++) {
      nest(stack[i], list, list.nest);
      list.add(open(stack[i]));
    }
    drop(from);
  }

  private void drop(int from) {
    Arrays.fill(stack, from, top, null);
    top = from;
  }

  private void dictionary() throws IOException {
    int from = at - 1;
    PickleForm form = forms.find(buffer, from, end);
    if (form == null || !shaped(form, from)) {
      put(new Dictionary(position() - 1));
    }
  }

  /** Reads of a dictionary only what is wanted of one of its form; false if that is no help. */
  private boolean shaped(PickleForm form, int from) throws IOException {
    int first = top;
    int aliveBefore = alive;
    for (PickleForm.Place place : form.places()) {
      put(place.key());
      Object told = place.told(buffer, from);
      if (told != null) {
        put(told);
      } else {
        at = from + place.from();
        run(from + place.to());
        stack[top - 1] = open(stack[top - 1]);
        place.made(buffer, from, stack[top - 1]);
      }
    }
    Object shaped = shaper.shape(stack, first, top);
    drop(first);
    alive = aliveBefore;
    at = from + (shaped == null ? 1 : form.length());
    if (shaped != null) {
      put(shaped);
    }
    return shaped != null;
  }

  private void set(int from, boolean marked) {
    require(from - 1);
    Dictionary map = (Dictionary) Objects.requireNonNull(stack[from - 1]);
    for (int i = from; i < top; i++) {
      stack[i] = open(stack[i]);
    }
    Object shaped = map.isEmpty() ? shaper.shape(stack, from, top) : null;
    if (shaped != null) {
      if (marked && map.begun >= before) {
        int begun = (int) (map.begun - before);
        forms.add(PickleForm.of(buffer, begun, at, stack, from, shaper::wants));
      }
      drop(from);
      replace(from - 1, map, shaped);
      alive = marked ? Math.min(alive, aliveAtMark[markCount]) : alive;
      return;
    }
    for (int i = from; i + 1 < top; i += 2) {
      Object key = stack[i];
      if (key instanceof String || key instanceof Long) {
        nest(stack[i + 1], map, map.nest);
        map.put(key, stack[i + 1]);
      }
    }
    drop(from);
  }

  /** The small form takes the place of the dictionary, also where it was remembered. */
  private void replace(int place, Dictionary map, Object shaped) {
    stack[place] = shaped;
    if (map.born < remembered && memory[map.born] == map) {
      memory[map.born] = shaped;
    }
  }

  /** Before a part goes into a whole: it is closed from now on, and the whole is deeper by it. */
  private void nest(@Nullable Object part, Object whole, Nest nest) {
    if (nest.closed || part == whole) {
      throw wrong("a value in itself");
    }
    nest.weight++;
    Nest inner = null;
    if (part instanceof Sequence list) {
      inner = list.nest;
    } else if (part instanceof Dictionary map) {
      inner = map.nest;
    }
    if (inner != null) {
      inner.closed = true;
      nest.depth = Math.max(nest.depth, inner.depth + 1);
      nest.weight += inner.weight;
    }
    if (nest.depth > MOST_DEPTH || nest.weight > MOST_WEIGHT) {
      throw wrong("nested too deep");
    }
  }

  private final class Dictionary extends LinkedHashMap<Object, @Nullable Object> {
    private final transient Nest nest = new Nest();

    /** How much was remembered before. */
    private final transient int born = remembered;

    /** Where its first byte stands. */
    private final transient long begun;

    Dictionary(long begun) {
      super(4);
      this.begun = begun;
    }
  }

  private static final class Sequence extends ArrayList<@Nullable Object> {
    private final transient Nest nest = new Nest();

    Sequence(int size) {
      super(size);
    }
  }

  /** How deep and heavy a value is, and whether it lies in another one. */
  private static final class Nest {
    private boolean closed;
    private int depth = 1;
    private long weight = 1;
  }
}
