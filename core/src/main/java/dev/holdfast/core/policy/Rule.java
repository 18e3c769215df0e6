package dev.holdfast.core.policy;

import java.time.Duration;

/**
 * When these findings, then that.
 *
 * @param then the rung; for a drain {@link Timing} may choose a later moment when that costs less
 * @param enforce whether it acts; else it only recommends
 * @param approval whether a person must agree before it acts
 * @param coolDown no second time for the same subject within this
 * @param settle wait this long for others with the same cause before deciding
 * @param reason why, for the operator who meets it
 */
public record Rule(
    String id,
    When when,
    Rung then,
    boolean enforce,
    boolean approval,
    Duration coolDown,
    Duration settle,
    String reason) {

  public Rule {
    if (!id.matches("[a-z][a-z0-9-]*") || reason.isBlank()) {
      throw new IllegalArgumentException(
          "a rule needs a name of small letters and a reason: " + id);
    }
  }

  public Rule enforced(boolean yes) {
    return new Rule(id, when, then, yes, approval, coolDown, settle, reason);
  }
}
