package dev.holdfast.bench.imports;

import dev.holdfast.core.network.Collective;
import dev.holdfast.core.network.Latency;
import dev.holdfast.core.network.NetResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * qperf. Its units are of 1000, or of 1024 where it writes KiB. The size of a message is told only
 * with -v or -vv; without, it is the default: 1 byte for latency, 64 KiB for bandwidth.
 */
final class Qperf implements Importer {
  private static final Pattern TEST = Pattern.compile("^\\s*([a-z]+_[a-z_]+):\\s*$");
  private static final Pattern FIGURE =
      Pattern.compile("^\\s+(\\w+)\\s+=\\s+([0-9.,]+)\\s*([^(]*?)\\s*(?:\\(([0-9,]+)\\))?\\s*$");
  private static final Pattern BEGUN =
      Pattern.compile("^\\s+(?:\\w*bw|latency|msg_size)(?:\\s.*)?$");
  private static final Map<String, Double> BANDWIDTHS =
      Map.of(
          "bytes/sec",
          1e-9,
          "KB/sec",
          1e-6,
          "MB/sec",
          1e-3,
          "GB/sec",
          1.0,
          "TB/sec",
          1e3,
          "bits/sec",
          1e-9 / 8,
          "Kb/sec",
          1e-6 / 8,
          "Mb/sec",
          1e-3 / 8,
          "Gb/sec",
          1.0 / 8,
          "Tb/sec",
          1e3 / 8);
  private static final Map<String, Double> TIMES =
      Map.of("ns", 1e-9, "us", 1e-6, "ms", 1e-3, "sec", 1.0);
  private static final Map<String, Long> SIZES =
      Map.of(
          "bytes", 1L,
          "KB", 1000L,
          "MB", 1_000_000L,
          "GB", 1_000_000_000L,
          "KiB", 1L << 10,
          "MiB", 1L << 20,
          "GiB", 1L << 30);

  @Override
  public String name() {
    return "qperf";
  }

  @Override
  public boolean recognises(Log log) {
    return log.lines().stream().anyMatch(it -> TEST.matcher(it).matches())
        && log.lines().stream().anyMatch(it -> it.matches("\\s+(bw|latency|\\w+_bw)\\s+=.*"));
  }

  @Override
  public Imported read(Log log, Hints hints) {
    List<NetResult> results = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    String test = "";
    Map<String, String[]> figures = new LinkedHashMap<>();
    int number = 0;
    for (String line : log.lines()) {
      number++;
      Matcher begins = TEST.matcher(line);
      Matcher figure = FIGURE.matcher(line);
      if (begins.matches()) {
        result(test, figures, notes).ifPresent(results::add);
        test = begins.group(1);
        figures = new LinkedHashMap<>();
      } else if (figure.matches()) {
        figures.put(
            figure.group(1),
            new String[] {
              figure.group(2), figure.group(3), figure.group(4) == null ? "" : figure.group(4)
            });
      } else if (BEGUN.matcher(line).matches()) {
        throw new IllegalArgumentException(
            "line %d cannot be read: '%s' (was it cut off?)".formatted(number, line.strip()));
      }
    }
    result(test, figures, notes).ifPresent(results::add);
    return new Imported(name(), results, Map.of(), notes);
  }

  private static Optional<NetResult> result(
      String test, Map<String, String[]> figures, List<String> notes) {
    String[] latency = figures.get("latency");
    if (latency != null) {
      double seconds = Figures.orNaN(latency[0]) * unit(TIMES, latency[1]);
      if (!(seconds > 0)) {
        throw new IllegalArgumentException(
            "a time must be more than 0: latency = " + latency[0] + " " + latency[1]);
      }
      return Optional.of(
          Figures.timed(
              Collective.LATENCY,
              test.replaceFirst("_lat$", ""),
              bytes(figures, 1, notes),
              2,
              "",
              Latency.ofMean(seconds)));
    }
    // Of a test without guarantees the receiver's counts: what was sent may have been lost.
    String[] bandwidth =
        figures.containsKey("recv_bw") ? figures.get("recv_bw") : figures.get("bw");
    if (bandwidth == null) {
      return Optional.empty();
    }
    boolean both = test.contains("_bi_");
    return Optional.of(
        Figures.streamed(
            both ? Collective.BIDIRECTIONAL : Collective.BANDWIDTH,
            test.replaceFirst("(_bi)?_bw$", ""),
            bytes(figures, 64 << 10, notes),
            Figures.orNaN(bandwidth[0]) * unit(BANDWIDTHS, bandwidth[1]),
            List.of()));
  }

  private static long bytes(Map<String, String[]> figures, long otherwise, List<String> notes) {
    String[] size = figures.get("msg_size");
    if (size == null) {
      notes.add("sizes of messages are not told: the default is taken");
      return otherwise;
    }
    if (!size[2].isEmpty()) {
      return Long.parseLong(size[2].replace(",", ""));
    }
    Long unit = SIZES.get(size[1].isEmpty() ? "bytes" : size[1].replaceFirst("^byte$", "bytes"));
    if (unit == null) {
      throw new IllegalArgumentException("unit of msg_size '" + size[1] + "' is not known");
    }
    return Math.round(Figures.orNaN(size[0]) * unit);
  }

  private static double unit(Map<String, Double> units, String name) {
    Double unit = units.get(name);
    if (unit == null) {
      throw new IllegalArgumentException("unit '" + name + "' is not known");
    }
    return unit;
  }
}
