package dev.holdfast.bench.store;

import dev.holdfast.core.text.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one round of one case gave for one contender.
 *
 * @param values by name; empty when it failed
 * @param failed why it failed, else empty
 */
record Sample(
    String contender, Case of, int round, Map<String, @Nullable Object> values, String failed) {

  /** A figure by name; not a number where it was not measured. */
  double value(String name) {
    return values.get(name) instanceof Number number ? number.doubleValue() : Double.NaN;
  }

  Map<String, @Nullable Object> tree() {
    Map<String, @Nullable Object> tree =
        Json.map(
            "server",
            contender,
            "measure",
            of.measure(),
            "operation",
            of.operation().isEmpty() ? null : of.operation(),
            "connections",
            of.connections(),
            "round",
            round,
            "failed",
            failed.isEmpty() ? null : failed);
    tree.putAll(values);
    return tree;
  }
}
