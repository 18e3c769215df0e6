package dev.holdfast.core.forensics.logs;

import dev.holdfast.core.forensics.FailureClass;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One explanation of why the run ended, as far as its logs tell.
 *
 * @param ranks whom it blames, ascending; empty and no node: it cannot be told who. Empty with a
 *     node: the node is to blame, not one rank of it. Where the code is to blame, the ranks it
 *     failed on
 * @param node empty: no node is to blame, or it is not known which
 * @param gpu of the node: to blame is this one, whose rank is not known; −1: not told
 * @param kind what kind of failure
 * @param confidence 0 to 1; 0.9 and more: it says so itself and came first
 * @param what one sentence: what happened
 * @param evidence lines of the logs, each with rank and place, most telling first
 * @param missing what would have to be known to be surer, one line each
 * @param when the first sign of it, by the corrected clock; empty: no line near it has a time
 * @param rule the row of failure-rules.tsv that fits, empty: none; {@code kernel.…} for a rule of
 *     the kernel log
 * @param next what to do or to look at
 */
public record LogSuspicion(
    List<Integer> ranks,
    String node,
    int gpu,
    FailureClass kind,
    double confidence,
    String what,
    List<String> evidence,
    List<String> missing,
    Optional<Instant> when,
    String rule,
    String next) {
  public LogSuspicion {
    ranks = ranks.stream().distinct().sorted().toList();
    evidence = List.copyOf(evidence);
    missing = List.copyOf(missing);
    if (!(confidence >= 0 && confidence <= 1)) {
      throw new IllegalArgumentException("confidence " + confidence);
    }
  }

  /** Whether it names somebody. */
  public boolean blames() {
    return !ranks.isEmpty() || !node.isEmpty();
  }
}
