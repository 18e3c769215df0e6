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
 * The Markdown tables of all_reduce_bench.py from the book "Machine Learning Engineering": one row
 * a payload, or with --profile_stability one row an iteration; and the two lines older versions
 * print. Sizes are binary, its GBps are 10⁹ bytes a second.
 */
final class AllReduceBench implements Importer {
  private static final Pattern TITLE =
      Pattern.compile(
          "The (?:average|([0-9.]+)GiB payload) bandwidth of (\\w+) over (\\d+) ranks \\(([^)]*)\\)");
  private static final Pattern OLD_TITLE =
      Pattern.compile(
          "The average bandwidth of (\\w+) with a ([0-9.]+)GB payload \\([^,]*, (\\d+) ranks\\)");
  private static final Pattern OLD_FIGURE =
      Pattern.compile("^\\s*(algbw|busbw):\\s+([0-9.]+) GBps");
  private static final Pattern ROW =
      Pattern.compile(
          "^\\|(?:\\s*([0-9]+[KMGTP]?iB)\\s*\\|)?\\s*([0-9.]+)GBps\\s*\\|\\s*([0-9.]+)GBps\\s*\\|");
  private static final Pattern BEGUN = Pattern.compile("^\\|\\s*[0-9]");
  private static final Pattern SOFTWARE = Pattern.compile("^- (software|hardware): (.*)");

  @Override
  public String name() {
    return "all_reduce_bench";
  }

  @Override
  public boolean recognises(Log log) {
    return log.lines().stream()
        .anyMatch(it -> TITLE.matcher(it).find() || OLD_TITLE.matcher(it).find());
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
      Matcher figure = OLD_FIGURE.matcher(line);
      Optional<Title> next = title(line);
      if (next.isPresent()) {
        title = next.get();
      } else if (software.find()) {
        about.put(software.group(1), software.group(2));
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

  /** What the rows below are of. */
  private record Title(Collective collective, int ranks, long bytes, String variant) {}

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
              title.group(4).contains("symmetric") ? "symmetric memory" : ""));
    }
    if (old.find()) {
      return Optional.of(
          new Title(
              collective(old.group(1)),
              Integer.parseInt(old.group(3)),
              Math.round(Figures.orNaN(old.group(2)) * 1e9),
              ""));
    }
    return Optional.empty();
  }

  private static Collective collective(String word) {
    return Collective.named(word)
        .orElseThrow(() -> new IllegalArgumentException("no collective known as " + word));
  }
}
