package dev.holdfast.launch.report;

import dev.holdfast.core.text.Durations;
import dev.holdfast.core.text.Wrap;
import dev.holdfast.core.text.Xml;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The timeline of a run as one SVG: on top what the time went into, below a line for each rank or
 * node, across both a numbered mark for each interruption. Colours come from the page's style
 * sheet.
 */
final class RunPicture {
  private static final int WIDTH = 1000;
  private static final int LEFT = 116;
  private static final int RIGHT = 14;
  private static final int TOP = 34;
  private static final int STRIP = 30;
  private static final int GAP = 16;
  private static final int MOST_MARKS = 200;
  private static final double SMALLEST = 0.4;
  private static final long[] TICKS = {
    1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14_400, 28_800, 43_200, 86_400,
    172_800, 604_800, 1_209_600, 2_592_000
  };

  private final RunReport report;
  private final StringBuilder out = new StringBuilder();
  private final double scale;

  private RunPicture(RunReport report) {
    this.report = report;
    scale = (WIDTH - LEFT - RIGHT) / Math.max(1e-3, seconds(report.wall()));
  }

  static String of(RunReport report) {
    return new RunPicture(report).draw();
  }

  private String draw() {
    List<Rows.Row> rows = Rows.of(report);
    double each = rows.size() <= 8 ? 20 : rows.size() <= 20 ? 16 : 13;
    double rowsTop = TOP + STRIP + GAP;
    double bottom = rowsTop + rows.size() * each;
    int height = (int) Math.ceil(bottom + 30);
    out.append(
        String.format(
            Locale.ROOT,
            "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"Timeline of the run\">%n",
            WIDTH,
            height));
    ticks(bottom);
    text(LEFT - 8, TOP + STRIP / 2.0 + 4, "end", "label strong", "all ranks");
    strip();
    for (int i = 0; i < rows.size(); i++) {
      row(rows.get(i), rowsTop + i * each, each);
    }
    marks(bottom);
    return out.append("</svg>\n").toString();
  }

  /**
   * Short stretches are joined until they can be seen, so that a long run stays a small picture.
   */
  private void strip() {
    List<RunReport.Segment> waiting = new ArrayList<>();
    double from = LEFT;
    for (RunReport.Segment segment : report.segments()) {
      waiting.add(segment);
      double to = x(segment.to());
      if (to - from >= SMALLEST) {
        RunReport.Segment longest = longest(waiting);
        rect(from, TOP, to - from, STRIP, longest.spent().word(), title(longest));
        waiting.clear();
        from = to;
      }
    }
  }

  private static RunReport.Segment longest(List<RunReport.Segment> segments) {
    RunReport.Segment longest = segments.getFirst();
    for (RunReport.Segment segment : segments) {
      longest = segment.length().compareTo(longest.length()) > 0 ? segment : longest;
    }
    return longest;
  }

  private static String title(RunReport.Segment segment) {
    return (segment.attempt() < 0 ? "" : "attempt " + segment.attempt() + ", ")
        + segment.spent().title()
        + ": "
        + Durations.show(segment.length())
        + ", from "
        + RunText.clock(segment.from());
  }

  private void row(Rows.Row row, double top, double height) {
    double bar = height - 5;
    List<String> faults = new ArrayList<>();
    text(LEFT - 8, top + bar - 1, "end", "label", Wrap.cut(row.label(), 18));
    for (Rows.Piece piece : row.pieces()) {
      double from = x(piece.from());
      double to = Math.max(from + 1, x(piece.to()));
      String title =
          row.label()
              + ", attempt "
              + piece.attempt()
              + ", "
              + RunText.clock(piece.from())
              + " to "
              + RunText.clock(piece.to())
              + (piece.how().isEmpty() ? "" : ": " + piece.how());
      rect(from, top, to - from, bar, "alive", title);
      if (!piece.how().isEmpty()) {
        faults.add(
            String.format(
                Locale.ROOT,
                "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" class=\"fault\"><title>%s</title></circle>%n",
                x(piece.at()),
                top + bar / 2,
                Xml.escape(title)));
      }
    }
    faults.forEach(out::append);
  }

  private void marks(double bottom) {
    List<Loss> losses = report.losses();
    double last = -100;
    for (int i = 0; i < Math.min(MOST_MARKS, losses.size()); i++) {
      RunReport.Attempt attempt = losses.get(i).attempt();
      if (attempt.fault() == null) {
        continue;
      }
      double at = x(attempt.fault());
      out.append(
          String.format(
              Locale.ROOT,
              "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%.1f\" class=\"mark\"/>%n",
              at,
              at,
              TOP - 6,
              bottom));
      if (at - last < 17) {
        continue;
      }
      last = at;
      out.append(
          String.format(
              Locale.ROOT,
              "<circle cx=\"%.1f\" cy=\"%d\" r=\"8.5\" class=\"number\"><title>%s</title></circle>%n",
              at,
              TOP - 14,
              Xml.escape(RunText.cause(attempt.diagnosis()))));
      text(at, TOP - 10, "middle", "digit", String.valueOf(i + 1));
    }
  }

  private void ticks(double bottom) {
    double wall = seconds(report.wall());
    long step = (long) Math.ceil(wall / 8);
    for (long tick : TICKS) {
      if (tick >= wall / 9) {
        step = tick;
        break;
      }
    }
    for (long at = 0; at <= wall; at += Math.max(1, step)) {
      double x = LEFT + at * scale;
      out.append(
          String.format(
              Locale.ROOT,
              "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%.1f\" class=\"tick\"/>%n",
              x,
              x,
              TOP,
              bottom + 4));
      text(x, bottom + 18, x > WIDTH - RIGHT - 24 ? "end" : "middle", "label", tick(at));
    }
  }

  private static String tick(long seconds) {
    return seconds == 0 ? "0" : Durations.show(Duration.ofSeconds(seconds));
  }

  private double x(Duration at) {
    return LEFT + seconds(at) * scale;
  }

  private static double seconds(Duration time) {
    return time.toNanos() / 1e9;
  }

  private void rect(double x, double y, double width, double height, String kind, String title) {
    out.append(
        String.format(
            Locale.ROOT,
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.2f\" height=\"%.1f\" class=\"%s\"><title>%s</title></rect>%n",
            x,
            y,
            width,
            height,
            kind,
            Xml.escape(title)));
  }

  private void text(double x, double y, String anchor, String kind, String text) {
    out.append(
        String.format(
            Locale.ROOT,
            "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" class=\"%s\">%s</text>%n",
            x,
            y,
            anchor,
            kind,
            Xml.escape(text)));
  }
}
