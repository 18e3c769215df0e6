package dev.holdfast.bench.store;

import dev.holdfast.core.text.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One case of ours beside a peer's.
 *
 * @param ours operations a second for a load, else seconds (bytes for memory)
 * @param ratio ours divided by theirs
 * @param cpuRatio processor time of ours for one operation divided by theirs
 * @param latencyRatio median latency of ours divided by theirs
 * @param goal in words; empty where none is set
 * @param missed what of it was missed; empty: it was reached
 */
record Row(
    Case of,
    double ours,
    double theirs,
    double ratio,
    double cpuRatio,
    double latencyRatio,
    double spread,
    String goal,
    String missed) {

  String verdict() {
    return goal.isEmpty() ? "" : missed.isEmpty() ? "pass" : "miss: " + missed;
  }

  Map<String, @Nullable Object> tree() {
    return Json.map(
        "measure",
        of.measure(),
        "operation",
        of.operation().isEmpty() ? null : of.operation(),
        "connections",
        of.connections(),
        "ours",
        known(ours),
        "theirs",
        known(theirs),
        "ratio",
        known(ratio),
        "cpuRatio",
        known(cpuRatio),
        "latencyRatio",
        known(latencyRatio),
        "spread",
        known(spread),
        "goal",
        goal.isEmpty() ? null : goal,
        "reached",
        goal.isEmpty() ? null : (Boolean) missed.isEmpty(),
        "missed",
        missed.isEmpty() ? null : missed);
  }

  private static @Nullable Double known(double value) {
    return Double.isNaN(value) ? null : (Double) value;
  }
}
