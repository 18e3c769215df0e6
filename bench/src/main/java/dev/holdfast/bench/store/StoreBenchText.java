package dev.holdfast.bench.store;

import dev.holdfast.core.text.Style;
import dev.holdfast.core.text.Wrap;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The result for people: ours beside each peer, what was set as a goal, and what to doubt. */
public final class StoreBenchText {
  private StoreBenchText() {}

  public static String of(StoreResult result, Style style, int width) {
    StringBuilder out = new StringBuilder();
    if (result.comparisons().isEmpty()) {
      out.append(alone(result, style));
    }
    for (Comparison comparison : result.comparisons()) {
      out.append("holdfast beside ").append(comparison.peer()).append("\n\n");
      out.append(loads(comparison, style)).append('\n');
      out.append(events(comparison, style)).append('\n');
    }
    for (String note : Notes.of(result)) {
      out.append(Wrap.hanging("note: " + note, 6, width)).append('\n');
    }
    return out.toString();
  }

  private static String loads(Comparison comparison, Style style) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(
        List.of(
            "operation",
            "clients",
            "ours/s",
            "theirs/s",
            "ratio",
            "CPU µs",
            "theirs",
            "ratio",
            "p50 µs",
            "theirs",
            "p99 µs",
            "theirs",
            "goal"));
    for (Row row : comparison.rows()) {
      if (row.of().measure().equals(Case.LOAD)) {
        Figures ours = new Figures(comparison.result().samples(), comparison.ours(), row.of());
        Figures theirs = new Figures(comparison.result().samples(), comparison.peer(), row.of());
        rows.add(
            List.of(
                row.of().label(),
                whole(row.of().connections()),
                whole(row.ours()),
                whole(row.theirs()),
                ratio(row.ratio()),
                ours.tenths("serverCpuMicrosecondsPerOperation", 1),
                theirs.tenths("serverCpuMicrosecondsPerOperation", 1),
                ratio(row.cpuRatio()),
                ours.tenths("p50Seconds", 1e6),
                theirs.tenths("p50Seconds", 1e6),
                ours.tenths("p99Seconds", 1e6),
                theirs.tenths("p99Seconds", 1e6),
                row.verdict()));
      }
    }
    return Columns.of(rows, 1, style);
  }

  private static String events(Comparison comparison, Style style) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("event", "clients", "ours", "theirs", "ratio", "CPU ratio", "goal"));
    for (Row row : comparison.rows()) {
      if (!row.of().measure().equals(Case.LOAD)) {
        rows.add(
            List.of(
                row.of().label(),
                whole(row.of().connections()),
                figure(row.of(), row.ours()),
                figure(row.of(), row.theirs()),
                ratio(row.ratio()),
                ratio(row.cpuRatio()),
                row.verdict()));
      }
    }
    return Columns.of(rows, 1, style);
  }

  private static String alone(StoreResult result, Style style) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("case", "clients", "result", "CPU µs", "p50 µs", "p99 µs"));
    for (Case of : result.samples().cases()) {
      Figures figures = new Figures(result.samples(), result.ours(), of);
      boolean load = of.measure().equals(Case.LOAD);
      rows.add(
          List.of(
              of.label(),
              whole(of.connections()),
              load
                  ? whole(figures.median("operationsPerSecond")) + "/s"
                  : figure(of, figures.median(Figures.main(of))),
              figures.tenths("serverCpuMicrosecondsPerOperation", 1),
              figures.tenths("p50Seconds", 1e6),
              figures.tenths("p99Seconds", 1e6)));
    }
    return Columns.of(rows, 1, style) + "\n";
  }

  /** The medians of one contender in one case. */
  private record Figures(Samples samples, String contender, Case of) {
    double median(String name) {
      return samples.median(contender, of, name);
    }

    String tenths(String name, double factor) {
      double value = median(name) * factor;
      return Double.isNaN(value)
          ? "-"
          : value >= 1000 ? whole(value) : String.format(Locale.ROOT, "%.1f", value);
    }

    static String main(Case of) {
      return switch (of.measure()) {
        case Case.MEMORY -> "bytesPerConnection";
        default -> "seconds";
      };
    }
  }

  private static String figure(Case of, double value) {
    if (Double.isNaN(value)) {
      return "-";
    }
    return switch (of.measure()) {
      case Case.MEMORY -> String.format(Locale.ROOT, "%.1f KiB", value / 1024);
      default ->
          value < 1
              ? String.format(Locale.ROOT, "%.1f ms", value * 1000)
              : String.format(Locale.ROOT, "%.2f s", value);
    };
  }

  private static String whole(double value) {
    return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%,d", Math.round(value));
  }

  private static String ratio(double value) {
    return Double.isNaN(value) || Double.isInfinite(value)
        ? "-"
        : String.format(Locale.ROOT, "%.2f", value);
  }
}
