package dev.holdfast.core.forensics;

import dev.holdfast.core.text.Table;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * An error number of Linux that runs meet: {@code errno.tsv}.
 *
 * @param text as the system says it
 */
public record ErrorNumber(int number, String name, String text, String meaning, String source) {
  private static final List<ErrorNumber> ENTRIES =
      Table.read(ErrorNumber.class, "errno.tsv", ErrorNumber::of);

  private static ErrorNumber of(Table.Row row) {
    return new ErrorNumber(
        row.whole("number"),
        row.text("name"),
        row.text("text"),
        row.text("meaning"),
        row.text("source"));
  }

  public static List<ErrorNumber> entries() {
    return ENTRIES;
  }

  public static Optional<ErrorNumber> find(int number) {
    return ENTRIES.stream().filter(entry -> entry.number == number).findFirst();
  }

  public static Optional<ErrorNumber> find(String name) {
    String wanted = name.toUpperCase(Locale.ROOT);
    return ENTRIES.stream().filter(entry -> entry.name.equals(wanted)).findFirst();
  }
}
