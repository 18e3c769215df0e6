package dev.holdfast.control.state;

import dev.holdfast.control.entry.DecisionEntry.Decided;
import dev.holdfast.control.entry.Stand;
import java.time.Instant;
import java.util.List;

/**
 * A decision as it stands now.
 *
 * @param settledBy who changed where it stands last, and {@code settledWhy}
 * @param wrong what a person said who called it wrong, empty: nobody did
 */
public record DecisionView(
    Decided made,
    Instant at,
    Stand stand,
    Instant standSince,
    String settledBy,
    String settledWhy,
    String wrong,
    List<String> actions) {

  public String id() {
    return made.decision();
  }

  DecisionView settled(Stand to, Instant when, String actor, String why) {
    return new DecisionView(made, at, to, when, actor, why, wrong, actions);
  }

  DecisionView calledWrong(String why) {
    return new DecisionView(made, at, stand, standSince, settledBy, settledWhy, why, actions);
  }

  DecisionView with(String action) {
    List<String> more = new java.util.ArrayList<>(actions);
    more.add(action);
    return new DecisionView(
        made, at, stand, standSince, settledBy, settledWhy, wrong, List.copyOf(more));
  }
}
