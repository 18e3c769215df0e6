package dev.holdfast.core.forensics;

import static dev.holdfast.core.forensics.PickleBytes.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.ByteArrayOutputStream;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Pickles that want memory, depth or time instead of telling something. */
class HostilePickleTest {
  private static void refused(byte[] pickle, String why) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PlainPickle.read(pickle))
        .withMessageContaining(why);
  }

  @Test
  void aListInItselfIsRefused() {
    refused(bytes("]q", 0, "h", 0, "a."), "in itself");
    refused(bytes("]q", 0, "]q", 1, "h", 0, "ah", 0, "h", 1, "a0."), "in itself");
  }

  @Test
  void nestingIsBounded() {
    refused(bytes("]".repeat(100), "a".repeat(99), "."), "too deep");
    refused(bytes("(".repeat(100)), "too deep");
  }

  @Test
  void aFewBytesThatMeanBillionsOfValuesAreRefused() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(bytes("]q", 0));
    for (int level = 1; level < 40; level++) {
      out.writeBytes(bytes("](", "h", level - 1, "h", level - 1, "h", level - 1, "eq", level));
    }
    out.write('.');
    refused(out.toByteArray(), "too deep");
  }

  @Test
  void textThatIsOnlyPromisedTakesNoMemory() {
    refused(bytes("X", 255, 255, 255, 255), "too much text");
    refused(bytes("X", 0, 0, 255, 0), "broken off");
    refused(bytes(0x8d, 0, 0, 0, 0, 0, 0, 0, 0x80), "too much text");
  }

  @Test
  void memoryIsNumberedInOrder() {
    refused(bytes("]r", 255, 255, 255, 127), "out of order");
    refused(bytes("h", 7), "nothing was remembered");
  }

  @Test
  void theSameListTwiceIsNoCircle() {
    assertThat(PlainPickle.read(bytes("](]q", 0, "h", 0, "e.")))
        .isEqualTo(List.of(List.of(), List.of()));
  }
}
