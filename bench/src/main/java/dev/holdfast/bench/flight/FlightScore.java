package dev.holdfast.bench.flight;

import dev.holdfast.core.forensics.flight.Flight;
import dev.holdfast.core.forensics.flight.FlightAnalysis;
import dev.holdfast.core.forensics.flight.FlightReader;
import dev.holdfast.core.forensics.flight.Hypothesis;
import dev.holdfast.core.forensics.flight.Recordings;
import dev.holdfast.core.forensics.flight.Vocabulary;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;

/** How often the diagnosis of flight recorder dumps is right, on jobs whose fault is known. */
public final class FlightScore {
  private static final int MOST_MISTAKES = 20;

  private final Map<Fault, Row> rows = new EnumMap<>(Fault.class);
  private final List<String> mistakes = new ArrayList<>();

  /**
   * One line of the table.
   *
   * @param decidable cases in which the dumps tell who did it
   * @param exact of those, named exactly
   * @param innocent of all cases, where a rank was blamed that did nothing
   * @param right of all cases: exact, or unknown where it cannot be told
   */
  public record Row(String fault, int cases, int decidable, int exact, int innocent, int right) {
    Row plus(Row other) {
      return new Row(
          fault,
          cases + other.cases,
          decidable + other.decidable,
          exact + other.exact,
          innocent + other.innocent,
          right + other.right);
    }
  }

  private FlightScore() {}

  /** Tries the cases of these seeds. */
  public static FlightScore of(long firstSeed, int cases) {
    FlightScore score = new FlightScore();
    LongStream.range(firstSeed, firstSeed + cases).parallel().forEach(score::tryOne);
    return score;
  }

  private void tryOne(long seed) {
    LabelledCase one = CaseMaker.make(seed);
    Hypothesis best = diagnose(one).getFirst();
    Set<Integer> blamed = new TreeSet<>(best.culprits());
    boolean exact = !blamed.isEmpty() && blamed.equals(one.culprits());
    boolean innocent = !one.culprits().containsAll(blamed);
    boolean right = exact || blamed.isEmpty() && !one.decidable();
    Row row =
        new Row(
            one.fault().word(),
            1,
            one.decidable() ? 1 : 0,
            exact && one.decidable() ? 1 : 0,
            innocent ? 1 : 0,
            right ? 1 : 0);
    synchronized (this) {
      rows.merge(one.fault(), row, Row::plus);
      if (!right || innocent) {
        mistakes.add(
            "seed %d %s %s: %s%s, answered %s %s"
                .formatted(
                    seed,
                    one.fault().word(),
                    one.note(),
                    one.culprits(),
                    one.decidable() ? "" : " (cannot be told)",
                    best.cause().word(),
                    blamed));
      }
    }
  }

  private static List<Hypothesis> diagnose(LabelledCase one) {
    Vocabulary vocabulary = new Vocabulary();
    List<Flight> flights = new ArrayList<>();
    Map<Integer, String> unreadable = new HashMap<>();
    one.dumps()
        .forEach(
            (rank, bytes) -> {
              try {
                flights.add(FlightReader.read(rank, new ByteArrayInputStream(bytes), vocabulary));
              } catch (IOException | IllegalArgumentException broken) {
                unreadable.put(rank, String.valueOf(broken.getMessage()));
              }
            });
    Recordings all = Recordings.of(vocabulary, flights, unreadable, one.layout().ranks());
    return FlightAnalysis.of(all.quietFor(one.quiet()));
  }

  /** By fault, then all together. */
  public List<Row> rows() {
    List<Row> all = new ArrayList<>(rows.values());
    Row sum = new Row("all", 0, 0, 0, 0, 0);
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
