package dev.holdfast.bench.net;

import dev.holdfast.core.network.NetText;
import dev.holdfast.core.text.Counted;
import dev.holdfast.core.text.Wrap;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Every pair in a terminal: figures where there is room for them, else a shade for each pair, and
 * in words those that stand out.
 */
public final class PairText {
  private static final int CELL = 8;
  private static final int LONGEST_NAME = 16;
  private static final int MOST_LISTED = 12;

  private final StringBuilder text = new StringBuilder();
  private final PairReport report;
  private final @Nullable PairResult[][] matrix;
  private final double typical;

  private PairText(PairReport report) {
    this.report = report;
    this.matrix = report.matrix();
    this.typical = report.typical();
  }

  public static String of(PairReport report, int width) {
    return new PairText(report).text(width);
  }

  private String text(int width) {
    int longest = report.names().stream().mapToInt(String::length).max().orElse(1);
    int label = Math.min(LONGEST_NAME, longest);
    if (label + CELL * report.names().size() <= width) {
      figures(label);
    } else {
      shades(label);
    }
    words(width);
    return text.toString();
  }

  private void figures(int label) {
    text.append(
        "%s above the diagonal, latency in µs below\n\n".formatted(slow() ? "MB/s" : "GB/s"));
    text.append(" ".repeat(label));
    report.names().forEach(it -> text.append(right(it, CELL)));
    text.append('\n');
    for (int row = 0; row < report.names().size(); row++) {
      text.append(left(report.names().get(row), label));
      for (int column = 0; column < report.names().size(); column++) {
        text.append(right(cell(row, column), CELL));
      }
      text.append('\n');
    }
  }

  private String cell(int row, int column) {
    PairResult result = matrix[row][column];
    if (result == null) {
      return "·";
    }
    return !result.ok()
        ? "failed"
        : column > row
            ? NetText.bandwidth(result.gigabytesPerSecond() * (slow() ? 1000 : 1))
            : micros(result.latencySeconds());
  }

  /** Figures with many zeros are hard to read. */
  private boolean slow() {
    return typical < 0.1;
  }

  private static String micros(double seconds) {
    double micros = seconds * 1e6;
    return String.format(Locale.ROOT, micros < 10 ? "%.1f" : "%.0f", micros);
  }

  private void shades(int label) {
    text.append(
        "Bandwidth of each pair, of the median: █ 90 % and more, ▓ 75 %, ▒ 50 %, ░ less, x failed\n\n");
    for (int row = 0; row < report.names().size(); row++) {
      text.append(left(report.names().get(row), label)).append("  ");
      for (int column = 0; column < report.names().size(); column++) {
        text.append(shade(row, column));
      }
      text.append('\n');
    }
  }

  private char shade(int row, int column) {
    PairResult result = matrix[row][column];
    if (result == null) {
      return '·';
    }
    double share = result.gigabytesPerSecond() / typical;
    return !result.ok() ? 'x' : share >= 0.9 ? '█' : share >= 0.75 ? '▓' : share >= 0.5 ? '▒' : '░';
  }

  private void words(int width) {
    text.append('\n');
    text.append(
        Double.isNaN(typical)
            ? "Nothing got through.\n"
            : "Median of %s: %s GB/s, %s µs\n"
                .formatted(
                    Counted.of(report.results().size(), "pair"),
                    NetText.bandwidth(typical),
                    micros(report.typicalLatency())));
    List<PairResult> worth = report.worth();
    if (worth.isEmpty()) {
      text.append("No pair stands out.\n");
      return;
    }
    text.append('\n');
    for (PairResult result : worth.subList(0, Math.min(MOST_LISTED, worth.size()))) {
      text.append(Wrap.hanging(sentence(result), 4, width)).append('\n');
    }
    if (worth.size() > MOST_LISTED) {
      text.append("… and %d more pairs\n".formatted(worth.size() - MOST_LISTED));
    }
  }

  private String sentence(PairResult result) {
    if (!result.ok()) {
      return report.pair(result) + ": failed: " + result.failed();
    }
    return "%s: %s GB/s, %.0f %% of the median%s"
        .formatted(
            report.pair(result),
            NetText.bandwidth(result.gigabytesPerSecond()),
            100 * result.gigabytesPerSecond() / typical,
            result.stalls() == 0
                ? ""
                : "; %d of %d exchanges waited for something lost"
                    .formatted(result.stalls(), result.exchanges()));
  }

  private static String left(String text, int room) {
    String fitted = text.length() > room ? text.substring(0, room - 1) + "…" : text;
    return fitted + " ".repeat(room - fitted.length());
  }

  private static String right(String text, int room) {
    String fitted = text.length() >= room ? "…" + text.substring(text.length() - room + 2) : text;
    return " ".repeat(room - fitted.length()) + fitted;
  }
}
