package dev.holdfast.store.ranks;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a launcher knows of a rank.
 *
 * @param node the name people know its node by
 * @param address the address it connects from, where the launcher knows it; else empty
 * @param process the number of its process on its node; 0: not known
 */
public record RankName(int rank, String node, String address, long process) {

  public RankName {
    if (rank < 0 || rank >= 1 << 24) {
      throw new IllegalArgumentException("rank " + rank + " is not a rank");
    }
  }

  public Map<String, @Nullable Object> json() {
    return Json.map(
        "rank",
        rank,
        "node",
        node.isEmpty() ? null : node,
        "address",
        address.isEmpty() ? null : address,
        "process",
        process == 0 ? null : process);
  }

  public static RankName of(Fields fields) {
    return new RankName(
        fields.integer("rank"),
        fields.text("node", ""),
        fields.text("address", ""),
        fields.number("process", 0));
  }
}
