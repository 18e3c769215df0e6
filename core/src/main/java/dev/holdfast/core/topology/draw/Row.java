package dev.holdfast.core.topology.draw;

import dev.holdfast.core.text.Style;
import dev.holdfast.core.text.Wrap;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/**
 * One line of the tree with what is below it. Cells of neighbours of the same sort stand below each
 * other; the tail comes after them where there is room, else on a line of its own.
 *
 * @param sort rows of one sort are aligned with each other; of sorts with the same first word, such
 *     as {@code device gpu} and {@code device nic}, the first two cells are
 */
record Row(String sort, List<Cell> cells, String tail, List<Row> below) {
  private static final String GAP = "  ";

  /** A piece of a line. */
  record Cell(String text, BiFunction<Style, String, String> paint) {
    static Cell plain(String text) {
      return new Cell(text, (_, shown) -> shown);
    }

    static Cell dim(String text) {
      return new Cell(text, Style::dim);
    }

    static Cell bold(String text) {
      return new Cell(text, Style::bold);
    }
  }

  /** A row that is one text. */
  static Row of(String text) {
    return new Row("", List.of(Cell.plain(text)), "", List.of());
  }

  /** The lines of these rows and all below them. */
  static String lines(List<Row> rows, Style style, int width) {
    StringBuilder out = new StringBuilder();
    print(rows, "", style, width, out);
    return out.toString();
  }

  private static void print(
      List<Row> rows, String indent, Style style, int width, StringBuilder out) {
    for (int i = 0; i < rows.size(); i++) {
      Row row = rows.get(i);
      boolean last = i == rows.size() - 1;
      String inner = indent + (last ? "   " : "│  ");
      List<Row> below = row.below;
      int room = width - indent.length() - 3;
      int used = cells(rows, row, indent + (last ? "└─ " : "├─ "), room, style, out);
      if (!row.tail.isEmpty() && used + GAP.length() + row.tail.length() <= room) {
        out.append(GAP).append(row.tail);
      } else if (!row.tail.isEmpty()) {
        below = new ArrayList<>(List.of(of(row.tail)));
        below.addAll(row.below);
      }
      strip(out);
      out.append('\n');
      print(below, inner, style, width, out);
    }
  }

  /** Writes the cells and says how much room they took. */
  private static int cells(
      List<Row> rows, Row row, String before, int room, Style style, StringBuilder out) {
    out.append(style.dim(before));
    int used = 0;
    for (int i = 0; i < row.cells.size(); i++) {
      int column = column(rows, row, i);
      String gap = i == 0 || column == 0 ? "" : GAP;
      if (used + gap.length() >= room) {
        break;
      }
      String text = Wrap.cut(row.cells.get(i).text(), Math.max(0, room - used - gap.length()));
      boolean end = i == row.cells.size() - 1 && row.tail.isEmpty();
      int pad = end ? 0 : Math.max(0, Math.min(column, room - used - gap.length()) - text.length());
      if (!text.isEmpty() || pad > 0) {
        out.append(gap);
        out.append(text.isEmpty() ? "" : row.cells.get(i).paint().apply(style, text));
        out.append(" ".repeat(pad));
        used += gap.length() + text.length() + pad;
      }
    }
    return used;
  }

  private static int column(List<Row> rows, Row row, int index) {
    return rows.stream()
        .filter(other -> index < other.cells.size() && aligned(other.sort, row.sort, index))
        .mapToInt(other -> other.cells.get(index).text().length())
        .max()
        .orElse(0);
  }

  private static boolean aligned(String one, String other, int index) {
    return one.equals(other) || index < 2 && first(one).equals(first(other));
  }

  private static String first(String sort) {
    int blank = sort.indexOf(' ');
    return blank < 0 ? sort : sort.substring(0, blank);
  }

  private static void strip(StringBuilder out) {
    int end = out.length();
    while (end > 0 && out.charAt(end - 1) == ' ') {
      end--;
    }
    out.setLength(end);
  }
}
