package dev.holdfast.core.cluster;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A node of a job: which ranks it holds. Rank {@code firstRank + i} uses device {@code i}. */
public record JobMember(String node, int firstRank, int processes) {
  public Map<String, @Nullable Object> json() {
    return Json.map("node", node, "firstRank", firstRank, "processes", processes);
  }

  public static JobMember of(Fields fields) {
    return new JobMember(
        fields.text("node"), fields.integer("firstRank"), fields.integer("processes"));
  }
}
