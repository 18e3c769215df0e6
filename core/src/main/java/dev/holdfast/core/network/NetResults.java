package dev.holdfast.core.network;

import dev.holdfast.core.statistics.Robust;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Results that belong together. */
public final class NetResults {
  private NetResults() {}

  /**
   * Each thing measured once: results about the same thing become one whose rounds are all of
   * theirs and whose bandwidths are the medians.
   */
  public static List<NetResult> merged(List<NetResult> results) {
    Map<NetResult.Key, List<NetResult>> byKey = new LinkedHashMap<>();
    results.forEach(it -> byKey.computeIfAbsent(it.key(), _ -> new ArrayList<>()).add(it));
    return byKey.values().stream().map(NetResults::one).toList();
  }

  private static NetResult one(List<NetResult> same) {
    NetResult first = same.getFirst();
    if (same.size() == 1) {
      return first;
    }
    return new NetResult(
        first.collective(),
        first.variant(),
        first.bytes(),
        first.ranks(),
        first.type(),
        median(same, NetResult::algbw),
        median(same, NetResult::busbw),
        new Latency(
            median(same, it -> it.latency().mean()),
            same.stream().mapToDouble(it -> it.latency().min()).min().orElse(Double.NaN),
            median(same, it -> it.latency().p50()),
            median(same, it -> it.latency().p99()),
            same.stream().mapToDouble(it -> it.latency().max()).max().orElse(Double.NaN)),
        same.stream().flatMap(it -> it.figures().stream()).toList(),
        same.stream().anyMatch(it -> it.wrong() > 0)
            ? same.stream().mapToLong(it -> Math.max(0, it.wrong())).sum()
            : same.stream().mapToLong(NetResult::wrong).min().orElse(NetResult.NOT_CHECKED));
  }

  private static double median(List<NetResult> same, ToDoubleFunction<NetResult> figure) {
    return Robust.median(same.stream().mapToDouble(figure).toArray());
  }
}
