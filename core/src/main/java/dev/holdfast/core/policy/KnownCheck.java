package dev.holdfast.core.policy;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import java.util.List;

/**
 * A check that agents can run, and run again to verify a repair.
 *
 * @param rows of the table it looks its findings up in; none: it has no table
 */
public record KnownCheck(String id, FaultClass faultClass, Proof proof, List<KnownRow> rows) {
  public KnownCheck {
    rows = List.copyOf(rows);
  }

  /** One without a table. */
  public KnownCheck(String id, FaultClass faultClass, Proof proof) {
    this(id, faultClass, proof, List.of());
  }
}
