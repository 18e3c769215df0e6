package dev.holdfast.bench.imports;

import dev.holdfast.core.network.Latency;
import dev.holdfast.core.network.NetResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The OSU micro-benchmarks: latency and bandwidth between two ranks, and blocking collectives.
 *
 * <p>They do not print how many ranks took part. Their size is what one rank gives to one other, so
 * that of a gather, scatter or exchange must be multiplied by the ranks to be the size of the
 * whole; a MB is 10⁶ bytes. A log often has many tests, one after the other; those that are not
 * known are left out.
 */
final class Osu implements Importer {
  private static final Pattern TYPE = Pattern.compile("# Datatype:\\s*(\\S+?)\\.?\\s*$");
  private static final Pattern PAIRS =
      Pattern.compile("\\[ pairs: (\\d+) \\](?: \\[ window size: (\\w+) \\])?");
  private static final Pattern BUFFERS =
      Pattern.compile("# Send Buffer on \\w+ \\((\\w+)\\) and Receive Buffer on \\w+ \\((\\w+)\\)");
  private static final Pattern ONE_SIDED =
      Pattern.compile("# (?:Window creation|Synchronization): (?:MPI_)?(\\w+)");
  private static final Pattern HEADING =
      Pattern.compile("^\\s*\\\\?#\\s*((?:Size|Avg Latency)\\b.*)$");

  /** Of a heading whose columns are no longer apart, as when blanks were lost in a posting. */
  private static final Pattern COLUMN =
      Pattern.compile("(?:(?:Avg|Min|Max)\\s|P[0-9.]+\\sTail\\s)?[^\\s(]+(?:\\s?\\([^)]*\\))?");

  @Override
  public String name() {
    return "osu";
  }

  @Override
  public boolean recognises(Log log) {
    return log.lines().stream().anyMatch(it -> OsuTitle.of(it).isPresent());
  }

  @Override
  public Imported read(Log log, Hints hints) {
    List<NetResult> results = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    List<String> refused = new ArrayList<>();
    Map<String, String> about = new LinkedHashMap<>();
    LeftOut leftOut = new LeftOut();
    int known = 0;
    Section section = null;
    int number = 0;
    for (String line : log.lines()) {
      number++;
      if (OsuTitle.begins(line)) {
        Optional<OsuTitle> title = OsuTitle.of(line);
        title.filter(it -> !it.version().isEmpty()).ifPresent(it -> about.put("osu", it.version()));
        section = section(line, title, hints, refused);
        known += section == null ? 0 : 1;
      } else if (section != null && section.varies(line)) {
        refused.add("'" + section.title.words() + "' varies the window: it has no usual columns");
        section = null;
        known--;
      } else if (section != null && !section.tells(line)) {
        section.row(line, number, leftOut, notes).ifPresent(results::add);
      }
    }
    if (known == 0 && !refused.isEmpty()) {
      throw new IllegalArgumentException(String.join("; ", refused.stream().distinct().toList()));
    }
    refused.forEach(it -> notes.add("rows of a test are left out: " + it));
    notes.addAll(leftOut.notes());
    return new Imported(name(), results, about, notes);
  }

  private static @Nullable Section section(
      String line, Optional<OsuTitle> title, Hints hints, List<String> refused) {
    if (title.isEmpty()) {
      refused.add("no test known as " + line.strip());
      return null;
    }
    OsuTitle.Measured measured;
    try {
      measured = title.get().measured();
    } catch (IllegalArgumentException unknown) {
      refused.add(String.valueOf(unknown.getMessage()));
      return null;
    }
    int ranks =
        measured.pointToPoint()
            ? 2
            : hints.needRanks(
                "'" + title.get().words() + "' does not tell how many ranks took part");
    return new Section(title.get(), measured, ranks);
  }

  /** One test: what is said under its title holds until the next. */
  private static final class Section {
    private final OsuTitle title;
    private final OsuTitle.Measured measured;
    private final int ranks;
    private final List<String> oneSided = new ArrayList<>();
    private List<String> columns = List.of();
    private String buffers = "";
    private String type = "";
    private int pairs = 1;

    Section(OsuTitle title, OsuTitle.Measured measured, int ranks) {
      this.title = title;
      this.measured = measured;
      this.ranks = ranks;
    }

    boolean varies(String line) {
      Matcher pair = PAIRS.matcher(line);
      return pair.find() && "varied".equals(pair.group(2));
    }

    /** Whether a line tells something about the rows that follow. */
    boolean tells(String line) {
      Matcher datatype = TYPE.matcher(line);
      Matcher pair = PAIRS.matcher(line);
      Matcher buffer = BUFFERS.matcher(line);
      Matcher window = ONE_SIDED.matcher(line);
      Matcher heading = HEADING.matcher(line);
      if (datatype.find()) {
        type = datatype.group(1).replaceFirst("MPI_", "").toLowerCase(Locale.ROOT);
      } else if (pair.find()) {
        pairs = Integer.parseInt(pair.group(1));
      } else if (buffer.find()) {
        buffers = buffer.group(1) + " " + buffer.group(2);
      } else if (window.find()) {
        oneSided.add(window.group(1).toLowerCase(Locale.ROOT));
      } else if (heading.find()) {
        columns = columns(heading.group(1).strip());
      } else {
        return false;
      }
      return true;
    }

    private static List<String> columns(String heading) {
      return heading.contains("  ") || heading.contains("\t")
          ? List.of(heading.split("\\s{2,}|\t+"))
          : COLUMN.matcher(heading).results().map(MatchResult::group).toList();
    }

    Optional<NetResult> row(String line, int number, LeftOut leftOut, List<String> notes) {
      List<String> cells = List.of(line.strip().split("\\s+"));
      boolean complete = cells.size() == columns.size();
      if (columns.isEmpty()
          || Figures.decimal(cells.getFirst()).isEmpty()
          || !(complete || cells.stream().allMatch(it -> Figures.decimal(it).isPresent()))) {
        return Optional.empty();
      }
      if (!complete) {
        leftOut.columns(number, cells.size(), columns.size());
        return Optional.empty();
      }
      if (cells.getLast().equals("Fail")) {
        leftOut.line(number, "its values were wrong");
        return Optional.empty();
      }
      NetResult result = result(cells, notes);
      return leftOut.takes(number, result) ? Optional.of(result) : Optional.empty();
    }

    private NetResult result(List<String> cells, List<String> notes) {
      Map<String, Double> figures = new LinkedHashMap<>();
      for (int i = 0; i < cells.size(); i++) {
        figures.put(columns.get(i).toLowerCase(Locale.ROOT), Figures.orNaN(cells.get(i)));
      }
      long bytes = Math.round(figure(figures, "size").orElse(0.0));
      if (measured.spreads()) {
        notes.add("sizes are multiplied by the ranks: the whole counts here, a rank's part there");
        bytes *= ranks;
      }
      Optional<Double> megabytes = figure(figures, "bandwidth").or(() -> figure(figures, "mb/s"));
      if (megabytes.isPresent()) {
        if (pairs > 1) {
          notes.add("the sum of " + pairs + " pairs");
        }
        return Figures.streamed(
            measured.collective(),
            variant(pairs > 1 ? pairs + " pairs" : ""),
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
      return Figures.timed(measured.collective(), variant(""), bytes, ranks, type, latency);
    }

    /** From host to host there is no accelerator in it, whatever the program was built for. */
    private String variant(String more) {
      String accelerated =
          buffers.equals("H H") ? "" : (title.accelerator() + " " + buffers).strip();
      return String.join(
          " ",
          Stream.of(Stream.of(measured.call()), oneSided.stream(), Stream.of(accelerated, more))
              .flatMap(it -> it)
              .filter(it -> !it.isEmpty())
              .toList());
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
}
