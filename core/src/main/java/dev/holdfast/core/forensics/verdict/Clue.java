package dev.holdfast.core.forensics.verdict;

import dev.holdfast.core.forensics.Diagnosis;
import dev.holdfast.core.forensics.FailureClass;
import dev.holdfast.core.forensics.flight.Cause;
import dev.holdfast.core.forensics.flight.Hypothesis;
import java.util.List;
import java.util.Set;

/**
 * What one source says about who began it.
 *
 * @param ranks the suspected ones; with no node either: it cannot tell who
 * @param node the suspected node, empty: it names none
 * @param gpu of the node, where no rank is known, −1: it names none
 * @param kind the class, as the source calls it: {@code hang}, {@code ecc}
 * @param confidence 0 to 1, were it alone
 * @param what one sentence
 * @param missing what would have to be known to be surer
 * @param next where to look
 */
public record Clue(
    Source source,
    List<Integer> ranks,
    String node,
    int gpu,
    String kind,
    double confidence,
    String what,
    List<String> evidence,
    List<String> missing,
    String next) {
  /** Classes that say how a rank was found rather than what happened to it. */
  private static final Set<String> GENERIC =
      Set.of(
          Cause.HANG.word(),
          Cause.CRASH.word(),
          Cause.UNKNOWN.word(),
          FailureClass.NCCL_ERROR.word());

  public Clue {
    ranks = ranks.stream().distinct().sorted().toList();
    evidence = List.copyOf(evidence);
    missing = List.copyOf(missing);
  }

  static Clue of(Hypothesis one) {
    return new Clue(
        Source.FLIGHT,
        one.culprits(),
        "",
        -1,
        one.cause().word(),
        one.confidence(),
        one.what(),
        one.evidence(),
        one.missing(),
        one.cause().next());
  }

  /** What the flight recorders say, best first. */
  public static List<Clue> ofFlights(List<Hypothesis> hypotheses) {
    return hypotheses.stream().map(Clue::of).toList();
  }

  /** What the launcher concluded from watching and from how ranks ended. */
  public static Clue of(Diagnosis diagnosis, String next) {
    return new Clue(
        Source.LAUNCHER,
        diagnosis.ranks(),
        diagnosis.node(),
        -1,
        diagnosis.kind().word(),
        diagnosis.confidence(),
        diagnosis.what(),
        diagnosis.evidence(),
        List.of(),
        next);
  }

  /** Whether it names somebody. */
  boolean blames() {
    return !ranks.isEmpty() || !node.isEmpty();
  }

  /** Whether it names a cause. */
  boolean names() {
    return specific() && !kind.equals(FailureClass.UNKNOWN.word());
  }

  boolean specific() {
    return !GENERIC.contains(kind);
  }
}
