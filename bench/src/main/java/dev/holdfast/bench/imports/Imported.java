package dev.holdfast.bench.imports;

import dev.holdfast.core.network.NetResult;
import dev.holdfast.core.network.NetResults;
import java.util.List;
import java.util.Map;

/**
 * What was in a file.
 *
 * @param tool who printed it, such as {@code nccl-tests}
 * @param about what else it tells of the run: hosts, devices, versions
 * @param notes what to know about the figures: which units were put right, what was left out
 */
public record Imported(
    String tool, List<NetResult> results, Map<String, String> about, List<String> notes) {
  public Imported {
    results = NetResults.merged(results);
    about = Map.copyOf(about);
    notes = notes.stream().distinct().toList();
    if (results.isEmpty()) {
      throw new IllegalArgumentException(
          "looks like " + tool + ", but has no row of results (was the run cut short?)");
    }
  }
}
