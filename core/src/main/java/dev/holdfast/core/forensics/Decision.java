package dev.holdfast.core.forensics;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What to do after an interruption.
 *
 * @param without the node to leave out of the next attempt, empty: none
 * @param counts whether this takes one from the restart budget
 * @param exitCode what the launcher exits with when it stops
 * @param why one sentence for the operator
 */
public record Decision(Choice choice, String without, boolean counts, int exitCode, String why) {
  public enum Choice {
    RESTART,
    STOP
  }

  public static Decision restart(String why) {
    return new Decision(Choice.RESTART, "", true, 0, why);
  }

  public static Decision restartWithout(String node, String why) {
    return new Decision(Choice.RESTART, node, true, 0, why);
  }

  public static Decision stop(int exitCode, String why) {
    return new Decision(Choice.STOP, "", false, exitCode, why);
  }

  public Map<String, @Nullable Object> json() {
    return Json.map(
        "choice",
        choice.name().toLowerCase(java.util.Locale.ROOT),
        "without",
        without.isEmpty() ? null : without,
        "counts",
        counts,
        "exitCode",
        exitCode,
        "why",
        why);
  }

  public static Decision of(Fields fields) {
    return new Decision(
        Choice.valueOf(fields.text("choice").toUpperCase(java.util.Locale.ROOT)),
        fields.text("without", ""),
        fields.flag("counts"),
        fields.integer("exitCode"),
        fields.text("why"));
  }
}
