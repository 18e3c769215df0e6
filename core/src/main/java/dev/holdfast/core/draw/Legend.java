package dev.holdfast.core.draw;

import dev.holdfast.core.draw.Canvas.Pen;
import java.util.List;

/** Which line is what: marks with names, as many in a row as have room. */
public final class Legend {
  private static final double SIZE = 11;
  private static final double ROW = 18;
  private static final double SWATCH = 22;

  private Legend() {}

  /** Returns how high it has become. */
  public static double paint(Canvas canvas, List<String> names, double x, double y, double width) {
    double at = x;
    double row = y;
    for (int i = 0; i < names.size(); i++) {
      double wide = SWATCH + Lettering.width(names.get(i), SIZE) + 18;
      if (at > x && at + wide > x + width) {
        at = x;
        row += ROW;
      }
      canvas.line(at, row + 8, at + 16, row + 8, Plot.colour(i), 2);
      Plot.mark(canvas, i, at + 8, row + 8);
      canvas.text(
          names.get(i), at + SWATCH, row + 12, x + width - at - SWATCH, Pen.of(SIZE, Plot.INK));
      at += wide;
    }
    return names.isEmpty() ? 0 : row + ROW - y;
  }
}
