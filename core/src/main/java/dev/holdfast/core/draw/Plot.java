package dev.holdfast.core.draw;

import dev.holdfast.core.draw.Canvas.Pen;
import java.util.List;

/**
 * Lines over a grid, each with a band for how far it can be trusted. Nothing is written where lines
 * can be: names stand beside the plot, so no text ever covers another.
 *
 * @param across what the scale below tells
 * @param up what the scale at the left tells
 */
public record Plot(
    String title, String across, String up, Scale below, Scale left, List<Line> lines) {
  public static final String INK = "#1f2933";
  public static final String MUTED = "#5b6876";

  private static final String GRID = "#e3e8ee";
  private static final String AXIS = "#9fb0c2";
  private static final double BAND = 0.2;

  /** Told apart by eyes that see no red or no green as well; the marks are apart without colour. */
  private static final List<String> COLOURS =
      List.of("#0072b2", "#d55e00", "#009e73", "#aa4499", "#8a6d00", "#56b4e9", "#444444");

  public Plot {
    lines = List.copyOf(lines);
  }

  /** A value and between which values it is sure to be. */
  public record Point(double x, double y, double low, double high) {}

  /**
   * Points from left to right.
   *
   * @param number chooses colour and marks; the same thing has the same number in every plot
   * @param goesOn whether it begins where the line before it ended
   */
  public record Line(int number, List<Point> points, boolean goesOn) {
    public Line {
      points = List.copyOf(points);
    }
  }

  static String colour(int number) {
    return COLOURS.get(number % COLOURS.size());
  }

  /** Room at the left for the numbers of the scale. */
  private double margin() {
    return 14
        + left.marks().stream()
            .mapToDouble(it -> Lettering.width(left.words().apply(it), 10))
            .max()
            .orElse(0);
  }

  public void paint(Canvas canvas, double x, double y, double width, double height) {
    canvas.text(title, x, y + 12, width, Pen.bold(12.5, INK));
    canvas.text(up, x, y + 28, width, Pen.of(10, MUTED));
    double at = x + margin();
    Frame frame = new Frame(at, y + 40, x + width - 14 - at, height - 40 - 38);
    grid(canvas, frame);
    canvas.text(
        across,
        frame.x() + frame.width() / 2,
        y + height - 4,
        frame.width(),
        Pen.of(10, MUTED).middle());
    lines.forEach(it -> band(canvas, frame, it));
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).goesOn() && i > 0) {
        connect(
            canvas, frame, lines.get(i - 1).points().getLast(), lines.get(i).points().getFirst());
      }
      line(canvas, frame, lines.get(i));
    }
  }

  private record Frame(double x, double y, double width, double height) {}

  private double across(Frame frame, double value) {
    return frame.x() + below.share(value) * frame.width();
  }

  private double up(Frame frame, double value) {
    double share = Math.clamp(left.share(value), 0, 1);
    return frame.y() + (1 - share) * frame.height();
  }

  private void grid(Canvas canvas, Frame frame) {
    double bottom = frame.y() + frame.height();
    for (double mark : left.marks()) {
      double y = up(frame, mark);
      canvas.line(frame.x(), y, frame.x() + frame.width(), y, GRID, 1);
      canvas.text(left.words().apply(mark), frame.x() - 8, y + 3.5, 90, Pen.of(10, MUTED).end());
    }
    double free = frame.x() - 40;
    for (double mark : below.marks()) {
      double x = across(frame, mark);
      canvas.line(x, frame.y(), x, bottom, GRID, 1);
      String words = below.words().apply(mark);
      double half = Lettering.width(words, 10) / 2;
      if (x - half >= free) {
        canvas.text(words, x, bottom + 16, 2 * half + 1, Pen.of(10, MUTED).middle());
        free = x + half + 6;
      }
    }
    canvas.line(frame.x(), bottom, frame.x() + frame.width(), bottom, AXIS, 1.2);
  }

  private void band(Canvas canvas, Frame frame, Line line) {
    List<Point> points = line.points();
    if (points.size() < 2 || points.stream().allMatch(it -> it.low() == it.high())) {
      return;
    }
    StringBuilder shape = new StringBuilder();
    for (Point point : points) {
      shape.append(shape.isEmpty() ? 'M' : 'L').append(place(frame, point.x(), point.high()));
    }
    for (Point point : points.reversed()) {
      shape.append('L').append(place(frame, point.x(), point.low()));
    }
    canvas.shape(shape.append('Z').toString(), colour(line.number()), BAND);
  }

  private void line(Canvas canvas, Frame frame, Line line) {
    StringBuilder path = new StringBuilder();
    for (Point point : line.points()) {
      path.append(path.isEmpty() ? 'M' : 'L').append(place(frame, point.x(), point.y()));
    }
    canvas.path(path.toString(), colour(line.number()), 2);
    for (Point point : line.points()) {
      double x = across(frame, point.x());
      double y = up(frame, point.y());
      if (line.points().size() == 1 && point.high() > point.low()) {
        canvas.line(
            x, up(frame, point.low()), x, up(frame, point.high()), colour(line.number()), 1.2);
      }
      mark(canvas, line.number(), x, y);
    }
  }

  private void connect(Canvas canvas, Frame frame, Point from, Point to) {
    canvas.dashed(
        across(frame, from.x()),
        up(frame, from.y()),
        across(frame, to.x()),
        up(frame, to.y()),
        AXIS,
        1.4);
  }

  private String place(Frame frame, double x, double y) {
    return Canvas.show(across(frame, x)) + " " + Canvas.show(up(frame, y));
  }

  /** Circle, square, diamond or triangle. */
  static void mark(Canvas canvas, int number, double x, double y) {
    String shape =
        switch (number % 4) {
          case 0 -> "M%s %sm-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0Z";
          case 1 -> "M%s %sm-3.2 -3.2h6.4v6.4h-6.4Z";
          case 2 -> "M%s %sm0 -4.4l4.4 4.4l-4.4 4.4l-4.4 -4.4Z";
          default -> "M%s %sm0 -4.2l4.2 7.4h-8.4Z";
        };
    canvas.shape(shape.formatted(Canvas.show(x), Canvas.show(y)), colour(number), 1);
  }
}
