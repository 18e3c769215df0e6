package dev.holdfast.bench.imports;

import dev.holdfast.core.network.Collective;
import dev.holdfast.core.network.Latency;
import dev.holdfast.core.network.NetResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * gloo's own benchmark, of every version.
 *
 * <p>What it prints as GB/s is GiB/s, over all threads together; it is taken where it has three
 * digits, else size and median make the bandwidth. Older versions print elements and no size: an
 * element is then taken as four bytes, which is checked where a bandwidth is printed.
 */
final class GlooBenchmark implements Importer {
  private static final double GIBI = 1 << 30;

  /** Three decimals are printed; below, too few digits are left. */
  private static final double READABLE = 0.1;

  private static final Pattern ALGORITHM = Pattern.compile("^Algorithm:\\s+(\\S+)");
  private static final Pattern OPTIONS = Pattern.compile("^Options:\\s+(.*)");
  private static final Pattern ROW = Pattern.compile("\\s*\\d{1,18}(?:\\s+[-+0-9.e]+)*\\s*");
  private static final Pattern COLUMN = Pattern.compile("(\\S+)(?: \\(([^)]*)\\))?(?:\\s+|$)");

  @Override
  public String name() {
    return "gloo";
  }

  @Override
  public boolean recognises(Log log) {
    return log.lines().stream().anyMatch(it -> ALGORITHM.matcher(it).find())
        && log.lines().stream().anyMatch(GlooBenchmark::isHeading);
  }

  private static boolean isHeading(String line) {
    return line.contains("elements") && line.contains("p50 (");
  }

  @Override
  public Imported read(Log log, Hints hints) {
    List<NetResult> results = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    Map<String, String> about = new LinkedHashMap<>();
    List<String[]> columns = List.of();
    String algorithm = "";
    Map<String, Integer> options = Map.of();
    LeftOut leftOut = new LeftOut();
    int number = 0;
    for (String line : log.lines()) {
      number++;
      Matcher named = ALGORITHM.matcher(line);
      Matcher chosen = OPTIONS.matcher(line);
      if (line.startsWith("Device:")) {
        about.put("device", line.substring("Device:".length()).strip());
      } else if (named.find()) {
        algorithm = named.group(1);
      } else if (chosen.find()) {
        options = options(chosen.group(1));
      } else if (isHeading(line)) {
        columns =
            COLUMN
                .matcher(line.strip())
                .results()
                .map(it -> new String[] {it.group(1), it.group(2) == null ? "" : it.group(2)})
                .toList();
      } else if (!columns.isEmpty() && ROW.matcher(line).matches()) {
        int ranks = hints.ranks().orElse(options.getOrDefault("processes", 0));
        if (ranks < 1) {
          ranks = hints.needRanks("does not tell its processes");
        }
        List<String> cells = List.of(line.strip().split("\\s+"));
        if (cells.size() != columns.size()) {
          leftOut.columns(number, cells.size(), columns.size());
          continue;
        }
        NetResult result =
            result(cells, columns, algorithm, ranks, options.getOrDefault("threads", 1), notes);
        if (LeftOut.possible(result.latency())) {
          results.add(result);
        } else {
          leftOut.impossible(number);
        }
      }
    }
    notes.addAll(leftOut.notes());
    return new Imported(name(), results, about, notes);
  }

  private static Map<String, Integer> options(String text) {
    Map<String, Integer> options = new LinkedHashMap<>();
    for (String part : text.split(",\\s*")) {
      String[] pair = part.split("=", 2);
      if (pair.length == 2 && Figures.isWhole(pair[1])) {
        options.put(pair[0].strip(), Integer.parseInt(pair[1]));
      }
    }
    return options;
  }

  private static Collective collective(String algorithm) {
    String plain = algorithm.replaceFirst("^(cuda_|new_)+", "").toLowerCase(Locale.ROOT);
    if (plain.startsWith("pairwise")) {
      return Collective.BIDIRECTIONAL;
    }
    if (plain.startsWith("barrier")) {
      return Collective.BARRIER;
    }
    return NcclTests.inName(plain)
        .orElseThrow(() -> new IllegalArgumentException("no collective known as " + algorithm));
  }

  private static NetResult result(
      List<String> cells,
      List<String[]> columns,
      String algorithm,
      int ranks,
      int threads,
      List<String> notes) {
    Map<String, Double> figures = new LinkedHashMap<>();
    double unit = Figures.MICRO;
    for (int i = 0; i < cells.size(); i++) {
      figures.put(columns.get(i)[0], Figures.orNaN(cells.get(i)));
      unit = columns.get(i)[1].equals("ns") ? 1e-9 : unit;
    }
    Collective collective = collective(algorithm);
    double elements = figures.getOrDefault("elements", 0.0);
    long bytes = Math.round(figures.getOrDefault("size", elements * 4));
    Latency latency =
        new Latency(
            Double.NaN,
            figures.getOrDefault("min", Double.NaN) * unit,
            figures.getOrDefault("p50", Double.NaN) * unit,
            figures.getOrDefault("p99", Double.NaN) * unit,
            figures.getOrDefault("max", Double.NaN) * unit);
    NetResult timed = Figures.timed(collective, algorithm, bytes, ranks, "", latency);
    double printed =
        figures.getOrDefault("bandwidth", figures.getOrDefault("avg", Double.NaN)) * GIBI / 1e9;
    double computed = timed.algbw() * threads;
    if (collective.judgedByTime()) {
      return timed;
    }
    if (printed >= READABLE) {
      notes.add("what is printed as GB/s is GiB/s and is taken as that");
      if (!figures.containsKey("size") && (printed < computed / 1.9 || printed > computed * 1.9)) {
        throw new IllegalArgumentException(
            "an element seems to have other than four bytes, so the sizes are not known");
      }
      computed = printed;
    }
    return new NetResult(
        collective,
        algorithm,
        bytes,
        ranks,
        "",
        computed,
        collective.busbw(computed, ranks),
        latency,
        List.of(),
        NetResult.NOT_CHECKED);
  }
}
