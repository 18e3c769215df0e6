package dev.holdfast.bench.net;

import dev.holdfast.core.network.NetText;
import dev.holdfast.core.text.Xml;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A heat map of all pairs. Blue is what most reach, yellow to red is slower, black failed; whoever
 * points at a square is told the figures.
 */
public final class PairSvg {
  private static final double LETTER = 6.2;
  private static final double TITLE_LETTER = 9.6;
  private static final int LEGEND = 150;
  private static final int HEAD = 58;
  private static final int EDGE = 20;

  private final StringBuilder out = new StringBuilder();
  private final PairReport report;
  private final @Nullable PairResult[][] matrix;
  private final double typical;
  private final int ranks;
  private final double cell;
  private final double side;

  private PairSvg(PairReport report) {
    this.report = report;
    this.matrix = report.matrix();
    this.typical = report.typical();
    this.ranks = report.names().size();
    this.cell = Math.clamp(640.0 / ranks, 10, 56);
    int longest = report.names().stream().mapToInt(String::length).max().orElse(1);
    this.side = 14 + LETTER * longest;
  }

  /**
   * @param title what it is about, in a line
   */
  public static String of(PairReport report, String title) {
    return new PairSvg(report).draw(title);
  }

  private String draw(String title) {
    double map = cell * ranks;
    double left = EDGE + side;
    double top = HEAD + side;
    double written =
        Math.max(
            TITLE_LETTER * title.length(), LETTER * Math.max(foot().length(), heading().length()));
    double width = Math.max(left + map + 130, EDGE * 2 + written);
    double height = top + Math.max(map, LEGEND) + EDGE + 22;
    out.append(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%s\" height=\"%s\" viewBox=\"0 0 %s %s\" font-family=\"system-ui, sans-serif\" font-size=\"11\" fill=\"#222\">\n"
            .formatted(n(width), n(height), n(width), n(height)));
    out.append("<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
    text(EDGE, 26, "font-size=\"16\" font-weight=\"bold\"", title);
    text(EDGE, 44, "fill=\"#555\"", heading());
    for (int i = 0; i < ranks; i++) {
      double middle = (i + 0.5) * cell;
      if (labelled(i)) {
        text(left - 6, top + middle + 4, "text-anchor=\"end\"", report.names().get(i));
        text(
            0,
            0,
            "transform=\"translate(%s %s) rotate(-90)\""
                .formatted(n(left + middle + 4), n(top - 6)),
            report.names().get(i));
      }
      for (int j = 0; j < ranks; j++) {
        square(left + j * cell, top + i * cell, i, j);
      }
    }
    legend(left + map + 24, top);
    text(EDGE, height - 12, "fill=\"#777\"", foot());
    return out.append("</svg>\n").toString();
  }

  /** Names that would run into each other are left out. */
  private boolean labelled(int rank) {
    return cell >= 12 || rank % 2 == 0;
  }

  private void square(double x, double y, int row, int column) {
    PairResult result = matrix[row][column];
    double share = result == null ? 0 : result.gigabytesPerSecond() / typical;
    String colour = result == null ? "#eee" : result.ok() ? colour(share) : "#111";
    out.append(
        "<g><title>%s</title><rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" fill=\"%s\" stroke=\"#fff\"/>"
            .formatted(Xml.escape(told(result, row)), n(x), n(y), n(cell), n(cell), colour));
    if (result != null && cell >= 40) {
      String figure = result.ok() ? NetText.bandwidth(result.gigabytesPerSecond()) : "×";
      out.append(
          "<text x=\"%s\" y=\"%s\" text-anchor=\"middle\" font-size=\"10\" fill=\"%s\">%s</text>"
              .formatted(
                  n(x + cell / 2),
                  n(y + cell / 2 + 4),
                  result.ok() && share < 0.85 ? "#222" : "#fff",
                  figure));
    }
    if (result != null && result.stalls() > PairTrial.LUCK) {
      loss(x + cell - Math.min(8, cell / 4), y + Math.min(8, cell / 4));
    }
    out.append("</g>\n");
  }

  /** Where packets are lost, whatever the bandwidth looks like. */
  private void loss(double x, double y) {
    out.append(
        "<circle cx=\"%s\" cy=\"%s\" r=\"%s\" fill=\"#c0392b\" stroke=\"#fff\"/>"
            .formatted(n(x), n(y), n(Math.min(4.5, cell / 5))));
  }

  private String told(@Nullable PairResult result, int row) {
    if (result == null) {
      return report.names().get(row);
    }
    return result.ok()
        ? "%s: %s GB/s, %.1f µs, %d of %d exchanges stalled"
            .formatted(
                report.pair(result),
                NetText.bandwidth(result.gigabytesPerSecond()),
                result.latencySeconds() * 1e6,
                result.stalls(),
                result.exchanges())
        : report.pair(result) + ": " + result.failed();
  }

  /** Told apart also by those who do not see red and green. */
  private static String colour(double share) {
    return share >= 0.95
        ? "#2166ac"
        : share >= 0.85
            ? "#4393c3"
            : share >= 0.7 ? "#fddc8c" : share >= 0.5 ? "#f4a04b" : "#c0392b";
  }

  private void legend(double x, double top) {
    String[][] rows = {
      {"#2166ac", "95 % and more"},
      {"#4393c3", "85 % and more"},
      {"#fddc8c", "70 % and more"},
      {"#f4a04b", "50 % and more"},
      {"#c0392b", "less"},
      {"#111", "failed"}
    };
    text(x, top + 10, "fill=\"#555\"", "of the median");
    for (int i = 0; i < rows.length; i++) {
      double y = top + 20 + i * 18;
      out.append(
          "<rect x=\"%s\" y=\"%s\" width=\"12\" height=\"12\" fill=\"%s\"/>\n"
              .formatted(n(x), n(y), rows[i][0]));
      text(x + 18, y + 10, "", rows[i][1]);
    }
    loss(x + 6, top + 26 + rows.length * 18);
    text(x + 18, top + 30 + rows.length * 18, "", "loses packets");
  }

  private String heading() {
    return Double.isNaN(typical)
        ? "nothing got through"
        : "median %s GB/s, %.0f µs"
            .formatted(NetText.bandwidth(typical), report.typicalLatency() * 1e6);
  }

  private String foot() {
    return "%s, %d %s, messages of %d bytes%s"
        .formatted(
            report.plan().transport().word(),
            report.plan().streams(),
            report.plan().streams() == 1 ? "stream" : "streams",
            report.plan().bytes(),
            report.cards().isEmpty() ? "" : "; " + report.cards().getFirst());
  }

  private void text(double x, double y, String more, String text) {
    out.append(
        "<text x=\"%s\" y=\"%s\" %s>%s</text>\n".formatted(n(x), n(y), more, Xml.escape(text)));
  }

  private static String n(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }
}
