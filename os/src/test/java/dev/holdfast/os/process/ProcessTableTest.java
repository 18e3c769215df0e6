package dev.holdfast.os.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.os.process.ProcessTable.Row;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ProcessTableTest {
  @Test
  void aNameMayHoldAnything() {
    assertThat(ProcessTable.row("42 (a) R 1 (b)) S 7 40 39 0 -1 4194560 1"))
        .contains(new Row(42, 7, 40, 39, 'S'));
    assertThat(ProcessTable.row("42 (x\ny) D 7 40 39 0 -1")).contains(new Row(42, 7, 40, 39, 'D'));
    assertThat(ProcessTable.row("")).isEmpty();
    assertThat(ProcessTable.row("42 (x) S")).isEmpty();
    assertThat(ProcessTable.row("42 (x) S a b c d e")).isEmpty();
  }

  @Test
  void descendantsAreFoundWithoutThoseOfOthers() {
    ProcessTable table =
        new ProcessTable(
            List.of(
                row(1, 0),
                row(10, 1),
                row(11, 10),
                row(12, 11),
                row(20, 10),
                row(21, 20),
                row(9, 1)));
    assertThat(table.below(Set.of(10L), Set.of())).containsExactlyInAnyOrder(11L, 12L, 20L, 21L);
    assertThat(table.below(Set.of(10L), Set.of(20L))).containsExactlyInAnyOrder(11L, 12L);
    assertThat(table.below(Set.of(99L), Set.of())).isEmpty();
  }

  @Test
  void thisProcessIsInTheTableWithItsVariables() {
    long self = ProcessHandle.current().pid();
    assertThat(ProcessTable.read().find(self)).get().matches(Row::alive);
    String path = "PATH=" + System.getenv("PATH");
    assertThat(ProcessTable.hasVariable(self, path)).isTrue();
    assertThat(ProcessTable.hasVariable(self, path + "x")).isFalse();
    assertThat(ProcessTable.hasVariable(self, "PATH")).isFalse();
  }

  private static Row row(long pid, long parent) {
    return new Row(pid, parent, pid, pid, 'S');
  }
}
