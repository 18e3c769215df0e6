package dev.holdfast.core.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class MarkerIndexTest {
  private static final List<List<String>> MARKERS =
      List.of(
          List.of("abra"),
          List.of("bra", "cad"),
          List.of("abracadabra"),
          List.of("a c"),
          List.of());

  /** The obvious way. */
  private static List<Integer> slowly(String text) {
    List<Integer> found = new ArrayList<>();
    for (int bit = 0; bit < MARKERS.size(); bit++) {
      if (MARKERS.get(bit).stream().anyMatch(text::contains)) {
        found.add(bit);
      }
    }
    return found;
  }

  private static List<Integer> bits(boolean any, long[] hits) {
    List<Integer> found = new ArrayList<>();
    for (int bit = 0; any && bit < MARKERS.size(); bit++) {
      if ((hits[0] & 1L << bit) != 0) {
        found.add(bit);
      }
    }
    return found;
  }

  @Test
  void textAndBytesGiveWhatSearchingOneByOneGives() {
    MarkerIndex index = new MarkerIndex(MARKERS);
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < 5_000; i++) {
      StringBuilder made = new StringBuilder();
      for (int length = random.nextInt(20); length > 0; length--) {
        made.append("abrcd é".charAt(random.nextInt(7)));
      }
      String text = made.toString();
      long[] hits = new long[index.words()];
      boolean any = index.scan(text, 0, text.length(), hits);
      assertThat(bits(any, hits)).as(text).isEqualTo(slowly(text));
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      any = index.scan(bytes, 0, bytes.length, hits);
      assertThat(bits(any, hits)).as(text).isEqualTo(slowly(text));
    }
  }
}
