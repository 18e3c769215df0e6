package dev.holdfast.core.network;

import dev.holdfast.core.draw.Canvas;
import dev.holdfast.core.draw.Canvas.Pen;
import dev.holdfast.core.draw.Legend;
import dev.holdfast.core.draw.Lettering;
import dev.holdfast.core.draw.Plot;
import dev.holdfast.core.draw.Plot.Line;
import dev.holdfast.core.draw.Plot.Point;
import dev.holdfast.core.draw.Scale;
import dev.holdfast.core.statistics.MedianInterval;
import dev.holdfast.core.text.Bytes;
import dev.holdfast.core.text.Xml;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Results as a picture for a report: bus bandwidth over size at the left, the time of small calls
 * at the right, under which conditions in small print. The same results always give the same bytes.
 *
 * @param smallPrint a paragraph each
 */
public record NetPicture(String title, List<NetLine> lines, List<String> smallPrint) {
  private static final double WIDTH = 1000;
  private static final double MARGIN = 28;
  private static final double PLOT = 330;
  private static final double GAP = 26;
  private static final double SMALL = 9.5;

  /** Up to here the time of a call says more than its bandwidth. */
  private static final long SMALL_CALLS = 64 << 10;

  public NetPicture {
    lines = List.copyOf(lines);
    smallPrint = List.copyOf(smallPrint);
    if (lines.isEmpty()) {
      throw new IllegalArgumentException("there is nothing to draw: no result has a size");
    }
  }

  public String svg() {
    Canvas canvas = new Canvas();
    double wide = WIDTH - 2 * MARGIN;
    double y = MARGIN;
    canvas.text(title, MARGIN, y + 16, wide, Pen.bold(20, Plot.INK));
    canvas.text(subtitle(), MARGIN, y + 36, wide, Pen.of(11.5, Plot.MUTED));
    y += 50;
    y += Legend.paint(canvas, lines.stream().map(NetLine::name).toList(), MARGIN, y, wide) + 12;
    Optional<Plot> bandwidth = bandwidth();
    Optional<Plot> latency = latency();
    double right = bandwidth.isEmpty() ? wide : latency.isEmpty() ? 0 : (wide - GAP) * 0.4;
    double left = bandwidth.isEmpty() ? 0 : latency.isEmpty() ? wide : wide - GAP - right;
    if (bandwidth.isPresent()) {
      bandwidth.get().paint(canvas, MARGIN, y, left, PLOT);
    }
    if (latency.isPresent()) {
      latency.get().paint(canvas, MARGIN + wide - right, y, right, PLOT);
    }
    y += PLOT + 14;
    for (String paragraph : smallPrint) {
      for (String line : Lettering.lines(paragraph, SMALL, wide, 3)) {
        canvas.text(line, MARGIN, y + SMALL, wide, Pen.of(SMALL, Plot.MUTED));
        y += 13;
      }
    }
    return document(canvas.content(), y + MARGIN - 8);
  }

  private String document(String content, double height) {
    return """
        <svg xmlns="http://www.w3.org/2000/svg" role="img" width="%s" height="%s"\
         viewBox="0 0 %s %s" font-family="Helvetica Neue, Helvetica, Arial, Liberation Sans,\
         DejaVu Sans, sans-serif">
        <title>%s</title>
        <rect width="100%%" height="100%%" fill="#ffffff"/>
        %s</svg>
        """
        .formatted(
            Canvas.show(WIDTH),
            Canvas.show(height),
            Canvas.show(WIDTH),
            Canvas.show(height),
            Xml.escape(title),
            content);
  }

  private String subtitle() {
    return lines.stream()
        .flatMap(it -> it.results().stream())
        .filter(it -> Double.isFinite(it.busbw()))
        .max(Comparator.comparingDouble(NetResult::bandwidth))
        .map(NetPicture::best)
        .orElse("");
  }

  private static String best(NetResult best) {
    MedianInterval interval = best.interval();
    String sure =
        best.rounds().size() < 2
            ? ""
            : String.format(
                Locale.ROOT,
                "; %s to %s holds the median of rounds with %.0f %%",
                NetText.bandwidth(interval.low()),
                NetText.bandwidth(interval.high()),
                Math.floor(100 * interval.confidence()));
    return "best: %s GB/s %s at %s%s"
        .formatted(
            NetText.bandwidth(best.bandwidth()),
            best.hasBus() ? "busbw" : "algbw",
            Bytes.of(best.bytes()),
            sure);
  }

  private Optional<Plot> bandwidth() {
    List<Line> drawn = drawn(it -> Double.isFinite(it.busbw()), NetPicture::bandwidthPoint);
    if (drawn.isEmpty()) {
      return Optional.empty();
    }
    boolean bands = lines.stream().anyMatch(it -> it.results().getFirst().rounds().size() > 1);
    return Optional.of(
        new Plot(
            lines.stream().allMatch(it -> it.results().getFirst().hasBus())
                ? "Bus bandwidth"
                : "Bandwidth",
            "size",
            "GB/s" + (bands ? "; band: where the median of rounds is" : ""),
            sizes(drawn, 8),
            Scale.upTo(highest(drawn), 6, NetPicture::plain),
            drawn));
  }

  private static Point bandwidthPoint(NetResult result) {
    MedianInterval interval = result.interval();
    return new Point(result.bytes(), result.bandwidth(), interval.low(), interval.high());
  }

  private Optional<Plot> latency() {
    List<Line> drawn = drawn(NetPicture::small, NetPicture::latencyPoint);
    if (drawn.isEmpty()) {
      return Optional.empty();
    }
    double low = points(drawn).stream().mapToDouble(Point::low).min().orElse(1);
    return Optional.of(
        new Plot(
            "Time of small calls",
            "size",
            "µs; line: p50, band: up to p99",
            sizes(drawn, 5),
            Scale.ratios(low, highest(drawn), 10, NetPicture::plain),
            drawn));
  }

  /** Time in a window of messages is no time of a call. */
  private static boolean small(NetResult result) {
    return switch (result.collective()) {
      case BANDWIDTH, BIDIRECTIONAL -> false;
      default -> result.bytes() <= SMALL_CALLS && result.latency().typical() > 0;
    };
  }

  private static Point latencyPoint(NetResult result) {
    double p50 = result.latency().typical() * 1e6;
    double p99 = result.latency().p99() * 1e6;
    return new Point(result.bytes(), p50, p50, Double.isFinite(p99) ? p99 : p50);
  }

  private List<Line> drawn(Predicate<NetResult> which, Function<NetResult, Point> point) {
    List<Line> drawn = new ArrayList<>();
    NetLine before = null;
    for (int i = 0; i < lines.size(); i++) {
      List<Point> points = lines.get(i).results().stream().filter(which).map(point).toList();
      if (!points.isEmpty()) {
        drawn.add(new Line(i, points, before != null && lines.get(i).continues(before)));
        before = lines.get(i);
      }
    }
    return drawn;
  }

  private static List<Point> points(Collection<Line> lines) {
    return lines.stream().flatMap(it -> it.points().stream()).toList();
  }

  private static double highest(List<Line> lines) {
    return points(lines).stream().mapToDouble(it -> Math.max(it.y(), it.high())).max().orElse(1);
  }

  private static Scale sizes(List<Line> lines, int most) {
    List<Point> points = points(lines);
    return Scale.sizes(
        points.stream().mapToDouble(Point::x).min().orElse(1),
        points.stream().mapToDouble(Point::x).max().orElse(1),
        most,
        it -> Bytes.of(Math.round(it)).toString());
  }

  /** As few decimals as the number needs. */
  private static String plain(double value) {
    return value == 0
        ? "0"
        : new BigDecimal(value).round(new MathContext(3)).stripTrailingZeros().toPlainString();
  }
}
