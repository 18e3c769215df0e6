package dev.holdfast.core.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SettingTest {
  private static Setting read(String text) {
    return Setting.read("site.yaml", text);
  }

  private static Setting of(Map<String, Setting> values, String key) {
    return Objects.requireNonNull(values.get(key), key);
  }

  @Test
  void valuesAreReadAsWhatTheyAre() {
    Map<String, Setting> values =
        read("a: 1.5\nb: yes it is\nc: 2026-12-31\nd: true\ne: [x, y]\n")
            .mapping(List.of("a", "b", "c", "d", "e"));
    assertThat(of(values, "a").number()).isEqualTo(1.5);
    assertThat(of(values, "b").text()).isEqualTo("yes it is");
    assertThat(of(values, "c").date()).isEqualTo(LocalDate.of(2026, 12, 31));
    assertThat(of(values, "d").flag()).isTrue();
    assertThat(of(values, "e").list()).extracting(Setting::text).containsExactly("x", "y");
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
    Setting second = of(read("list:\n  - a: 1\n  - a: many\n").mapping(), "list").list().get(1);
    assertThatThrownBy(() -> of(second.mapping(), "a").number())
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
    assertThatThrownBy(() -> of(values, "a").text()).hasMessageContaining("value is missing");
    assertThatThrownBy(() -> of(values, "b").text()).hasMessageContaining("found a list");
    assertThatThrownBy(() -> of(values, "b").mapping()).hasMessageContaining("found a list");
    assertThatThrownBy(() -> of(values, "c").list()).hasMessageContaining("keys with values");
    assertThatThrownBy(() -> of(values, "c").date()).hasMessageContaining("keys with values");
  }
}
