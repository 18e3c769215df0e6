package dev.holdfast.bench.logs;

import dev.holdfast.core.forensics.logs.LogAnalysis;
import dev.holdfast.core.forensics.logs.LogNames;
import dev.holdfast.core.forensics.logs.LogSource;
import dev.holdfast.core.forensics.logs.LogSuspicion;
import dev.holdfast.core.forensics.logs.LogVerdict;
import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;

/** How often logs are understood, on jobs whose fault is known. */
public final class LogScore {
  private static final int MOST_MISTAKES = 20;
  private static final long WRITTEN = 1_794_900_000_000L;

  private final Map<LogFault, Row> rows = new EnumMap<>(LogFault.class);
  private final List<String> mistakes = new ArrayList<>();

  /**
   * One line of the table.
   *
   * @param decidable cases in which what is left tells who did it
   * @param exact of those, named exactly
   * @param classed of those, with a class that fits
   * @param innocent of all cases, where somebody was blamed who did nothing
   * @param right of all cases: exact, or where that cannot be told nobody or the node is blamed
   */
  public record Row(
      String fault, int cases, int decidable, int exact, int classed, int innocent, int right) {
    Row plus(Row other) {
      return new Row(
          fault,
          cases + other.cases,
          decidable + other.decidable,
          exact + other.exact,
          classed + other.classed,
          innocent + other.innocent,
          right + other.right);
    }
  }

  private LogScore() {}

  /** Tries the cases of these seeds. */
  public static LogScore of(long firstSeed, int cases) {
    LogScore score = new LogScore();
    LongStream.range(firstSeed, firstSeed + cases).parallel().forEach(score::tryOne);
    return score;
  }

  private void tryOne(long seed) {
    LogCase one = LogMaker.make(seed);
    LogSuspicion best = read(one.files()).first();
    Set<Integer> blamed = new TreeSet<>(best.ranks());
    boolean byNode = blamed.isEmpty() && !best.node().isEmpty();
    boolean nodeRight = best.node().equals(one.node());
    boolean exact =
        byNode
            ? nodeRight && (one.culprits().isEmpty() || one.nodeOnly())
            : !blamed.isEmpty() && blamed.equals(one.culprits());
    boolean innocent = byNode ? !nodeRight : !one.culprits().containsAll(blamed);
    boolean right = exact || !one.decidable() && (!best.blames() || byNode && nodeRight);
    boolean classed = List.of(one.fault().classes.split(" ", -1)).contains(best.kind().word());
    Row row =
        new Row(
            one.fault().word(),
            1,
            one.decidable() ? 1 : 0,
            exact && one.decidable() ? 1 : 0,
            exact && one.decidable() && classed ? 1 : 0,
            innocent ? 1 : 0,
            right ? 1 : 0);
    synchronized (this) {
      rows.merge(one.fault(), row, Row::plus);
      if (!right || innocent) {
        mistakes.add(
            "seed %d %s %s: %s %s%s, answered %s %s %s %.2f"
                .formatted(
                    seed,
                    one.fault().word(),
                    one.note(),
                    one.culprits(),
                    one.node(),
                    one.decidable() ? "" : " (cannot be told)",
                    best.kind().word(),
                    blamed,
                    best.node(),
                    best.confidence()));
      }
    }
  }

  /** Reads files of a case as if they lay in a folder. */
  static LogVerdict read(Map<String, byte[]> files) {
    List<LogSource> sources = new ArrayList<>();
    files.forEach(
        (name, bytes) -> {
          LogNames told = LogNames.of(name);
          sources.add(
              new LogSource(
                  name,
                  told.kind(),
                  told.rank(),
                  told.local(),
                  told.node(),
                  WRITTEN,
                  () -> new ByteArrayInputStream(bytes)));
        });
    return LogAnalysis.of(sources);
  }

  /** By fault, then all together. */
  public List<Row> rows() {
    List<Row> all = new ArrayList<>(rows.values());
    Row sum = new Row("all", 0, 0, 0, 0, 0, 0);
    for (Row row : rows.values()) {
      sum = sum.plus(row);
    }
    all.add(sum);
    return all;
  }

  /** What went wrong, some of it. */
  public List<String> mistakes() {
    return mistakes.stream().sorted().limit(MOST_MISTAKES).toList();
  }
}
