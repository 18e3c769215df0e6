package dev.holdfast.bench.imports;

import dev.holdfast.core.network.Latency;
import dev.holdfast.core.network.NetResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** One table of gloo's benchmark: what do its rows say under their heading? */
final class GlooTable {
  private static final double GIBI = 1 << 30;

  /** Three decimals are printed; below, too few digits are left. */
  private static final double READABLE = 0.1;

  /** Half precision makes a half of it; so do many slow calls, and then it cannot be told. */
  private static final double OTHER_WIDTH = 1.9;

  private static final Pattern COLUMN = Pattern.compile("(\\S+(?: \\([^)]*\\))?)(?:\\s+|$)");

  private final GlooAlgorithm algorithm;
  private final int ranks;
  private final int threads;
  private final int inputs;
  private final List<String> columns;
  private final double unit;
  private final List<NetResult> results = new ArrayList<>();
  private int lastTaken;

  GlooTable(GlooAlgorithm algorithm, int ranks, Map<String, Integer> options, String heading) {
    this.algorithm = algorithm;
    this.ranks = ranks;
    this.threads = options.getOrDefault("threads", 1);
    this.inputs = options.getOrDefault("inputs", 1);
    this.columns = COLUMN.matcher(heading.strip()).results().map(it -> it.group(1)).toList();
    this.unit = heading.contains("p50 (ns)") ? 1e-9 : Figures.MICRO;
  }

  void row(String line, int number, LeftOut leftOut, List<String> notes) {
    List<String> cells = List.of(line.strip().split("\\s+"));
    if (cells.size() != columns.size()) {
      leftOut.columns(number, cells.size(), columns.size());
      return;
    }
    Map<String, Double> figures = new LinkedHashMap<>();
    for (int i = 0; i < cells.size(); i++) {
      figures.put(columns.get(i), Figures.orNaN(cells.get(i)));
    }
    NetResult result = result(figures, notes);
    if (LeftOut.possible(result.latency())) {
      results.add(result);
      lastTaken = number;
    } else {
      leftOut.impossible(number);
    }
  }

  /** Values are verified before a row is printed, and what was wrong is told after it. */
  void lastWasWrong(LeftOut leftOut) {
    if (!results.isEmpty()) {
      results.removeLast();
      leftOut.line(lastTaken, "its values were wrong (VERIFY ERRORS)");
    }
  }

  List<NetResult> results() {
    return results;
  }

  /** An {@link IllegalArgumentException} where the sizes cannot be what was taken for them. */
  private void requireWidth(double moved, double timed) {
    if (moved < timed / OTHER_WIDTH || moved > timed * OTHER_WIDTH) {
      throw new IllegalArgumentException(
          "an element seems to have other than "
              + (algorithm.width() == 1 ? "one byte" : "four bytes")
              + ", so the sizes are not known");
    }
  }

  private NetResult result(Map<String, Double> figures, List<String> notes) {
    long elements = Math.round(figures.getOrDefault("elements", 0.0));
    boolean sized = figures.containsKey("size (B)");
    long size = Math.round(figures.getOrDefault("size (B)", elements * (double) algorithm.width()));
    long bytes = algorithm.whole(elements, size, ranks, inputs);
    if (bytes != size) {
      notes.add(
          "%s: sizes are of the whole; printed is one rank's part%s"
              .formatted(algorithm.name(), bytes == size * ranks ? "" : ", and not all its bytes"));
    }
    Latency latency =
        new Latency(
            Double.NaN,
            seconds(figures, "min"),
            seconds(figures, "p50"),
            seconds(figures, "p99"),
            seconds(figures, "max"));
    NetResult timed =
        Figures.timed(algorithm.collective(), algorithm.name(), bytes, ranks, "", latency);
    if (algorithm.collective().judgedByTime()) {
      return timed;
    }
    double algbw = timed.algbw() * threads;
    double printed = printed(figures).orElse(Double.NaN) * GIBI / 1e9;
    if (printed >= READABLE) {
      notes.add("what is printed as GB/s is GiB/s and is taken as that");
      double moved = size == 0 ? Double.NaN : printed * bytes / size;
      if (!sized) {
        requireWidth(moved, algbw);
      }
      algbw = moved;
    }
    return new NetResult(
        algorithm.collective(),
        algorithm.name(),
        bytes,
        ranks,
        "",
        algbw,
        algorithm.collective().busbw(algbw, ranks),
        latency,
        List.of(),
        NetResult.NOT_CHECKED);
  }

  private static Optional<Double> printed(Map<String, Double> figures) {
    return Optional.ofNullable(figures.get("bandwidth (GB/s)"))
        .or(() -> Optional.ofNullable(figures.get("avg (GB/s)")));
  }

  private double seconds(Map<String, Double> figures, String name) {
    double printed =
        figures.getOrDefault(name + " (us)", figures.getOrDefault(name + " (ns)", Double.NaN));
    return printed * unit / (algorithm.thereAndBack() ? 2 : 1);
  }
}
