package dev.holdfast.os.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class OwnArgumentsTest {
  @Test
  void wordsEndWithAZeroAndMayBeEmpty() {
    assertThat(OwnArguments.split("a\0\0b c\0".getBytes(StandardCharsets.US_ASCII)))
        .containsExactly(new byte[] {'a'}, new byte[0], new byte[] {'b', ' ', 'c'});
  }

  @Test
  void textIsHandedOnAsUtf8() {
    assertThat(OwnArguments.bytes(List.of("Müller")))
        .containsExactly("Müller".getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void aWordWithALostByteIsTakenFromTheKernelsCopy() {
    List<byte[]> words = OwnArguments.bytes(List.of("\uFFFD"));
    // The last word this test was started with, whatever it is, rather than the replacement.
    assertThat(words).hasSize(1);
    assertThat(new String(words.getFirst(), StandardCharsets.UTF_8)).doesNotContain("\uFFFD");
  }
}
