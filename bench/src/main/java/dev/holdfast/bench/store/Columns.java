package dev.holdfast.bench.store;

import dev.holdfast.core.text.Style;
import java.util.List;

/** Rows of cells in columns: the first ones and the last to the left, numbers to the right. */
final class Columns {
  private Columns() {}

  /**
   * @param texts how many columns at the beginning are words
   */
  static String of(List<List<String>> rows, int texts, Style style) {
    int columns = rows.getFirst().size();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    StringBuilder out = new StringBuilder();
    for (int r = 0; r < rows.size(); r++) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < columns; i++) {
        String cell = rows.get(r).get(i);
        String gap = " ".repeat(widths[i] - cell.length());
        boolean left = i < texts || i == columns - 1;
        line.append(i == 0 ? "" : "  ").append(left ? cell + gap : gap + cell);
      }
      String text = line.toString().stripTrailing();
      out.append(r == 0 ? style.dim(text) : text).append('\n');
    }
    return out.toString();
  }
}
