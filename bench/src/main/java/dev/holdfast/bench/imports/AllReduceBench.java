package dev.holdfast.bench.imports;

import dev.holdfast.core.network.Collective;
import dev.holdfast.core.network.Latency;
import dev.holdfast.core.network.NetResult;
import dev.holdfast.core.text.Bytes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The Markdown tables of all_reduce_bench.py from the book "Machine Learning Engineering" and of
 * its successor torch-dist-bench.py: one row a payload, or with --profile_stability one row an
 * iteration; and the two lines older versions print. Sizes are binary, its GBps are 10⁹ bytes a
 * second. The successor times the calls of all payloads, but bandwidths only of larger ones; those
 * of the others follow from the mean time. Its table of several collectives side by side has half
 * of that and is refused.
 */
final class AllReduceBench implements Importer {
  private static final Pattern TITLE =
      Pattern.compile(
          "The (?:average|([0-9.]+)GiB payload) bandwidth(?: and the per-call latency)? of (\\w+)"
              + " over (\\d+) ranks \\(([^)]*)\\)");
  private static final Pattern SIDE_BY_SIDE =
      Pattern.compile("The average bandwidth and the per-call latency of \\d+ collectives over");
  private static final Pattern OLD_TITLE =
      Pattern.compile(
          "The average bandwidth of (\\w+) with a ([0-9.]+)GB payload \\([^,]*, (\\d+) ranks\\)");
  private static final Pattern OLD_FIGURE =
      Pattern.compile("^\\s*(algbw|busbw):\\s+([0-9.]+) GBps");
  private static final Pattern ROW =
      Pattern.compile(
          "^\\s*\\|(?:\\s*([0-9]+[KMGTP]?iB)\\s*\\|)?\\s*([0-9.]+)GBps\\s*\\|\\s*([0-9.]+)GBps\\s*\\|");
  private static final Pattern TIMED_ROW =
      Pattern.compile(
          "^\\s*\\|\\s*([0-9.]+)([KMGTPE]i)?B\\s*\\|\\s*(?:([0-9.]+)GBps)?\\s*\\|"
              + "\\s*(?:([0-9.]+)GBps)?\\s*\\|\\s*([0-9.]+)us\\s*\\|\\s*([0-9.]+)us\\s*\\|"
              + "\\s*([0-9.]+)us\\s*\\|\\s*\\d+\\s*\\|");
  private static final Pattern BEGUN = Pattern.compile("^\\s*\\|\\s*[0-9]");
  private static final Pattern SOFTWARE = Pattern.compile("^\\s*- (software|hardware): (.*)");

  @Override
  public String name() {
    return "all_reduce_bench";
  }

  @Override
  public boolean recognises(Log log) {
    return log.lines().stream()
        .anyMatch(
            it ->
                TITLE.matcher(it).find()
                    || OLD_TITLE.matcher(it).find()
                    || SIDE_BY_SIDE.matcher(it).find());
  }

  @Override
  public Imported read(Log log, Hints hints) {
    List<NetResult> results = new ArrayList<>();
    Map<String, String> about = new LinkedHashMap<>();
    Title title = null;
    double older = Double.NaN;
    LeftOut leftOut = new LeftOut();
    int number = 0;
    for (String line : log.lines()) {
      number++;
      Matcher software = SOFTWARE.matcher(line);
      Matcher row = ROW.matcher(line);
      Matcher timed = TIMED_ROW.matcher(line);
      Matcher figure = OLD_FIGURE.matcher(line);
      Optional<Title> next = title(line);
      if (SIDE_BY_SIDE.matcher(line).find()) {
        throw new IllegalArgumentException(
            "has several collectives side by side: run torch-dist-bench.py with --separate-tables");
      }
      if (next.isPresent()) {
        title = next.get();
      } else if (software.find()) {
        about.put(software.group(1), software.group(2));
      } else if (title != null && title.timed()) {
        if (timed.find()) {
          NetResult result = timed(title, timed);
          if (leftOut.takes(number, result)) {
            results.add(result);
          }
        } else if (BEGUN.matcher(line).find()) {
          leftOut.line(number, "not all of its columns can be read (was it cut off?)");
        }
      } else if (title != null && row.find()) {
        long bytes = row.group(1) == null ? title.bytes() : Bytes.parse(row.group(1)).count();
        results.add(result(title, bytes, Figures.orNaN(row.group(3)), Figures.orNaN(row.group(2))));
      } else if (title != null && BEGUN.matcher(line).find()) {
        leftOut.line(number, "not all of its columns can be read (was it cut off?)");
      } else if (title != null && figure.find()) {
        if (figure.group(1).equals("algbw")) {
          older = Figures.orNaN(figure.group(2));
        } else {
          results.add(result(title, title.bytes(), older, Figures.orNaN(figure.group(2))));
        }
      }
    }
    return new Imported(name(), results, about, leftOut.notes());
  }

  private static NetResult result(Title title, long bytes, double algbw, double busbw) {
    double seconds = bytes / (algbw * 1e9);
    return new NetResult(
        title.collective(),
        title.variant(),
        bytes,
        title.ranks(),
        "float",
        algbw,
        busbw,
        algbw > 0 ? Latency.ofMean(seconds) : Latency.UNKNOWN,
        List.of(),
        NetResult.NOT_CHECKED);
  }

  private static NetResult timed(Title title, Matcher row) {
    int power = row.group(2) == null ? 0 : "KMGTPE".indexOf(row.group(2).charAt(0)) + 1;
    long bytes = Math.round(Figures.orNaN(row.group(1)) * (1L << (10 * power)));
    Latency latency =
        new Latency(
            Figures.orNaN(row.group(7)) * Figures.MICRO,
            Double.NaN,
            Figures.orNaN(row.group(5)) * Figures.MICRO,
            Figures.orNaN(row.group(6)) * Figures.MICRO,
            Double.NaN);
    NetResult result =
        Figures.timed(title.collective(), title.variant(), bytes, title.ranks(), "float", latency);
    return row.group(3) == null || row.group(4) == null
        ? result
        : new NetResult(
            result.collective(),
            result.variant(),
            bytes,
            result.ranks(),
            result.type(),
            Figures.orNaN(row.group(4)),
            Figures.orNaN(row.group(3)),
            latency,
            List.of(),
            NetResult.NOT_CHECKED);
  }

  /**
   * What the rows below are of.
   *
   * @param timed whether they have the times of single calls
   */
  private record Title(
      Collective collective, int ranks, long bytes, String variant, boolean timed) {}

  private static Optional<Title> title(String line) {
    Matcher title = TITLE.matcher(line);
    Matcher old = OLD_TITLE.matcher(line);
    if (title.find()) {
      double gibibytes = title.group(1) == null ? 0 : Figures.orNaN(title.group(1));
      return Optional.of(
          new Title(
              collective(title.group(2)),
              Integer.parseInt(title.group(3)),
              Math.round(gibibytes * (1L << 30)),
              variant(title.group(4)),
              line.contains("the per-call latency")));
    }
    if (old.find()) {
      return Optional.of(
          new Title(
              collective(old.group(1)),
              Integer.parseInt(old.group(3)),
              Math.round(Figures.orNaN(old.group(2)) * 1e9),
              "",
              false));
    }
    return Optional.empty();
  }

  private static String variant(String how) {
    String memory = how.contains("symmetric") ? "symmetric memory" : "";
    String host = how.contains("host overhead included") ? "host overhead" : "";
    return (memory + " " + host).strip();
  }

  private static Collective collective(String word) {
    return Collective.named(word.equals("batch_isend_irecv") ? "send_recv" : word)
        .orElseThrow(() -> new IllegalArgumentException("no collective known as " + word));
  }
}
