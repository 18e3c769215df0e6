package dev.holdfast.core.forensics;

import static dev.holdfast.core.forensics.PickleBytes.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Dictionaries that are written alike are read as any other, only of less of them is made. */
class PickleFormTest {
  private static final String[] KEYS = {"id", "b", "c", "d", "e", "f", "g"};

  /** Keeps what it is shown. */
  private record Seen(Set<String> wanted, List<Map<Object, @Nullable Object>> maps)
      implements PlainPickle.Shaper {
    Seen(String... wanted) {
      this(Set.of(wanted), new ArrayList<>());
    }

    @Override
    public @Nullable Object shape(@Nullable Object[] pairs, int from, int to) {
      Map<Object, @Nullable Object> map = new LinkedHashMap<>();
      for (int i = from; i + 1 < to; i += 2) {
        map.put(Objects.requireNonNull(pairs[i]), pairs[i + 1]);
      }
      if (!map.containsKey("id")) {
        return null;
      }
      maps.add(map);
      return "taken";
    }

    @Override
    public boolean wants(String key) {
      return wanted.contains(key);
    }

    List<Map<Object, @Nullable Object>> ofWanted() {
      return maps.stream()
          .map(
              it -> {
                Map<Object, @Nullable Object> less = new LinkedHashMap<>(it);
                less.keySet().retainAll(wanted);
                return less;
              })
          .toList();
    }
  }

  /** Writes dictionaries whose values are of kinds that are drawn anew now and then. */
  private static final class Writer {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final SplittableRandom random;

    /** For what a value is made of, but not for its numbers. */
    private SplittableRandom shape;

    private int remembered;

    Writer(long seed) {
      this.random = new SplittableRandom(seed);
      this.shape = random.split();
    }

    byte[] bytes(int count) {
      words(0x80, 2, ']', '(');
      long[] shapes = new long[KEYS.length];
      for (int i = 0; i < count; i++) {
        if (random.nextInt(8) == 0) {
          shapes[random.nextInt(KEYS.length)] = random.nextInt(1000);
        }
        words('}', '(');
        for (int k = 0; k < KEYS.length; k++) {
          if (i == 0) {
            text(KEYS[k]);
          } else {
            words('h', k);
          }
          shape = new SplittableRandom(shapes[k]);
          value(i == 0 ? 0 : shape.nextInt(13), 2);
        }
        words('u');
      }
      words('e', '.');
      return out.toByteArray();
    }

    private void words(int... bytes) {
      Arrays.stream(bytes).forEach(out::write);
    }

    private void text(String text) {
      words('X', text.length(), 0, 0, 0);
      out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
      words('q', remembered++);
    }

    private void some(int count) {
      for (int i = 0; i < count; i++) {
        out.write(random.nextInt(256));
      }
    }

    private void value(int kind, int depth) {
      switch (kind) {
        case 0 -> {
          words('K');
          some(1);
        }
        case 1 -> {
          words('M');
          some(2);
        }
        case 2 -> {
          words('J');
          some(4);
        }
        case 3 -> {
          int length = shape.nextInt(9);
          words(0x8a, length);
          some(length);
        }
        case 4 -> words('G', 0x3f, random.nextInt(256), 0, 0, 0, 0, 0, 0);
        case 5 -> words('N');
        case 6 -> words(shape.nextBoolean() ? 0x88 : 0x89);
        case 7 -> words('h', random.nextInt(KEYS.length));
        case 8 -> {
          words(']', '(');
          values(shape.nextInt(3), depth);
          words('e');
        }
        case 9 -> {
          values(2, depth);
          words(0x86);
        }
        case 10 -> {
          int length = shape.nextInt(1, 4);
          values(length, depth);
          words(new int[] {0x85, 0x86, 0x87}[length - 1]);
        }
        case 11 -> words(shape.nextBoolean() ? ']' : ')');
        default -> {
          if (remembered < 250) {
            text("text" + random.nextInt(100));
          } else {
            words('N');
          }
        }
      }
    }

    private void values(int count, int depth) {
      for (int i = 0; i < count; i++) {
        value(shape.nextInt(depth == 0 ? 8 : 12), depth - 1);
      }
    }
  }

  private static Seen seen(byte[] pickle, String... wanted) throws IOException {
    Seen seen = new Seen(wanted);
    PlainPickle.read(new ByteArrayInputStream(pickle), seen);
    return seen;
  }

  @Test
  void whatIsReadByItsFormIsWhatIsReadWordByWord() throws IOException {
    int shorter = 0;
    for (int seed = 0; seed < 400; seed++) {
      byte[] pickle = new Writer(seed).bytes(100);
      List<?> plain = (List<?>) Objects.requireNonNull(PlainPickle.read(pickle));
      assertThat(seen(pickle, KEYS).maps()).as("seed %d", seed).isEqualTo(plain);
      Seen less = seen(pickle, "id", "c", "g");
      assertThat(less.ofWanted())
          .as("seed %d", seed)
          .isEqualTo(
              plain.stream()
                  .map(
                      it -> {
                        Map<Object, @Nullable Object> map = new LinkedHashMap<>((Map<?, ?>) it);
                        map.keySet().retainAll(Set.of("id", "c", "g"));
                        return map;
                      })
                  .toList());
      shorter += (int) less.maps().stream().filter(it -> it.size() == 3).count();
    }
    assertThat(shorter).as("of 40,000 passed over").isGreaterThan(10_000);
  }

  @Test
  void itBreaksOffWhereTheBytesDo() throws IOException {
    byte[] pickle = new Writer(7).bytes(30);
    List<?> plain = (List<?>) Objects.requireNonNull(PlainPickle.read(pickle));
    for (int length = 0; length < pickle.length; length++) {
      Seen seen = new Seen(KEYS);
      try {
        PlainPickle.read(new ByteArrayInputStream(pickle, 0, length), seen);
      } catch (EOFException expected) {
        assertThat(plain.subList(0, seen.maps().size())).isEqualTo(seen.maps());
        continue;
      }
      assertThat(length).as("read although it breaks off").isNegative();
    }
  }

  @Test
  void keysThatAreRememberedAnewAreOtherKeys() throws IOException {
    byte[] pickle =
        bytes(
            "](X", 2, 0, 0, 0, "idq", 0, "X", 1, 0, 0, 0, "bq", 1, // two texts, remembered
            "}(h", 0, "K", 1, "h", 1, "K", 2, "u}(h", 0, "K", 3, "h", 1, "K", 4, "u", "X", 1, 0, 0,
            0, "cq", 1, // b is c from here
            "}(h", 0, "K", 5, "h", 1, "K", 6, "ue.");
    assertThat(seen(pickle, "id", "b", "c").maps())
        .isEqualTo(
            List.of(
                Map.of("id", 1L, "b", 2L), Map.of("id", 3L, "b", 4L), Map.of("id", 5L, "c", 6L)));
  }

  @Test
  void otherKeysAreAnotherForm() throws IOException {
    byte[] pickle =
        bytes(
            "(X", 2, 0, 0, 0, "idq", 0, "X", 1, 0, 0, 0, "bq", 1, "X", 1, 0, 0, 0, "cq", 2, //
            "}(h", 0, "K", 1, "h", 1, "K", 2, "u}(h", 0, "K", 3, "h", 2, "K", 4, "ut.");
    assertThat(seen(pickle, "id", "b", "c").maps())
        .isEqualTo(List.of(Map.of("id", 1L, "b", 2L), Map.of("id", 3L, "c", 4L)));
  }

  @Test
  void numbersOfAnotherLengthAreAnotherForm() throws IOException {
    byte[] pickle =
        bytes(
            "(X", 2, 0, 0, 0, "idq", 0, "X", 1, 0, 0, 0, "bq", 1, //
            "}(h", 0, 0x8a, 2, 1, 1, "h", 1, 0x8a, 1, 5, "u", //
            "}(h", 0, 0x8a, 1, 7, "h", 1, 0x8a, 2, 2, 1, "ut.");
    assertThat(seen(pickle, "id", "b").maps())
        .isEqualTo(List.of(Map.of("id", 257L, "b", 5L), Map.of("id", 7L, "b", 258L)));
  }

  /** Also where its number looks like the word that begins a list. */
  @ParameterizedTest
  @ValueSource(ints = {2, ']'})
  void whatChangesAListThatOthersKnowIsNotPassedOver(int number) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(bytes("(X", 2, 0, 0, 0, "idq", 0, "X", 1, 0, 0, 0, "bq", 1));
    for (int i = 2; i < number; i++) {
      out.writeBytes(bytes("Nq", i));
    }
    out.writeBytes(bytes("]q", number));
    for (int i = 0; i < 5; i++) {
      out.writeBytes(bytes("}(h", 0, "K", i, "h", 1, "h", number, "(K", i, "eu"));
    }
    out.writeBytes(bytes("t."));
    Seen seen = new Seen("id");
    List<?> all =
        (List<?>)
            Objects.requireNonNull(
                PlainPickle.read(new ByteArrayInputStream(out.toByteArray()), seen));
    assertThat(seen.maps()).hasSize(5);
    assertThat(all.get(number)).isEqualTo(List.of(0L, 1L, 2L, 3L, 4L));
  }

  @Test
  void valuesThatWereNeverRememberedAreRefusedHere() {
    byte[] pickle =
        bytes(
            "](X", 2, 0, 0, 0, "idq", 0, "}(h", 0, "h", 0, "u}(h", 0, "h", 0, "u}(h", 0, "h", 9,
            "ue.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> seen(pickle, "id"))
        .withMessageContaining("nothing was remembered as 9");
  }
}
