package dev.holdfast.core.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.core.health.Severity;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Reads {@code table-test.tsv} beside this class. */
class TableTest {
  private static final String FILE = "table-test.tsv";

  @Test
  void rowsAreReadByTheNamesInTheHeader() {
    List<String> rows =
        Table.read(
            TableTest.class,
            FILE,
            row ->
                row.text("name")
                    + row.whole("number")
                    + row.word("severity", Severity.class)
                    + row.words("list"));
    assertThat(rows).containsExactly("a1WARNING[x, y]", "b2FATAL[]");
  }

  @Test
  void whatIsWrongIsSaidWithFileAndLine() {
    assertThatThrownBy(() -> Table.read(TableTest.class, FILE, row -> row.text("list")))
        .hasMessage("table-test.tsv:5: list is empty");
    assertThatThrownBy(() -> Table.read(TableTest.class, FILE, row -> row.whole("name")))
        .hasMessageStartingWith("table-test.tsv:3: ");
    assertThatThrownBy(
            () -> Table.read(TableTest.class, FILE, row -> row.word("name", Severity.class)))
        .hasMessageStartingWith("table-test.tsv:3: ");
    assertThatThrownBy(() -> Table.read(TableTest.class, FILE, row -> row.text("colour")))
        .hasMessage("table-test.tsv:3: no column colour");
  }
}
