package dev.holdfast.launch.job;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What happens when ranks fail or somebody asks the job to end.
 *
 * @param maxRestarts attempts after the first, job-wide
 * @param grace from the first TERM to KILL
 * @param actions what to do on which event, as given: {@code EVENT=ACTION}
 * @param distinctCodes whether exit codes tell failures apart; otherwise 1 for each, as torchrun's
 * @param warm whether standbys wait for the next attempt
 */
public record EndPlan(
    int maxRestarts, Duration grace, List<String> actions, boolean distinctCodes, boolean warm) {

  public EndPlan {
    actions = List.copyOf(actions);
    if (maxRestarts < 0 || grace.isNegative()) {
      throw new IllegalArgumentException("restarts " + maxRestarts + ", grace " + grace);
    }
  }

  public Map<String, @Nullable Object> json() {
    return Json.map(
        "maxRestarts",
        maxRestarts,
        "graceMillis",
        grace.toMillis(),
        "actions",
        actions,
        "distinctCodes",
        distinctCodes,
        "warm",
        warm);
  }

  public static EndPlan of(Fields fields) {
    return new EndPlan(
        fields.integer("maxRestarts"),
        Duration.ofMillis(fields.number("graceMillis")),
        fields.texts("actions"),
        fields.flag("distinctCodes"),
        fields.flag("warm"));
  }
}
