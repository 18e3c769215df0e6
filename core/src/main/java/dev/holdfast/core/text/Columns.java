package dev.holdfast.core.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Rows of cells as lines with aligned columns; the first row is the heading. */
public final class Columns {
  private final Set<Integer> numbers;
  private final List<List<String>> rows = new ArrayList<>();

  /**
   * @param numbers the columns aligned to the right
   */
  public Columns(Set<Integer> numbers, String... heading) {
    this.numbers = Set.copyOf(numbers);
    rows.add(List.of(heading));
  }

  /** One more row; an empty cell is shown as a dash, and what would act on a terminal is shown. */
  public void add(List<String> cells) {
    rows.add(cells.stream().map(cell -> cell.isEmpty() ? "-" : Visible.line(cell)).toList());
  }

  public String text(Style style) {
    int[] widths = widths();
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < rows.size(); i++) {
      String line = line(rows.get(i), widths);
      out.append(i == 0 ? style.dim(line) : line).append('\n');
    }
    return out.toString();
  }

  private int[] widths() {
    int[] widths = new int[rows.getFirst().size()];
    for (List<String> row : rows) {
      for (int i = 0; i < row.size(); i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    return widths;
  }

  private String line(List<String> cells, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < cells.size(); i++) {
      String blanks = " ".repeat(widths[i] - cells.get(i).length());
      boolean right = numbers.contains(i);
      line.append(i == 0 ? "" : "  ").append(right ? blanks : "").append(cells.get(i));
      line.append(right ? "" : blanks);
    }
    return line.toString().stripTrailing();
  }
}
