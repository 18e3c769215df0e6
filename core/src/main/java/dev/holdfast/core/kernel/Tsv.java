package dev.holdfast.core.kernel;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Severity;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;

/**
 * The tables beside this class: tab-separated, {@code #} comments, one header line. Anything wrong
 * is a defect of ours, so it fails at once and names file, line and column.
 */
final class Tsv {
  private Tsv() {}

  static <T> List<T> read(String file, Function<Row, T> toEntry) {
    List<T> entries = new ArrayList<>();
    List<String> columns = List.of();
    int number = 0;
    for (String line : text(file).split("\n", -1)) {
      number++;
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      List<String> cells = List.of(line.split("\t", -1));
      if (columns.isEmpty()) {
        columns = cells;
        continue;
      }
      Row row = new Row(file, number, columns, cells);
      try {
        entries.add(toEntry.apply(row));
      } catch (IllegalArgumentException wrong) {
        throw row.wrong(String.valueOf(wrong.getMessage()));
      }
    }
    return List.copyOf(entries);
  }

  private static String text(String file) {
    try (InputStream in = Objects.requireNonNull(Tsv.class.getResourceAsStream(file), file)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(file, unreadable);
    }
  }

  record Row(String file, int number, List<String> columns, List<String> cells) {
    Row {
      if (columns.size() != cells.size()) {
        throw new IllegalStateException(
            file + ":" + number + ": " + cells.size() + " cells, header has " + columns.size());
      }
    }

    /** The cell, which may be empty. */
    String optional(String column) {
      int index = columns.indexOf(column);
      if (index < 0) {
        throw wrong("no column " + column);
      }
      return cells.get(index);
    }

    String text(String column) {
      String cell = optional(column);
      if (cell.isBlank()) {
        throw wrong(column + " is empty");
      }
      return cell;
    }

    int whole(String column) {
      return Integer.parseInt(text(column));
    }

    Severity severity() {
      return Severity.valueOf(text("severity").toUpperCase(Locale.ROOT));
    }

    FaultClass faultClass() {
      return FaultClass.valueOf(text("class").toUpperCase(Locale.ROOT));
    }

    NextStep step(String column) {
      return NextStep.find(text(column))
          .orElseThrow(() -> wrong(column + " has no such word: " + text(column)));
    }

    IllegalStateException wrong(String what) {
      return new IllegalStateException(file + ":" + number + ": " + what);
    }
  }
}
