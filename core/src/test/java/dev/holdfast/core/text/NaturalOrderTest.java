package dev.holdfast.core.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class NaturalOrderTest {
  @Test
  void numbersCountByValueAndTheRestByLetter() {
    List<String> ordered =
        List.of(
            "",
            "a",
            "a0",
            "a00",
            "a01",
            "a1",
            "a1b",
            "a2",
            "a10",
            "a10b2",
            "a10b10",
            "b",
            "n-1",
            "n99999999999999999999",
            "n100000000000000000000");
    List<String> shuffled = new ArrayList<>(ordered);
    Collections.shuffle(shuffled, new Random(7));
    shuffled.sort(NaturalOrder.NAMES);
    assertThat(shuffled).isEqualTo(ordered);
  }

  @Test
  void onlyEqualTextsCompareEqual() {
    assertThat(NaturalOrder.NAMES.compare("gpu/07", "gpu/7")).isNotZero();
    assertThat(NaturalOrder.NAMES.compare("gpu/7", "gpu/7")).isZero();
  }

  @Test
  void theOrderHoldsAmongAnyThree() {
    Random random = new Random(11);
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      StringBuilder text = new StringBuilder();
      for (int length = random.nextInt(5); length > 0; length--) {
        text.append("a01b2".charAt(random.nextInt(5)));
      }
      texts.add(text.toString());
    }
    for (String a : texts) {
      for (String b : texts) {
        assertThat(Integer.signum(NaturalOrder.NAMES.compare(a, b)))
            .isEqualTo(-Integer.signum(NaturalOrder.NAMES.compare(b, a)));
        for (String c : texts) {
          if (NaturalOrder.NAMES.compare(a, b) <= 0 && NaturalOrder.NAMES.compare(b, c) <= 0) {
            assertThat(NaturalOrder.NAMES.compare(a, c)).as("%s %s %s", a, b, c).isNotPositive();
          }
        }
      }
    }
  }
}
