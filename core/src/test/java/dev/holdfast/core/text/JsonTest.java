package dev.holdfast.core.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
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
        "true false",
        "[1]]",
        "[1,]",
        "[,1]",
        "{\"a\":1,}",
        "{,}",
        "truex",
        "[\"a\"\"b\"]",
        "1\u0000",
        "01",
        "-01",
        "1.",
        "1.e5",
        ".5",
        "+1",
        "-",
        "1e",
        "1e99999999999",
        "NaN",
        "0x10",
        "\"\\x\"",
        "\"\\u12g4\"",
        "\"\\u123\"",
        "\"\\",
        "\u00a01",
        "//c\n1"
      })
  void brokenTextIsRefused(String text) {
    assertThatThrownBy(() -> Json.read(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void numbersAreWholeWhereTheyAre() {
    assertThat(Json.read("[0, -0, 1.50, 1e5, 1E+2, 2.0, 9223372036854775807, 9223372036854775808]"))
        .isEqualTo(List.of(0L, 0L, 1.5, 100_000L, 100L, 2L, Long.MAX_VALUE, 0x1p63));
    assertThat(Json.read("[1e400, 1e-400]")).isEqualTo(List.of(Double.POSITIVE_INFINITY, 0.0));
    assertThatThrownBy(() -> Json.read("1".repeat(100_000))).hasMessageContaining("digits");
  }

  @Test
  void numbersAreWrittenAsPeopleReadThem() {
    assertThat(
            Json.line(List.of(1e10, 1e-5, 5.0, 123456789.125, 1e300, 1e-300, Double.NaN, 0.1, 3L)))
        .isEqualTo("[10000000000.0,0.00001,5.0,123456789.125,1.0E300,1.0E-300,null,0.1,3]");
  }

  @Test
  void everyDoubleIsReadBack() {
    Random random = new Random(7);
    for (int i = 0; i < 20_000; i++) {
      double value = Double.longBitsToDouble(random.nextLong());
      if (Double.isFinite(value)) {
        assertThat(Json.read(Json.line(value)))
            .satisfies(it -> assertThat(((Number) it).doubleValue()).isEqualTo(value));
      }
    }
  }

  @Test
  void aTextIsAsLongAsItIs() {
    String much = "é\n\"\\\u0001x".repeat(200_000);
    assertThat(Json.read(Json.line(List.of(much)))).isEqualTo(List.of(much));
  }

  @Test
  void whatIsIndentedIsReadableToPeople() {
    assertThat(
            Json.pretty(
                Json.map(
                    "a", List.of(1L, List.of(), Map.of(), List.of(2L)), "b", Map.of("c", true))))
        .isEqualTo(
            """
            {
              "a": [
                1,
                [],
                {},
                [
                  2
                ]
              ],
              "b": {
                "c": true
              }
            }
            """);
  }

  @Test
  void deepNestingIsRefusedBeforeTheStackEnds() {
    String bomb = "[".repeat(100_000);
    assertThatThrownBy(() -> Json.read(bomb)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aFieldThatIsThereTwiceIsAnErrorUnlessAForeignToolPrintedIt() {
    String twice = "{\"node\":\"n1\",\"deep\":{\"a\":1,\"b\":2,\"a\":null}}";
    assertThatThrownBy(() -> Json.read(twice))
        .hasMessage("not JSON: the field 'a' is there twice, at character 42");
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
