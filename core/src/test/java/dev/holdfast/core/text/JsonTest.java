package dev.holdfast.core.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
  @Test
  void writtenTreesAreReadBackEqual() {
    Map<String, Object> tree =
        Json.map(
            "text",
            "a \"quoted\"\nline\u0001 ü",
            "count",
            12L,
            "big",
            Long.MAX_VALUE,
            "ratio",
            0.25,
            "yes",
            true,
            "list",
            Arrays.asList(1L, null, Map.of("deep", List.of())),
            "empty",
            Map.of());
    assertThat(Json.read(Json.line(tree))).isEqualTo(tree);
    assertThat(Json.read(Json.pretty(tree))).isEqualTo(tree);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{",
        "[1,",
        "{\"a\":}",
        "{\"a\":1} trailing",
        "{\"a\":1}{\"b\":2}",
        "[1] [2]",
        "{\"a\" 1}",
        "nul",
        "\"open",
        "{'a':1}",
        "\u0000\u0001\u0002",
        "1 2",
        "true false"
      })
  void brokenTextIsRefused(String text) {
    assertThatThrownBy(() -> Json.read(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void deepNestingIsRefusedBeforeTheStackEnds() {
    String bomb = "[".repeat(100_000);
    assertThatThrownBy(() -> Json.read(bomb)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aFieldThatIsThereTwiceIsAnErrorUnlessAForeignToolPrintedIt() {
    String twice = "{\"node\":\"n1\",\"deep\":{\"a\":1,\"b\":2,\"a\":null}}";
    assertThatThrownBy(() -> Json.read(twice)).hasMessage("not JSON: the field 'a' is there twice");
    assertThat(Json.foreignObject(twice)).extractingByKey("deep").hasToString("{a=null, b=2}");
  }

  @Test
  void halfASurrogatePairIsRefusedAndNeverStopsTheWriting() {
    assertThatThrownBy(() -> Json.read("{\"a\":\"x\\ud800\"}")).hasMessageContaining("surrogate");
    assertThatThrownBy(() -> Json.read("{\"\\udc00\":1}")).hasMessageContaining("surrogate");
    assertThat(Json.read("\"\\ud83d\\ude80\"")).isEqualTo("🚀");
    assertThat(Json.foreign("\"x\\ud800\"")).isEqualTo("x\ufffd");
    assertThat(Json.line(Map.of("\udc00", "x\ud800y"))).isEqualTo("{\"\ufffd\":\"x\ufffdy\"}");
  }

  @Test
  void bytesThatAreNoUtf8AreAnError() {
    byte[] overlong = {'"', (byte) 0xc0, (byte) 0xaf, '"'};
    assertThatThrownBy(() -> Unicode.text(overlong)).hasMessage("not UTF-8 at byte 1");
    assertThatThrownBy(() -> Unicode.text(new byte[] {'a', (byte) 0xe2, (byte) 0x80}))
        .hasMessage("not UTF-8 at byte 1");
    assertThatThrownBy(() -> Unicode.text(new byte[] {(byte) 0xed, (byte) 0xa0, (byte) 0x80}))
        .hasMessageStartingWith("not UTF-8");
    assertThat(Unicode.text("ü 🚀".getBytes(java.nio.charset.StandardCharsets.UTF_8)))
        .isEqualTo("ü 🚀");
  }
}
