package dev.holdfast.control.replay;

import dev.holdfast.control.entry.Stand;
import dev.holdfast.control.state.DecisionView;
import dev.holdfast.core.policy.Rung;

/**
 * What was decided.
 *
 * @param rule the rule behind it, empty: none fitted
 * @param stand how far it came; what was withdrawn stands as it was made
 * @param held what held it back, empty: nothing
 */
public record Choice(String rule, Rung rung, Stand stand, String held) {
  static Choice of(DecisionView view) {
    Stand stand = view.stand() == Stand.WITHDRAWN ? view.made().stand() : view.stand();
    return new Choice(
        view.made().rule(),
        view.made().rung(),
        stand,
        stand == Stand.HELD ? view.made().held() : "");
  }

  /** Whether the same is done; which rule says so does not matter. */
  boolean same(Choice other) {
    return rung == other.rung && stand == other.stand;
  }
}
