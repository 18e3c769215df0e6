package dev.holdfast.core.forensics.stacks;

import dev.holdfast.core.draw.Canvas;
import dev.holdfast.core.draw.Canvas.Pen;
import dev.holdfast.core.draw.Lettering;
import dev.holdfast.core.draw.Paint;
import java.util.List;

/**
 * The tree as a picture that stays readable however many ranks there are: shared frames are one
 * box, its ranks stand above it, the fewer the warmer; what few ranks do is what one looks for.
 */
public final class StackSvg {
  private static final double WIDE = 260;
  private static final double GAP = 34;
  private static final double LINE = 14;
  private static final double HEAD = 20;
  private static final double SPACE = 14;
  private static final int MOST_LINES = 7;
  private static final int MOST_BELOW = 12;
  private static final int MOST_COLUMNS = 24;
  private static final String INK = "#1f2933";
  private static final String MUTED = "#5b6876";

  private final Canvas canvas = new Canvas();
  private final int all;
  private double right;

  private StackSvg(int all) {
    this.all = Math.max(1, all);
  }

  public static String write(StackTree tree) {
    StackSvg svg = new StackSvg(tree.ranks().size());
    String title = "%d ranks in %d classes".formatted(tree.ranks().size(), tree.classes().size());
    svg.canvas.text(title, 20, 30, 800, Pen.bold(16, INK));
    double height = svg.column(Branch.of(tree), 20, 50, 0, -1, -1) + 20;
    double width = Math.max(420, svg.right + 20);
    return """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %s %s" width="%s" height="%s" \
        font-family="Helvetica,Arial,sans-serif">
        <rect width="100%%" height="100%%" fill="#ffffff"/>
        """
            .formatted(
                Canvas.show(width), Canvas.show(height), Canvas.show(width), Canvas.show(height))
        + svg.canvas.content()
        + "</svg>\n";
  }

  /** Boxes of one level from top to bottom, each with what is below it to its right. */
  private double column(
      List<Branch> branches, double x, double top, int depth, double fromX, double fromY) {
    double y = top;
    int shown = depth >= MOST_COLUMNS ? 0 : Math.min(MOST_BELOW, branches.size());
    for (Branch branch : branches.subList(0, shown)) {
      double own = box(branch, x, y);
      if (fromX >= 0) {
        double middle = y + HEAD + 8;
        canvas.path(
            "M%s %s C%s %s %s %s %s %s"
                .formatted(
                    Canvas.show(fromX),
                    Canvas.show(fromY),
                    Canvas.show(fromX + GAP / 2),
                    Canvas.show(fromY),
                    Canvas.show(x - GAP / 2),
                    Canvas.show(middle),
                    Canvas.show(x),
                    Canvas.show(middle)),
            "#9aa5b1",
            thick(branch));
      }
      double below = column(branch.below(), x + WIDE + GAP, y, depth + 1, x + WIDE, y + HEAD + 8);
      y = Math.max(y + own, below) + SPACE;
    }
    if (shown < branches.size()) {
      int ranks = 0;
      for (Branch branch : branches.subList(shown, branches.size())) {
        ranks += branch.ranks().size();
      }
      canvas.text(
          "and %d more branches, %d ranks".formatted(branches.size() - shown, ranks),
          x,
          y + 12,
          WIDE,
          Pen.of(11, MUTED));
      right = Math.max(right, x + WIDE);
      y += HEAD + SPACE;
    }
    return branches.isEmpty() ? top : y - SPACE;
  }

  private double thick(Branch branch) {
    return 1 + 5.0 * branch.ranks().size() / all;
  }

  private double box(Branch branch, double x, double y) {
    List<String> frames = branch.frames();
    int hidden = frames.size() > MOST_LINES ? frames.size() - MOST_LINES + 1 : 0;
    int lines = frames.size() - hidden + (hidden > 0 ? 1 : 0);
    double height = lines * LINE + 10;
    canvas.open(branch.ranks().text(200) + "\n" + String.join("\n", frames));
    canvas.text(
        Lettering.fit(
            branch.ranks().size()
                + (branch.ranks().size() == 1 ? " rank " : " ranks ")
                + branch.ranks().text(5),
            12,
            WIDE),
        x,
        y + 13,
        WIDE,
        Pen.bold(12, INK));
    canvas.rect(x, y + HEAD, WIDE, height, 4, new Paint(fill(branch), "#9aa5b1"));
    double at = y + HEAD + 15;
    for (int i = 0; i < frames.size(); i++) {
      if (hidden > 0 && i == 2) {
        canvas.text("… " + hidden + " more frames", x + 8, at, WIDE - 16, Pen.of(11, MUTED));
        i += hidden - 1;
      } else {
        canvas.text(
            Lettering.fit(frames.get(i), 11, WIDE - 16), x + 8, at, WIDE - 16, Pen.of(11, INK));
      }
      at += LINE;
    }
    canvas.close();
    right = Math.max(right, x + WIDE);
    return HEAD + height;
  }

  private String fill(Branch branch) {
    double share = (double) branch.ranks().size() / all;
    return share > 0.5 ? "#e8f1fa" : share > 0.1 ? "#fdf3d8" : "#fbd9d3";
  }
}
