package dev.holdfast.core.health;

import java.util.Optional;

/**
 * How far a finding must be proven before anything is done about it.
 *
 * <p>Rows of a table have a proof of their own. It counts only for who said what he accepts: else a
 * new version of the table alone would let nodes be drained that were not drained before.
 *
 * @param least empty: nobody said so; then checks that are recorded act, and their rows count for
 *     nothing
 */
public record Accept(Optional<Proof> least) {
  public static final Accept UNSAID = new Accept(Optional.empty());

  public static Accept of(Proof least) {
    return new Accept(Optional.of(least));
  }

  public boolean takes(Finding finding) {
    return takes(finding.proof(), finding.rowProof());
  }

  /**
   * @param row how far the row is proven that a check found; empty: it looks into no table
   */
  public boolean takes(Proof check, Optional<Proof> row) {
    return least
        .map(it -> row.orElse(check).atLeast(it))
        .orElseGet(() -> check.atLeast(Proof.RECORDED));
  }

  /** Why a finding that is not taken is not: a sentence. */
  public String refusal(Finding finding) {
    return "%s is %s, and the policy %s"
        .formatted(
            finding.rowProof().isPresent() ? "the row it comes from" : "the check",
            finding.proven() == Proof.DOCUMENTED ? "written from documents only" : "recorded",
            least.map(it -> "accepts only what is " + it.phrase()).orElse("has no 'accept'"));
  }

  /** What is missing where it is not taken, in few words. */
  public String lack(Proof check, Optional<Proof> row) {
    return row.orElse(check) == Proof.DOCUMENTED
        ? "from documents only"
        : least.isEmpty() ? "recorded, 'accept: recorded' is not said" : "recorded only";
  }

  @Override
  public String toString() {
    return least.map(Proof::word).orElse("unsaid");
  }
}
