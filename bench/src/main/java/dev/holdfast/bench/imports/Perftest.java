package dev.holdfast.bench.imports;

import dev.holdfast.core.network.Collective;
import dev.holdfast.core.network.Latency;
import dev.holdfast.core.network.NetResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * perftest: ib_write_bw, ib_send_lat and their kin.
 *
 * <p>What it calls MB/sec is MiB/sec, in every version: newer ones only spell it right. Latencies
 * are half a round trip. When both sides write into one file each row is there twice.
 */
final class Perftest implements Importer {
  private static final double MEBI = 1 << 20;
  private static final Pattern TITLE =
      Pattern.compile(
          "^\\s*(RDMA (?:Write|Read)|\\S+?)(?: (Bidirectional))?(?: Post List)? (?:BW|Latency)"
              + "(?:\\s+-\\s+(Multicast))? Test");
  private static final Pattern COLUMN =
      Pattern.compile(
          "(?:99(?:\\.9)?% percentile|BW (?:peak|average|Port\\d)|MsgRate(?: Port\\d)?"
              + "|tps average|[^\\s\\[]+)(?:\\[[^\\]]*\\])?");
  private static final Pattern ROW = Pattern.compile("\\s*\\d{1,18}(?:\\s+\\d+(?:\\s.*)?)?");
  private static final Pattern BEHIND_MARK = Pattern.compile("^\\s*#\\s*(\\d.*)$");
  private static final Pattern SETTING =
      Pattern.compile("(Device|Mtu|Link type|Number of qps|Connection type)\\s*:\\s*(\\S+)");

  @Override
  public String name() {
    return "perftest";
  }

  @Override
  public boolean recognises(Log log) {
    return isJson(log) || log.lines().stream().anyMatch(Perftest::isHeading);
  }

  /** Whether it is what --out_json writes, which has few of its columns and often is no JSON. */
  private static boolean isJson(Log log) {
    return log.isJson() && log.text().contains("test_info") && log.text().contains("MsgSize");
  }

  private static boolean isHeading(String line) {
    return line.contains("#bytes") && line.contains("#iterations");
  }

  @Override
  public Imported read(Log log, Hints hints) {
    if (isJson(log)) {
      throw new IllegalArgumentException(
          "is what perftest's --out_json writes: give the text it prints on the terminal instead");
    }
    Set<NetResult> results = new LinkedHashSet<>();
    List<String> notes = new ArrayList<>();
    Map<String, String> about = new LinkedHashMap<>();
    List<String> columns = List.of();
    String operation = "";
    boolean both = false;
    LeftOut leftOut = new LeftOut();
    List<Integer> behindMark = new ArrayList<>();
    int number = 0;
    for (String line : log.lines()) {
      number++;
      Matcher title = TITLE.matcher(line);
      if (isHeading(line)) {
        columns = columns(line);
      } else if (title.find()) {
        operation =
            title.group(1).toLowerCase(Locale.ROOT).replace(' ', '_')
                + (title.group(3) == null ? "" : " multicast");
        both = title.group(2) != null;
      } else if (!columns.isEmpty() && isRow(line)) {
        List<String> cells = List.of(line.strip().split("\\s+"));
        if (cells.size() != columns.size()) {
          leftOut.columns(number, cells.size(), columns.size());
          continue;
        }
        NetResult result = result(cells, columns, operation, both, notes);
        if (leftOut.takes(number, result)) {
          results.add(result);
        }
      } else if (!columns.isEmpty() && isBehindMark(line)) {
        behindMark.add(number);
      } else {
        Matcher setting = SETTING.matcher(line);
        while (setting.find()) {
          about.put(setting.group(1).toLowerCase(Locale.ROOT), setting.group(2));
        }
      }
    }
    if (results.isEmpty() && !behindMark.isEmpty()) {
      throw new IllegalArgumentException(
          "the rows are behind a '#', as of line %d: take it away if they are results"
              .formatted(behindMark.getFirst()));
    }
    behindMark.forEach(it -> leftOut.line(it, "it is behind a '#'"));
    notes.addAll(leftOut.notes());
    return new Imported(name(), List.copyOf(results), about, notes);
  }

  private static List<String> columns(String heading) {
    return COLUMN
        .matcher(heading.substring(heading.indexOf("#bytes")))
        .results()
        .map(it -> it.group())
        .toList();
  }

  private static boolean isRow(String line) {
    return ROW.matcher(line).matches();
  }

  private static boolean isBehindMark(String line) {
    Matcher marked = BEHIND_MARK.matcher(line);
    return marked.find() && isRow(marked.group(1)) && marked.group(1).strip().contains(" ");
  }

  private static NetResult result(
      List<String> cells,
      List<String> columns,
      String operation,
      boolean both,
      List<String> notes) {
    long bytes = 0;
    Map<String, Double> figures = new LinkedHashMap<>();
    for (int i = 0; i < cells.size(); i++) {
      if (columns.get(i).equals("#bytes")) {
        bytes = Long.parseLong(cells.get(i));
      }
      figures.put(columns.get(i), Figures.orNaN(cells.get(i)));
    }
    Optional<String> average =
        columns.stream().filter(it -> it.startsWith("BW average")).findFirst();
    if (average.isPresent()) {
      double unit = unit(average.get(), notes);
      double bandwidth = figures.getOrDefault(average.get(), Double.NaN) * unit / 1e9;
      check(bytes, bandwidth, figures, notes);
      return Figures.streamed(
          both ? Collective.BIDIRECTIONAL : Collective.BANDWIDTH,
          operation,
          bytes,
          bandwidth,
          List.of());
    }
    return Figures.timed(Collective.LATENCY, operation, bytes, 2, "", latency(figures));
  }

  private static double unit(String column, List<String> notes) {
    if (column.contains("Gb/sec")) {
      return 125e6;
    }
    if (column.contains("[MB/sec]")) {
      notes.add("what is printed as MB/sec is MiB/sec and is taken as that");
    }
    if (column.contains("MB/sec") || column.contains("MiB/sec")) {
      return MEBI;
    }
    throw new IllegalArgumentException("unit of '" + column + "' is not known");
  }

  /** The rate of messages says the same once more, in a unit nobody disputes. */
  private static void check(
      long bytes, double bandwidth, Map<String, Double> figures, List<String> notes) {
    double rate = figures.getOrDefault("MsgRate[Mpps]", Double.NaN) * bytes / 1000;
    if (bandwidth > 1 && Math.abs(rate - bandwidth) > 0.02 * bandwidth) {
      notes.add(
          "%d bytes: %s GB/s, but messages times their size make %s"
              .formatted(bytes, Figures.two(bandwidth), Figures.two(rate)));
    }
  }

  private static Latency latency(Map<String, Double> figures) {
    return new Latency(
        seconds(figures, "t_avg[usec]"),
        seconds(figures, "t_min[usec]"),
        seconds(figures, "t_typical[usec]"),
        seconds(figures, "99% percentile[usec]"),
        seconds(figures, "t_max[usec]"));
  }

  private static double seconds(Map<String, Double> figures, String name) {
    return figures.getOrDefault(name, Double.NaN) * Figures.MICRO;
  }
}
