package dev.holdfast.bench.imports;

import dev.holdfast.core.network.Collective;
import dev.holdfast.core.network.Latency;
import dev.holdfast.core.network.NetResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The OSU micro-benchmarks: latency and bandwidth between two ranks, and blocking collectives.
 *
 * <p>They do not print how many ranks took part. Their size is what one rank gives to one other, so
 * that of a gather, scatter or exchange must be multiplied by the ranks to be the size of the
 * whole; a MB is 10⁶ bytes.
 */
final class Osu implements Importer {
  private static final Pattern TITLE =
      Pattern.compile("# OSU (?:MPI|NCCL|OpenSHMEM|UPC)\\S*\\s+(.*?)\\s+Test(?:\\s+v(\\S+))?\\s*$");
  private static final Pattern TYPE = Pattern.compile("# Datatype:\\s*(\\S+?)\\.?\\s*$");
  private static final Pattern PAIRS = Pattern.compile("\\[ pairs: (\\d+) \\]");

  @Override
  public String name() {
    return "osu";
  }

  @Override
  public boolean recognises(Log log) {
    return log.lines().stream().anyMatch(it -> TITLE.matcher(it).find());
  }

  @Override
  public Imported read(Log log, Hints hints) {
    List<NetResult> results = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    Map<String, String> about = new LinkedHashMap<>();
    Test test = null;
    List<String> columns = List.of();
    String type = "";
    int pairs = 1;
    LeftOut leftOut = new LeftOut();
    int number = 0;
    for (String line : log.lines()) {
      number++;
      Matcher title = TITLE.matcher(line);
      Matcher datatype = TYPE.matcher(line);
      Matcher pair = PAIRS.matcher(line);
      if (title.find()) {
        test = test(title.group(1), hints);
        columns = List.of();
        if (title.group(2) != null) {
          about.put("osu", title.group(2));
        }
      } else if (datatype.find()) {
        type = datatype.group(1).replaceFirst("MPI_", "").toLowerCase(Locale.ROOT);
      } else if (pair.find()) {
        pairs = Integer.parseInt(pair.group(1));
      } else if (line.startsWith("#") && isHeading(line)) {
        columns = List.of(line.substring(1).strip().split("\\s{2,}"));
      } else if (test != null && !columns.isEmpty()) {
        List<String> cells = List.of(line.strip().split("\\s+"));
        boolean complete = cells.size() == columns.size();
        if (Figures.decimal(cells.getFirst()).isEmpty()
            || !(complete || cells.stream().allMatch(it -> Figures.decimal(it).isPresent()))) {
          continue;
        }
        if (!complete) {
          leftOut.columns(number, cells.size(), columns.size());
          continue;
        }
        NetResult result = result(cells, columns, test, type, pairs, notes);
        if (leftOut.takes(number, result)) {
          results.add(result);
        }
      }
    }
    notes.addAll(leftOut.notes());
    return new Imported(name(), results, about, notes);
  }

  private static boolean isHeading(String line) {
    return line.matches("#\\s*(Size|Avg Latency).*");
  }

  /**
   * @param spreads whether the printed size is one rank's part of the whole
   */
  private record Test(String title, Collective collective, int ranks, boolean spreads) {}

  private static Test test(String title, Hints hints) {
    String words = title.toLowerCase(Locale.ROOT);
    if (words.contains("non-blocking") || words.matches("i[a-z]+.*")) {
      throw new IllegalArgumentException(
          "'" + title + "' overlaps computing with communicating: its times are not of a call");
    }
    if (words.startsWith("bi-directional")) {
      return new Test(title, Collective.BIDIRECTIONAL, 2, false);
    }
    if (words.contains("bandwidth")) {
      return new Test(title, Collective.BANDWIDTH, 2, false);
    }
    String first = words.replaceFirst("\\s*latency.*", "").replace(" ", "").replace("-", "");
    if (first.isEmpty() || first.equals("multi") || first.equals("multithreaded")) {
      return new Test(title, Collective.LATENCY, 2, false);
    }
    Collective collective =
        Collective.named(first.replaceFirst("v$|w$", ""))
            .orElseThrow(() -> new IllegalArgumentException("no collective known as " + title));
    boolean spreads =
        switch (collective) {
          case ALL_GATHER, ALL_TO_ALL, GATHER, SCATTER -> true;
          default -> false;
        };
    int ranks = hints.needRanks("'" + title + "' does not tell how many ranks took part");
    return new Test(title, collective, ranks, spreads);
  }

  private static NetResult result(
      List<String> cells,
      List<String> columns,
      Test test,
      String type,
      int pairs,
      List<String> notes) {
    Map<String, Double> figures = new LinkedHashMap<>();
    for (int i = 0; i < cells.size(); i++) {
      figures.put(columns.get(i).toLowerCase(Locale.ROOT), Figures.orNaN(cells.get(i)));
    }
    long bytes = Math.round(figure(figures, "size").orElse(0.0));
    if (test.spreads()) {
      notes.add("sizes are multiplied by the ranks: the whole counts here, a rank's part there");
      bytes *= test.ranks();
    }
    Optional<Double> megabytes = figure(figures, "bandwidth").or(() -> figure(figures, "mb/s"));
    if (megabytes.isPresent()) {
      if (pairs > 1) {
        notes.add("the sum of " + pairs + " pairs");
      }
      return Figures.streamed(
          test.collective(),
          pairs > 1 ? pairs + " pairs" : "",
          bytes,
          megabytes.get() / 1000,
          List.of());
    }
    Latency latency =
        new Latency(
            seconds(figures, "avg latency", "latency"),
            seconds(figures, "min latency"),
            seconds(figures, "p50"),
            seconds(figures, "p99"),
            seconds(figures, "max latency"));
    return Figures.timed(test.collective(), "", bytes, test.ranks(), type, latency);
  }

  private static double seconds(Map<String, Double> figures, String... names) {
    for (String name : names) {
      Optional<Double> found = figure(figures, name);
      if (found.isPresent()) {
        return found.get() * Figures.MICRO;
      }
    }
    return Double.NaN;
  }

  private static Optional<Double> figure(Map<String, Double> figures, String start) {
    return figures.entrySet().stream()
        .filter(it -> it.getKey().startsWith(start))
        .map(Map.Entry::getValue)
        .findFirst();
  }
}
