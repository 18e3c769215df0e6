package dev.holdfast.bench.imports;

import dev.holdfast.core.network.Collective;
import dev.holdfast.core.network.Latency;
import dev.holdfast.core.network.NetResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The table nccl-tests prints, of every version: with and without a root, with an error or a count
 * of wrong values, with columns of single iterations, with timestamps, with other output between.
 *
 * <p>Columns are counted from the right: the operation may be missing in old versions, what stands
 * at the end is named by the heading.
 */
final class NcclTestsText implements Importer {
  private static final Pattern RANK =
      Pattern.compile(
          "#\\s+Rank\\s+\\d+\\s+(?:Group\\s+(\\d+)\\s+)?Pid\\s+\\d+\\s+on\\s+(\\S+)\\s+device"
              + "\\s+\\d+\\s+\\[[^\\]]*\\]\\s*(.*)");
  private static final Pattern STARTING = Pattern.compile("Collective test starting:\\s*(\\S+)");
  private static final Pattern VERSION =
      Pattern.compile("# nccl-tests version (\\S+).*nccl-library=(\\d+)");
  private static final List<String> PLAIN =
      List.of("time", "algbw", "busbw", "#wrong", "time", "algbw", "busbw", "#wrong");

  @Override
  public String name() {
    return "nccl-tests";
  }

  @Override
  public boolean recognises(Log log) {
    return log.lines().stream()
        .anyMatch(it -> it.startsWith("#") && it.contains("algbw") && it.contains("busbw"));
  }

  @Override
  public Imported read(Log log, Hints hints) {
    List<String> columns = PLAIN;
    List<NcclTests.Side> sides = new ArrayList<>();
    Map<String, Integer> groups = new LinkedHashMap<>();
    Set<String> hosts = new LinkedHashSet<>();
    Map<String, String> about = new LinkedHashMap<>();
    Optional<Collective> named = Optional.empty();
    for (String line : log.lines()) {
      if (!line.startsWith("#")) {
        row(line, columns, sides);
        continue;
      }
      Matcher rank = RANK.matcher(line);
      Matcher starting = STARTING.matcher(line);
      Matcher version = VERSION.matcher(line);
      if (line.contains("algbw") && line.contains("busbw")) {
        List<String> words = List.of(line.substring(1).strip().split("\\s+"));
        int first = words.contains("time") ? words.indexOf("time") : words.indexOf("cputime");
        columns =
            words.subList(first, words.size()).stream()
                .filter(it -> !it.equals("timestamp"))
                .toList();
      } else if (rank.find()) {
        groups.merge(rank.group(1) == null ? "" : rank.group(1), 1, Integer::sum);
        hosts.add(rank.group(2));
        about.put("device", rank.group(3).strip());
      } else if (starting.find()) {
        named = NcclTests.inName(starting.group(1));
      } else if (version.find()) {
        about.put("ncclTests", version.group(1));
        about.put("nccl", version.group(2));
      }
    }
    if (!hosts.isEmpty()) {
      about.put("hosts", String.join(",", hosts));
    }
    OptionalInt ranks =
        hints.ranks().isPresent() || groups.isEmpty()
            ? hints.ranks()
            : OptionalInt.of(groups.values().iterator().next());
    NcclTests tests = new NcclTests(sides);
    Optional<Collective> heading = named;
    List<NetResult> results =
        tests.results(
            hints.collective().or(() -> heading).or(() -> NcclTests.inName(log.name())), ranks);
    return new Imported(name(), results, about, tests.notes());
  }

  private static void row(String line, List<String> columns, List<NcclTests.Side> sides) {
    List<String> cells = List.of(line.strip().split("\\s+"));
    if (cells.size() > 2 && cells.get(cells.size() - 2).matches("\\d{4}-\\d\\d-\\d\\d")) {
      cells = cells.subList(0, cells.size() - 2);
    }
    if (cells.size() < 7 || !Figures.isWhole(cells.get(0)) || !Figures.isWhole(cells.get(1))) {
      return;
    }
    int leading = cells.size() - columns.size();
    int half = columns.size() / 2;
    boolean inPlaceOnly = leading < 3;
    if (inPlaceOnly) {
      leading = cells.size() - half;
    }
    if (leading < 3 || leading > 5) {
      return;
    }
    List<String> figures = cells.subList(leading, cells.size());
    String operation = leading > 3 ? cells.get(3) : "";
    long bytes = Long.parseLong(cells.get(0));
    String type = cells.get(2);
    if (!inPlaceOnly) {
      side(
              "out-of-place",
              bytes,
              type,
              operation,
              columns.subList(0, half),
              figures.subList(0, half))
          .ifPresent(sides::add);
    }
    side(
            "in-place",
            bytes,
            type,
            operation,
            columns.subList(half, columns.size()),
            inPlaceOnly ? figures : figures.subList(half, figures.size()))
        .ifPresent(sides::add);
  }

  private static Optional<NcclTests.Side> side(
      String variant,
      long bytes,
      String type,
      String operation,
      List<String> columns,
      List<String> cells) {
    Map<String, String> named = new LinkedHashMap<>();
    for (int i = 0; i < columns.size(); i++) {
      named.put(columns.get(i).equals("cputime") ? "time" : columns.get(i), cells.get(i));
    }
    double microseconds = Figures.orNaN(named.getOrDefault("time", ""));
    if (Double.isNaN(microseconds)) {
      return Optional.empty();
    }
    return Optional.of(
        new NcclTests.Side(
            variant,
            bytes,
            type,
            operation,
            new Latency(
                microseconds * Figures.MICRO,
                Figures.orNaN(named.getOrDefault("i_min", "")) * Figures.MICRO,
                Double.NaN,
                Figures.orNaN(named.getOrDefault("i_p99", "")) * Figures.MICRO,
                Figures.orNaN(named.getOrDefault("i_max", "")) * Figures.MICRO),
            Figures.orNaN(named.getOrDefault("algbw", "")),
            Figures.orNaN(named.getOrDefault("busbw", "")),
            wrong(named)));
  }

  /** Old versions print the largest deviation, of which only 0 can be told to be right. */
  private static long wrong(Map<String, String> named) {
    double count = Figures.orNaN(named.getOrDefault("#wrong", named.getOrDefault("error", "")));
    if (Double.isNaN(count) || (named.containsKey("error") && count != 0)) {
      return NetResult.NOT_CHECKED;
    }
    return Math.round(count);
  }
}
