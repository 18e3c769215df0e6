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
 * <p>The heading says which columns there are; only the operation may be missing in a row, in old
 * versions. A row with fewer was cut off and is left out: its figures would be taken for others.
 */
final class NcclTestsText implements Importer {
  private static final Pattern RANK =
      Pattern.compile(
          "#\\s+Rank\\s+\\d+\\s+(?:Group\\s+(\\d+)\\s+)?Pid\\s+\\d+\\s+on\\s+(\\S+)\\s+device"
              + "\\s+\\d+\\s+\\[[^\\]]*\\]\\s*(.*)");
  private static final Pattern STARTING = Pattern.compile("Collective test starting:\\s*(\\S+)");
  private static final Pattern VERSION =
      Pattern.compile("# nccl-tests version (\\S+).*nccl-library=(\\d+)");
  private static final Pattern HEADING =
      Pattern.compile("^#.*\\s(?:cpu)?time\\s+algbw\\s+busbw\\s");
  private static final Pattern TYPE = Pattern.compile("[a-z]\\w*");

  /** Where a whole half is blank before the times, only the one in place was measured. */
  private static final Pattern BLANK_HALF = Pattern.compile("\\S\\s{20,}\\S");

  private static final Heading PLAIN =
      new Heading(
          List.of("size", "count", "type", "redop", "root"),
          List.of("time", "algbw", "busbw", "#wrong", "time", "algbw", "busbw", "#wrong"),
          false);

  /**
   * Which columns there are.
   *
   * @param leading before the figures
   * @param figures of both halves, the one out of place first
   */
  private record Heading(List<String> leading, List<String> figures, boolean timestamp) {
    static Heading of(String line) {
      List<String> words = List.of(line.substring(1).strip().split("\\s+"));
      int first = words.contains("time") ? words.indexOf("time") : words.indexOf("cputime");
      return new Heading(
          words.subList(0, first),
          words.subList(first, words.size()).stream()
              .filter(it -> !it.equals("timestamp"))
              .toList(),
          words.contains("timestamp"));
    }

    /** How many cells are before the figures: an operation is a word, where there is one. */
    int before(List<String> cells) {
      boolean unnamed =
          leading.contains("redop")
              && cells.size() > 3
              && Figures.decimal(cells.get(3)).isPresent();
      return unnamed ? leading.size() - 1 : leading.size();
    }

    int half() {
      return figures.size() / 2;
    }
  }

  @Override
  public String name() {
    return "nccl-tests";
  }

  @Override
  public boolean recognises(Log log) {
    return log.lines().stream().anyMatch(NcclTestsText::isHeading);
  }

  private static boolean isHeading(String line) {
    return HEADING.matcher(line).find();
  }

  @Override
  public Imported read(Log log, Hints hints) {
    Heading heading = PLAIN;
    LeftOut leftOut = new LeftOut();
    int number = 0;
    List<NcclTests.Side> sides = new ArrayList<>();
    Map<String, Integer> groups = new LinkedHashMap<>();
    Set<String> hosts = new LinkedHashSet<>();
    Map<String, String> about = new LinkedHashMap<>();
    Optional<Collective> named = Optional.empty();
    for (String line : log.lines()) {
      number++;
      if (!line.startsWith("#")) {
        row(line, number, heading, sides, leftOut);
        continue;
      }
      Matcher rank = RANK.matcher(line);
      Matcher starting = STARTING.matcher(line);
      Matcher version = VERSION.matcher(line);
      if (isHeading(line)) {
        heading = Heading.of(line);
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
    Optional<Collective> titled = named;
    List<NetResult> results =
        tests.results(
            hints.collective().or(() -> titled).or(() -> NcclTests.inName(log.name())), ranks);
    List<String> notes = new ArrayList<>(tests.notes());
    notes.addAll(leftOut.notes());
    return new Imported(name(), results, about, notes);
  }

  private static void row(
      String line, int number, Heading heading, List<NcclTests.Side> sides, LeftOut leftOut) {
    List<String> all = List.of(line.strip().split("\\s+"));
    if (all.size() < 2
        || !Figures.isWhole(all.get(0))
        || !Figures.isWhole(all.get(1))
        || (all.size() > 2 && !TYPE.matcher(all.get(2)).matches())) {
      return;
    }
    boolean dated = all.size() > 2 && all.get(all.size() - 2).matches("\\d{4}-\\d\\d-\\d\\d");
    List<String> cells = dated ? all.subList(0, all.size() - 2) : all;
    int before = heading.before(cells);
    int half = heading.half();
    boolean inPlaceOnly = cells.size() == before + half && BLANK_HALF.matcher(line).find();
    if ((cells.size() != before + heading.figures().size() && !inPlaceOnly)
        || (heading.timestamp() && !dated)) {
      leftOut.columns(
          number,
          all.size(),
          before + heading.figures().size() + (dated || heading.timestamp() ? 2 : 0));
      return;
    }
    List<String> figures = cells.subList(before, cells.size());
    List<NcclTests.Side> read = new ArrayList<>();
    if (!inPlaceOnly) {
      side("out-of-place", cells, heading.figures().subList(0, half), figures.subList(0, half))
          .ifPresent(read::add);
    }
    side(
            "in-place",
            cells,
            heading.figures().subList(half, heading.figures().size()),
            inPlaceOnly ? figures : figures.subList(half, figures.size()))
        .ifPresent(read::add);
    if (read.stream().allMatch(it -> LeftOut.possible(it.latency()))) {
      sides.addAll(read);
    } else {
      leftOut.impossible(number);
    }
  }

  private static Optional<NcclTests.Side> side(
      String variant, List<String> row, List<String> columns, List<String> cells) {
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
            Long.parseLong(row.get(0)),
            row.get(2),
            Figures.decimal(row.get(3)).isPresent() ? "" : row.get(3),
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
