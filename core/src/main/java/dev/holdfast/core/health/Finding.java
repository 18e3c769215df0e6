package dev.holdfast.core.health;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A check's answer worth telling.
 *
 * @param check stable id of the check, such as {@code gpu.ecc.uncorrected}
 * @param kind an event happens once, a condition holds until it clears
 * @param proof how far the check is proven
 * @param rowProof how far the row of a table is proven from which it came; empty: it came from
 *     none, or an older agent told it
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
    Optional<Proof> rowProof,
    String summary,
    Optional<Instant> since,
    List<Evidence> evidence,
    String meaning,
    String remedy) {

  /** The same of something else. */
  public Finding about(Subject other) {
    return new Finding(
        check, other, kind, severity, faultClass, proof, summary, since, evidence, meaning, remedy);
  }

  /** Whether it happened once or holds on. */
  public enum Kind {
    EVENT,
    CONDITION
  }

  /** One that comes from no table. */
  public Finding(
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
    this(
        check,
        subject,
        kind,
        severity,
        faultClass,
        proof,
        Optional.empty(),
        summary,
        since,
        evidence,
        meaning,
        remedy);
  }

  public Finding {
    evidence = List.copyOf(evidence);
    if (summary.isBlank() || meaning.isBlank() || remedy.isBlank() || evidence.isEmpty()) {
      throw new IllegalArgumentException(
          "a finding needs summary, evidence, meaning and remedy: " + check);
    }
  }

  /** How far it is proven: as its row where it came from one, else as its check. */
  public Proof proven() {
    return rowProof.orElse(proof);
  }
}
