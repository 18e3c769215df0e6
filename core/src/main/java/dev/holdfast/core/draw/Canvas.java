package dev.holdfast.core.draw;

import dev.holdfast.core.text.Xml;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Writes SVG, and remembers what is where so that lines can keep clear of boxes. */
public final class Canvas {
  private final StringBuilder out = new StringBuilder();
  private final List<Area> solid = new ArrayList<>();
  private final Map<String, Area> named = new LinkedHashMap<>();

  /** A place on the paper. */
  public record Area(double x, double y, double width, double height) {
    public double middle() {
      return x + width / 2;
    }

    public double bottom() {
      return y + height;
    }

    public boolean crossedBy(double lineX, double fromY, double toY) {
      return lineX > x - 2 && lineX < x + width + 2 && toY > y && fromY < bottom();
    }
  }

  /** Where the text of a line stands to its point. */
  public enum Align {
    START,
    MIDDLE,
    END
  }

  /** The look of a text. */
  public record Pen(double size, String colour, boolean bold, Align align) {
    public static Pen of(double size, String colour) {
      return new Pen(size, colour, false, Align.START);
    }

    public static Pen bold(double size, String colour) {
      return new Pen(size, colour, true, Align.START);
    }

    public Pen middle() {
      return new Pen(size, colour, bold, Align.MIDDLE);
    }

    public Pen end() {
      return new Pen(size, colour, bold, Align.END);
    }
  }

  /** What follows belongs together and tells this when it is pointed at. */
  public void open(String title) {
    out.append("<g><title>").append(Xml.escape(title)).append("</title>\n");
  }

  public void close() {
    out.append("</g>\n");
  }

  public void rect(double x, double y, double width, double height, double round, Paint paint) {
    rect(x, y, width, height, round, paint, 1.2, "");
  }

  public void rect(
      double x,
      double y,
      double width,
      double height,
      double round,
      Paint paint,
      double thick,
      String more) {
    out.append(
        "<rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" rx=\"%s\" fill=\"%s\" stroke=\"%s\" stroke-width=\"%s\"%s/>\n"
            .formatted(
                show(x),
                show(y),
                show(width),
                show(height),
                show(round),
                paint.fill(),
                paint.stroke(),
                show(thick),
                more));
  }

  public void path(String data, String colour, double thick) {
    out.append(
        "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"%s\" stroke-linejoin=\"round\"/>\n"
            .formatted(data, colour, show(thick)));
  }

  public void line(double x1, double y1, double x2, double y2, String colour, double thick) {
    path("M%s %sL%s %s".formatted(show(x1), show(y1), show(x2), show(y2)), colour, thick);
  }

  /** A filled shape without an edge, seen through as far as the opacity says. */
  public void shape(String data, String colour, double opacity) {
    out.append(
        "<path d=\"%s\" fill=\"%s\"%s/>\n"
            .formatted(
                data, colour, opacity >= 1 ? "" : " fill-opacity=\"" + show(opacity) + "\""));
  }

  /** A line of dashes. */
  public void dashed(double x1, double y1, double x2, double y2, String colour, double thick) {
    out.append(
        "<path d=\"M%s %sL%s %s\" stroke=\"%s\" stroke-width=\"%s\" stroke-dasharray=\"3 3\"/>\n"
            .formatted(show(x1), show(y1), show(x2), show(y2), colour, show(thick)));
  }

  /** One of the shapes defined at the head of the picture. */
  public void use(String shape, double x, double y, String title) {
    out.append(
        "<use href=\"#%s\" x=\"%s\" y=\"%s\"><title>%s</title></use>\n"
            .formatted(shape, show(x), show(y), Xml.escape(title)));
  }

  /** Text whose base line is at y, cut to the room it has. */
  public void text(String text, double x, double y, double room, Pen pen) {
    String shown = Lettering.fit(text, pen.size() * (pen.bold() ? 1.08 : 1), room);
    if (!shown.isEmpty()) {
      out.append(
          "<text x=\"%s\" y=\"%s\" font-size=\"%s\" fill=\"%s\"%s%s>%s</text>\n"
              .formatted(
                  show(x),
                  show(y),
                  show(pen.size()),
                  pen.colour(),
                  pen.bold() ? " font-weight=\"bold\"" : "",
                  pen.align() == Align.START
                      ? ""
                      : " text-anchor=\"" + pen.align().name().toLowerCase(Locale.ROOT) + "\"",
                  Xml.escape(shown)));
    }
  }

  /** Says that lines must not cross this place. */
  public void occupy(double x, double y, double width, double height) {
    solid.add(new Area(x, y, width, height));
  }

  /** Remembers where something is. */
  public void remember(String name, Area area) {
    named.put(name, area);
  }

  public Map<String, Area> remembered() {
    return named;
  }

  /** Whether a vertical line would cross a box. */
  public boolean blocked(double x, double fromY, double toY) {
    return solid.stream().anyMatch(area -> area.crossedBy(x, fromY, toY));
  }

  /** One decimal at most, always with a point. */
  public static String show(double value) {
    double tenths = Math.rint(value * 10) / 10;
    return tenths == Math.rint(tenths)
        ? Long.toString((long) tenths)
        : String.format(Locale.ROOT, "%.1f", tenths);
  }

  public String content() {
    return out.toString();
  }
}
