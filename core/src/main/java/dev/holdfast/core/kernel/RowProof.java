package dev.holdfast.core.kernel;

import dev.holdfast.core.health.Proof;

/**
 * How far is a row of a table proven? A line that somebody posted proves the wording, the maker's
 * document what is to be done about it; a row with both is recorded.
 */
final class RowProof {
  private RowProof() {}

  /** Of a row that does what its maker says. */
  static Proof of(String posted) {
    return posted.isEmpty() ? Proof.DOCUMENTED : Proof.RECORDED;
  }
}
