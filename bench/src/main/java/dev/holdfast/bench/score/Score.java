package dev.holdfast.bench.score;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongFunction;
import java.util.stream.LongStream;

/** What became of many cases: counted by fault, the mistakes kept in words. */
public final class Score {
  private static final int MOST_MISTAKES = 20;

  private final Map<Enum<?>, Row> rows = new TreeMap<>(Comparator.comparing(Enum::ordinal));
  private final List<String> mistakes = new ArrayList<>();

  /**
   * What became of one case.
   *
   * @param fault which was planted; rows are in this order
   * @param word for that fault
   * @param decidable whether what is left tells who did it
   * @param exact whether who is blamed is who did it
   * @param classed whether the class that was answered fits
   * @param innocent whether somebody is blamed who did nothing
   * @param right exact, or nobody is blamed wrongly where it cannot be told
   * @param told the case and its answer in words, for whoever asks what went wrong
   */
  public record Outcome(
      Enum<?> fault,
      String word,
      boolean decidable,
      boolean exact,
      boolean classed,
      boolean innocent,
      boolean right,
      String told) {}

  /**
   * One line of the table.
   *
   * @param decidable cases in which what is left tells who did it
   * @param exact of those, named exactly
   * @param classed of those, with a class that fits
   * @param innocent of all cases, where somebody was blamed who did nothing
   * @param right of all cases: exact, or where that cannot be told nobody wrongly blamed
   */
  public record Row(
      String fault, int cases, int decidable, int exact, int classed, int innocent, int right) {
    private static Row of(Outcome one) {
      boolean exact = one.exact() && one.decidable();
      return new Row(
          one.word(),
          1,
          count(one.decidable()),
          count(exact),
          count(exact && one.classed()),
          count(one.innocent()),
          count(one.right()));
    }

    private static int count(boolean it) {
      return it ? 1 : 0;
    }

    private Row plus(Row other) {
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

  private Score() {}

  /** Tries the cases of these seeds, on all cores. */
  public static Score of(long firstSeed, int cases, LongFunction<Outcome> trying) {
    Score score = new Score();
    LongStream.range(firstSeed, firstSeed + cases).parallel().mapToObj(trying).forEach(score::add);
    return score;
  }

  private synchronized void add(Outcome one) {
    rows.merge(one.fault(), Row.of(one), Row::plus);
    if (!one.right() || one.innocent()) {
      mistakes.add(one.told());
    }
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
