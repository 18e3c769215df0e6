package dev.holdfast.core.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SettingTest {
  private static Setting read(String text) {
    return Setting.read("site.yaml", text);
  }

  @Test
  void valuesAreReadAsWhatTheyAre() {
    Map<String, Setting> values =
        read("a: 1.5\nb: yes it is\nc: 2026-12-31\nd: true\ne: [x, y]\n")
            .mapping(List.of("a", "b", "c", "d", "e"));
    assertThat(values.get("a").number()).isEqualTo(1.5);
    assertThat(values.get("b").text()).isEqualTo("yes it is");
    assertThat(values.get("c").date()).isEqualTo(LocalDate.of(2026, 12, 31));
    assertThat(values.get("d").flag()).isTrue();
    assertThat(values.get("e").list()).extracting(Setting::text).containsExactly("x", "y");
  }

  @Test
  void anUnknownKeyNamesItsLineAndTheNearestKnownOne() {
    assertThatThrownBy(() -> read("checks: 1\n\nreson: x\n").mapping(List.of("checks", "reason")))
        .hasMessage(
            "site.yaml:3: reson: unknown key 'reson' (did you mean 'reason'?); known: checks,"
                + " reason");
  }

  @Test
  void aWrongValueNamesItsPath() {
    Setting second = read("list:\n  - a: 1\n  - a: many\n").mapping().get("list").list().get(1);
    assertThatThrownBy(() -> second.mapping().get("a").number())
        .hasMessage("site.yaml:3: list[2].a: expected a number, found 'many'");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "# nothing\n",
        "a: [",
        "a: b: c",
        "\ta: 1",
        "a: 1\n---\nb: 2\n",
        "a: &x 1\nb: *x\n",
        "a: \"\u0000\"",
        "%YAML 9.9\n---\na: 1\n",
        "!!java.lang.Runtime x: [",
        "}",
        "a: 1\n a: 2\n"
      })
  void whatIsNoPlainYamlIsRefusedWithItsCode(String text) {
    assertThatThrownBy(() -> read(text).mapping())
        .isInstanceOfSatisfying(
            HoldfastException.class,
            error -> {
              assertThat(error.code()).isEqualTo(ErrorCode.BAD_CONFIGURATION);
              assertThat(error.detail()).startsWith("site.yaml");
            });
  }

  @Test
  void aKeyWrittenTwiceIsAnError() {
    assertThatThrownBy(() -> read("a: 1\na: 2\n").mapping())
        .hasMessage("site.yaml:2: the key 'a' is there twice");
  }

  @Test
  void hostileTextsEndWithAnErrorAndNothingElse() {
    for (String text :
        List.of(
            "[".repeat(200_000),
            "- ".repeat(200_000),
            "{a: ".repeat(100_000),
            "a: " + "x".repeat(3 << 20),
            "a: &a [x]\nb: &b [*a,*a]\nc: [*b,*b,*b]\n")) {
      assertThatThrownBy(() -> read(text)).isInstanceOf(HoldfastException.class);
    }
  }

  @Test
  void missingAndMisshapenValuesAreTold() {
    Map<String, Setting> values = read("a:\nb: [1]\nc: {d: 1}\n").mapping();
    assertThatThrownBy(() -> values.get("a").text()).hasMessageContaining("value is missing");
    assertThatThrownBy(() -> values.get("b").text()).hasMessageContaining("found a list");
    assertThatThrownBy(() -> values.get("b").mapping()).hasMessageContaining("found a list");
    assertThatThrownBy(() -> values.get("c").list()).hasMessageContaining("keys with values");
    assertThatThrownBy(() -> values.get("c").date()).hasMessageContaining("keys with values");
  }
}
