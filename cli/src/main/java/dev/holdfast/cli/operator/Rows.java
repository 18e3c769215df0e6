package dev.holdfast.cli.operator;

import dev.holdfast.core.text.Columns;
import dev.holdfast.core.text.Style;
import dev.holdfast.core.text.Visible;
import dev.holdfast.core.text.Wrap;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A table that fits the terminal: the last column takes what is left and is cut there; what stands
 * in the columns before it can be copied whole.
 */
final class Rows {
  private static final int LEAST_LAST = 16;

  private final String[] heading;
  private final List<List<String>> rows = new ArrayList<>();

  Rows(String... heading) {
    this.heading = heading;
  }

  void add(String... cells) {
    List<String> shown = new ArrayList<>(List.of(cells));
    shown.set(cells.length - 1, oneLine(shown.getLast()));
    shown.replaceAll(Visible::line);
    rows.add(shown);
  }

  int size() {
    return rows.size();
  }

  String text(Style style, int width) {
    int last = heading.length - 1;
    int before = 0;
    for (int column = 0; column < last; column++) {
      int widest = heading[column].length();
      for (List<String> row : rows) {
        widest = Math.max(widest, Math.max(1, row.get(column).length()));
      }
      before += widest + 2;
    }
    int room = Math.max(LEAST_LAST, width - before);
    Columns columns = new Columns(Set.of(), heading);
    for (List<String> row : rows) {
      List<String> cells = new ArrayList<>(row);
      cells.set(last, Wrap.cut(cells.get(last), room));
      columns.add(cells);
    }
    return columns.text(style);
  }

  private static String oneLine(String text) {
    return text.replaceAll("\\s+", " ").strip();
  }
}
