package dev.holdfast.bench.flight;

import dev.holdfast.bench.score.Score;
import dev.holdfast.core.forensics.flight.Flight;
import dev.holdfast.core.forensics.flight.FlightAnalysis;
import dev.holdfast.core.forensics.flight.FlightReader;
import dev.holdfast.core.forensics.flight.Hypothesis;
import dev.holdfast.core.forensics.flight.Recordings;
import dev.holdfast.core.forensics.flight.Vocabulary;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** How often the diagnosis of flight recorder dumps is right, on jobs whose fault is known. */
public final class FlightScore {
  private FlightScore() {}

  /** Tries the cases of these seeds. */
  public static Score of(long firstSeed, int cases) {
    return Score.of(firstSeed, cases, FlightScore::tryOne);
  }

  private static Score.Outcome tryOne(long seed) {
    LabelledCase one = CaseMaker.make(seed);
    Hypothesis best = diagnose(one).getFirst();
    Set<Integer> blamed = new TreeSet<>(best.culprits());
    boolean exact = !blamed.isEmpty() && blamed.equals(one.culprits());
    return new Score.Outcome(
        one.fault(),
        one.fault().word(),
        one.decidable(),
        exact,
        true, // the class is not judged here
        !one.culprits().containsAll(blamed),
        exact || blamed.isEmpty() && !one.decidable(),
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
}
