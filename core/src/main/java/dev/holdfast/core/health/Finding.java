package dev.holdfast.core.health;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A check's answer worth telling.
 *
 * @param check stable id of the check, such as {@code gpu.ecc.uncorrected}
 * @param kind an event happens once, a condition holds until it clears
 * @param summary what is wrong, in one sentence
 * @param since when it began, if that is known
 * @param meaning why it hurts training
 * @param remedy what to do: a command where there is one
 */
public record Finding(
    String check,
    Subject subject,
    Kind kind,
    Severity severity,
    FaultClass faultClass,
    Proof proof,
    String summary,
    Optional<Instant> since,
    List<Evidence> evidence,
    String meaning,
    String remedy) {

  /** Whether it happened once or holds on. */
  public enum Kind {
    EVENT,
    CONDITION
  }

  public Finding {
    evidence = List.copyOf(evidence);
    if (summary.isBlank() || meaning.isBlank() || remedy.isBlank() || evidence.isEmpty()) {
      throw new IllegalArgumentException(
          "a finding needs summary, evidence, meaning and remedy: " + check);
    }
  }
}
