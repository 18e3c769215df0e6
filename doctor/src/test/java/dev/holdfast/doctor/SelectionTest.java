package dev.holdfast.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.doctor.check.Check;
import java.util.List;
import org.junit.jupiter.api.Test;

class SelectionTest {
  @Test
  void aGroupAnIdAndAStarSelect() {
    assertThat(ids(List.of("gpu"), List.of()))
        .contains("gpu.count")
        .allMatch(id -> id.startsWith("gpu."));
    assertThat(ids(List.of("gpu.count"), List.of())).containsExactly("gpu.count");
    assertThat(ids(List.of("gpu.*"), List.of())).isEqualTo(ids(List.of("gpu"), List.of()));
  }

  @Test
  void skipWinsOverOnlyAndOrderStays() {
    assertThat(ids(List.of("nic", "gpu"), List.of("gpu.count")))
        .doesNotContain("gpu.count")
        .containsExactlyElementsOf(
            ids(List.of(), List.of("gpu.count")).stream()
                .filter(id -> id.startsWith("gpu.") || id.startsWith("nic."))
                .toList());
  }

  @Test
  void aPrefixIsWholeWords() {
    assertThatThrownBy(() -> ids(List.of("gp"), List.of()))
        .hasMessageContaining("no check is called 'gp'")
        .hasMessageContaining("did you mean 'gpu'");
    assertThatThrownBy(() -> ids(List.of(), List.of(""))).hasMessageContaining("''");
  }

  private static List<String> ids(List<String> only, List<String> skip) {
    return Selection.of(Checks.all(), only, skip).stream()
        .map(Check::info)
        .map(info -> info.id())
        .toList();
  }
}
