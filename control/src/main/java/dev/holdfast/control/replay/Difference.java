package dev.holdfast.control.replay;

import java.time.Instant;
import java.util.Optional;

/**
 * A decision that one policy makes otherwise, or the other does not make at all.
 *
 * @param incident its number in the record, empty: there it was none
 * @param subject what it is done to
 */
public record Difference(
    Instant at,
    String incident,
    String cause,
    String subject,
    Optional<Choice> before,
    Optional<Choice> after,
    Cost costBefore,
    Cost costAfter) {

  /** Device-hours the new policy costs more; less, when negative. */
  public double hours() {
    return costAfter.hours() - costBefore.hours();
  }
}
