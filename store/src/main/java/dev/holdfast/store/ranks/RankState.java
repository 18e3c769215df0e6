package dev.holdfast.store.ranks;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a store sees of one rank, over all its connections.
 *
 * @param node the name of its node, where a launcher told it; else empty
 * @param process its process, where it is known; else 0
 * @param waitsFor keys it waits for, a few of them; none: it does not wait
 * @param waitsSeconds since when, the longest
 * @param idleSeconds since it last asked anything on any connection
 */
public record RankState(
    int rank,
    String node,
    long process,
    int connections,
    List<String> waitsFor,
    double waitsSeconds,
    double idleSeconds) {

  public RankState {
    waitsFor = List.copyOf(waitsFor);
  }

  public Map<String, @Nullable Object> json() {
    return Json.map(
        "rank",
        rank,
        "node",
        node.isEmpty() ? null : node,
        "process",
        process == 0 ? null : process,
        "connections",
        connections,
        "waitsFor",
        waitsFor.isEmpty() ? null : waitsFor,
        "waitsSeconds",
        waitsFor.isEmpty() ? null : Math.round(waitsSeconds * 1000) / 1000.0,
        "idleSeconds",
        Math.round(idleSeconds * 1000) / 1000.0);
  }

  public static RankState of(Fields fields) {
    return new RankState(
        fields.integer("rank"),
        fields.text("node", ""),
        fields.number("process", 0),
        fields.integer("connections", 0),
        fields.texts("waitsFor"),
        fields.decimal("waitsSeconds", 0),
        fields.decimal("idleSeconds", 0));
  }
}
