package dev.holdfast.bench.imports;

import dev.holdfast.core.network.Latency;
import dev.holdfast.core.network.NetResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Which columns has a table of nccl-tests, and what does a row of it say?
 *
 * <p>The heading says which columns there are; only the operation may be missing in a row, in old
 * versions. A row with fewer was cut off and is left out: its figures would be taken for others.
 *
 * @param leading before the figures
 * @param figures of both halves, the one out of place first, or of the only one
 * @param timestamp whether each row ends in one
 */
record NcclTable(List<String> leading, List<String> figures, boolean timestamp) {
  /** The first generation called the size bytes and told times in milliseconds. */
  private static final String FIRST_GENERATION = "bytes";

  private static final Pattern HEADING =
      Pattern.compile(
          "^\\s*#\\s*(?:size\\s+count|bytes\\s+N)\\s+type\\s.*\\b(?:cpu)?time\\s+algbw\\s+busbw\\s");
  private static final Pattern TYPE = Pattern.compile("[a-z]\\w*");

  /** Where a whole half is blank before the times, only the one in place was measured. */
  private static final Pattern BLANK_HALF = Pattern.compile("\\S\\s{20,}\\S");

  /** As of today; for rows without a heading. */
  static final NcclTable PLAIN =
      new NcclTable(
          List.of("size", "count", "type", "redop", "root"),
          List.of("time", "algbw", "busbw", "#wrong", "time", "algbw", "busbw", "#wrong"),
          false);

  static boolean isHeading(String line) {
    return HEADING.matcher(line + " ").find();
  }

  static NcclTable of(String heading) {
    List<String> words = List.of(heading.strip().substring(1).strip().split("\\s+"));
    int first = words.contains("time") ? words.indexOf("time") : words.indexOf("cputime");
    return new NcclTable(
        words.subList(0, first),
        words.subList(first, words.size()).stream().filter(it -> !it.equals("timestamp")).toList(),
        words.contains("timestamp"));
  }

  /** How many cells are before the figures: an operation is a word, where there is one. */
  private int before(List<String> cells) {
    boolean unnamed =
        leading.contains("redop") && cells.size() > 3 && Figures.decimal(cells.get(3)).isPresent();
    return unnamed ? leading.size() - 1 : leading.size();
  }

  private boolean halves() {
    return figures.stream().filter(it -> it.equals("time") || it.equals("cputime")).count() == 2;
  }

  static boolean isRow(String line) {
    List<String> cells = List.of(line.strip().split("\\s+", 4));
    return cells.size() >= 2
        && Figures.isWhole(cells.get(0))
        && Figures.isWhole(cells.get(1))
        && (cells.size() < 3 || TYPE.matcher(cells.get(2)).matches());
  }

  /** What a row says; nothing where it cannot be told, and then that is noted. */
  List<NcclTests.Side> read(String line, int number, LeftOut leftOut) {
    List<String> all = List.of(line.strip().split("\\s+"));
    boolean dated = all.size() > 2 && all.get(all.size() - 2).matches("\\d{4}-\\d\\d-\\d\\d");
    List<String> cells = dated ? all.subList(0, all.size() - 2) : all;
    int before = before(cells);
    int half = halves() ? figures.size() / 2 : figures.size();
    boolean inPlaceOnly =
        halves() && cells.size() == before + half && BLANK_HALF.matcher(line).find();
    if ((cells.size() != before + figures.size() && !inPlaceOnly) || (timestamp && !dated)) {
      leftOut.columns(number, all.size(), before + figures.size() + (dated || timestamp ? 2 : 0));
      return List.of();
    }
    List<String> told = cells.subList(before, cells.size());
    List<NcclTests.Side> sides = new ArrayList<>();
    if (!inPlaceOnly) {
      side("out-of-place", cells, figures.subList(0, half), told.subList(0, half))
          .ifPresent(sides::add);
    }
    if (halves()) {
      side(
              "in-place",
              cells,
              figures.subList(half, figures.size()),
              inPlaceOnly ? told : told.subList(half, told.size()))
          .ifPresent(sides::add);
    }
    if (sides.stream().allMatch(it -> LeftOut.possible(it.latency()))) {
      return sides;
    }
    leftOut.impossible(number);
    return List.of();
  }

  private Optional<NcclTests.Side> side(
      String variant, List<String> row, List<String> columns, List<String> cells) {
    Map<String, String> named = new LinkedHashMap<>();
    for (int i = 0; i < columns.size(); i++) {
      named.put(columns.get(i).equals("cputime") ? "time" : columns.get(i), cells.get(i));
    }
    double unit = leading.contains(FIRST_GENERATION) ? Figures.MILLI : Figures.MICRO;
    double time = Figures.orNaN(named.getOrDefault("time", ""));
    if (Double.isNaN(time)) {
      return Optional.empty();
    }
    return Optional.of(
        new NcclTests.Side(
            variant,
            Long.parseLong(row.get(0)),
            row.get(2),
            Figures.decimal(row.get(3)).isPresent() ? "" : row.get(3),
            new Latency(
                time * unit,
                Figures.orNaN(named.getOrDefault("i_min", "")) * unit,
                Double.NaN,
                Figures.orNaN(named.getOrDefault("i_p99", "")) * unit,
                Figures.orNaN(named.getOrDefault("i_max", "")) * unit),
            Figures.orNaN(named.getOrDefault("algbw", "")),
            Figures.orNaN(named.getOrDefault("busbw", "")),
            wrong(named)));
  }

  /** Old versions print the largest deviation, of which only 0 can be told to be right. */
  private static long wrong(Map<String, String> named) {
    boolean counted = named.containsKey("#wrong");
    double told =
        Figures.orNaN(
            named.getOrDefault(
                "#wrong", named.getOrDefault("error", named.getOrDefault("res", ""))));
    return Double.isNaN(told) || (!counted && told != 0) ? NetResult.NOT_CHECKED : Math.round(told);
  }
}
