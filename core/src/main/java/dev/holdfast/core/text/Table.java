package dev.holdfast.core.text;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A table of ours that lies beside a class: tab-separated, {@code #} comments, one header line.
 * Anything wrong in it is a defect of ours, so reading fails at once and names file and line.
 */
public final class Table {
  private Table() {}

  /** One entry per row of the file beside {@code owner}. */
  public static <T> List<T> read(Class<?> owner, String file, Function<Row, T> toEntry) {
    List<T> entries = new ArrayList<>();
    List<String> columns = List.of();
    int number = 0;
    for (String line : text(owner, file).split("\n", -1)) {
      number++;
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      List<String> cells = List.of(line.split("\t", -1));
      if (columns.isEmpty()) {
        columns = cells;
        continue;
      }
      Row row = new Row(file + ":" + number, columns, cells);
      try {
        entries.add(toEntry.apply(row));
      } catch (IllegalArgumentException wrong) {
        throw new IllegalStateException(row.place() + ": " + wrong.getMessage(), wrong);
      }
    }
    return List.copyOf(entries);
  }

  private static String text(Class<?> owner, String file) {
    try (InputStream in = Objects.requireNonNull(owner.getResourceAsStream(file), file)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(file, unreadable);
    }
  }

  /**
   * One row.
   *
   * @param place file and line, for messages
   */
  public record Row(String place, List<String> columns, List<String> cells) {
    public Row {
      if (columns.size() != cells.size()) {
        throw new IllegalStateException(
            place + ": " + cells.size() + " cells, the header has " + columns.size());
      }
    }

    /** The cell, which may be empty. */
    public String optional(String column) {
      int index = columns.indexOf(column);
      if (index < 0) {
        throw new IllegalStateException(place + ": no column " + column);
      }
      return cells.get(index);
    }

    public String text(String column) {
      String cell = optional(column);
      if (cell.isBlank()) {
        throw new IllegalStateException(place + ": " + column + " is empty");
      }
      return cell;
    }

    public int whole(String column) {
      return Integer.parseInt(text(column));
    }

    /** The constant whose name, in small letters with hyphens, stands in the cell. */
    public <E extends Enum<E>> E word(String column, Class<E> kind) {
      return Enum.valueOf(kind, text(column).replace('-', '_').toUpperCase(Locale.ROOT));
    }

    /** The words of a cell, separated by blanks. */
    public List<String> words(String column) {
      return Stream.of(optional(column).split(" ")).filter(word -> !word.isEmpty()).toList();
    }
  }
}
