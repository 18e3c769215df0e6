package dev.holdfast.core.network.blame;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Nodes with several adapters, each kind of which was looked at by itself: traffic between two
 * adapters of one node never leaves it and proves nothing. A node that is bad on all of them is bad
 * itself; else it is the adapter.
 */
public final class Rails {
  private Rails() {}

  /** One report of those of each adapter, by its name. */
  public static BlameReport merged(Map<String, BlameReport> rails) {
    if (rails.size() == 1) {
      return rails.values().iterator().next();
    }
    List<Blamed> blamed = new ArrayList<>();
    List<String> undecided = new ArrayList<>();
    Map<String, Map<String, Blamed>> nodes = new LinkedHashMap<>();
    rails.forEach(
        (rail, report) -> {
          undecided.addAll(report.undecided());
          for (Blamed each : report.blamed()) {
            if (each.kind() == Blamed.Kind.NODE) {
              nodes.computeIfAbsent(each.name(), _ -> new LinkedHashMap<>()).put(rail, each);
            } else {
              blamed.add(each.kind() == Blamed.Kind.LINK ? each : on(rail, each));
            }
          }
        });
    nodes.forEach(
        (node, bad) -> {
          if (bad.size() == rails.size()) {
            blamed.add(all(node, List.copyOf(bad.values())));
          } else {
            bad.forEach(
                (rail, each) ->
                    blamed.add(
                        new Blamed(
                            Blamed.Kind.NIC,
                            node + "/" + rail,
                            each.failed(),
                            each.share(),
                            each.evidence())));
          }
        });
    blamed.sort(Comparator.comparing(Blamed::kind).thenComparing(Blamed::name));
    return new BlameReport(
        blamed,
        undecided,
        rails.values().stream().mapToInt(BlameReport::endpoints).sum(),
        rails.values().stream().mapToInt(BlameReport::good).sum(),
        rails.values().stream().mapToInt(BlameReport::rounds).sum(),
        rails.values().stream().mapToInt(BlameReport::measurements).sum(),
        rails.values().stream()
            .mapToDouble(BlameReport::typical)
            .filter(it -> !Double.isNaN(it))
            .max()
            .orElse(Double.NaN));
  }

  /** Leaves may have the same name on each rail. */
  private static Blamed on(String rail, Blamed blamed) {
    return new Blamed(
        blamed.kind(),
        blamed.name() + " on " + rail,
        blamed.failed(),
        blamed.share(),
        blamed.evidence());
  }

  private static Blamed all(String node, List<Blamed> bad) {
    return new Blamed(
        Blamed.Kind.NODE,
        node,
        bad.stream().allMatch(Blamed::failed),
        bad.stream().mapToDouble(Blamed::share).max().orElse(0),
        bad.stream().flatMap(it -> it.evidence().stream()).toList());
  }
}
