package dev.holdfast.launch.action;

import dev.holdfast.core.text.Json;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What came of an action.
 *
 * @param action as in {@link ActionSpec#show}
 * @param what one sentence
 */
public record ActionOutcome(String action, boolean done, String what, Duration took) {

  /** The details of a moment of the timeline. */
  public Map<String, @Nullable Object> json() {
    return Json.map(
        "action", action, "done", done, "what", what, "seconds", took.toMillis() / 1000.0);
  }
}
