package dev.holdfast.core.cluster;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A node as its scheduler has it, told when that changes.
 *
 * @param state in the scheduler's own words
 * @param takesJobs whether a job may begin there
 * @param used whether one is there, or still on its way out
 * @param ours whether it is the control plane that took it out
 * @param reason why it is out, in the words of who took it out; empty: none
 */
public record SchedulerNode(
    String node, String state, boolean takesJobs, boolean used, boolean ours, String reason) {
  public Map<String, @Nullable Object> json() {
    return Json.map(
        "node",
        node,
        "state",
        state,
        "takesJobs",
        takesJobs,
        "used",
        used,
        "ours",
        ours,
        "reason",
        reason.isEmpty() ? null : reason);
  }

  public static SchedulerNode of(Fields fields) {
    return new SchedulerNode(
        fields.text("node"),
        fields.text("state"),
        fields.flag("takesJobs"),
        fields.flag("used"),
        fields.flag("ours"),
        fields.text("reason", ""));
  }
}
