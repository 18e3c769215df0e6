package dev.holdfast.bench.imports;

import dev.holdfast.core.network.NetResult;
import dev.holdfast.core.network.NetResults;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

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
          "looks like "
              + tool
              + ", but has no row of results (was the run cut short?)"
              + notes.stream().map("; "::concat).collect(Collectors.joining()));
    }
  }

  /** What one run measured several times is one round of it; how far that went apart is noted. */
  Imported asOneRound() {
    double[] parts =
        results.stream()
            .filter(it -> it.rounds().size() > 1 && it.figure() > 0)
            .flatMapToDouble(it -> it.rounds().stream().mapToDouble(part -> part / it.figure()))
            .toArray();
    List<String> all = new ArrayList<>(notes);
    if (parts.length > 0) {
      all.add(
          String.format(
              Locale.ROOT,
              "what was measured several times in one run is one round; it was from %.0f to %.0f %%"
                  + " of the result",
              100 * Arrays.stream(parts).min().orElse(Double.NaN),
              100 * Arrays.stream(parts).max().orElse(Double.NaN)));
    }
    return new Imported(tool, results.stream().map(Imported::once).toList(), about, all);
  }

  private static NetResult once(NetResult result) {
    return new NetResult(
        result.collective(),
        result.variant(),
        result.bytes(),
        result.ranks(),
        result.type(),
        result.algbw(),
        result.busbw(),
        result.latency(),
        List.of(),
        result.wrong());
  }
}
