package dev.holdfast.bench.net;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What the machines of all ranks are, in one list: what is not the same says where. */
final class HostFacts {
  private static final int MOST_NAMED = 3;

  private HostFacts() {}

  /**
   * @param ranks what the machine of each rank is, by name
   * @param hosts of the ranks; empty where all are on this machine
   */
  static Map<String, String> of(List<Map<String, String>> ranks, List<String> hosts) {
    Map<String, Map<String, Set<String>>> all = new LinkedHashMap<>();
    for (int rank = 0; rank < ranks.size(); rank++) {
      String host = hosts.isEmpty() ? "" : hosts.get(rank);
      ranks
          .get(rank)
          .forEach(
              (name, value) ->
                  all.computeIfAbsent(name, _ -> new LinkedHashMap<>())
                      .computeIfAbsent(value, _ -> new LinkedHashSet<>())
                      .add(host));
    }
    Map<String, String> facts = new LinkedHashMap<>();
    all.forEach((name, values) -> facts.put(name, words(values)));
    return facts;
  }

  private static String words(Map<String, Set<String>> values) {
    if (values.size() == 1) {
      return values.keySet().iterator().next();
    }
    List<String> parts = new ArrayList<>();
    values.forEach(
        (value, hosts) ->
            parts.add(
                "%s (%s%s)"
                    .formatted(
                        value,
                        String.join(", ", hosts.stream().limit(MOST_NAMED).toList()),
                        hosts.size() > MOST_NAMED ? ", %d hosts".formatted(hosts.size()) : "")));
    return String.join("; ", parts);
  }
}
