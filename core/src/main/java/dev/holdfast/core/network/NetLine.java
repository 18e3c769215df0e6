package dev.holdfast.core.network;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Results of the same thing at several sizes, from small to large, and what tells them from the
 * other lines of the same picture.
 *
 * @param group lines of one group are parts of one thing, such as the algorithms of a collective
 */
public record NetLine(String name, String group, List<NetResult> results) {
  public NetLine {
    results = List.copyOf(results);
  }

  /** Whether this is what the other one becomes at larger sizes. */
  boolean continues(NetLine other) {
    return group.equals(other.group)
        && other.results.getLast().bytes() < results.getFirst().bytes();
  }

  /**
   * The lines of runs, by the names of the runs. What has no size has no place on a scale of sizes.
   */
  public static List<NetLine> of(Map<String, List<NetResult>> runs) {
    Map<List<String>, List<NetResult>> lines = new LinkedHashMap<>();
    runs.forEach(
        (run, results) ->
            results.stream()
                .filter(it -> it.bytes() > 0)
                .forEach(
                    it ->
                        lines
                            .computeIfAbsent(words(run, it.key()), _ -> new ArrayList<>())
                            .add(it)));
    List<List<String>> all = List.copyOf(lines.keySet());
    List<NetLine> named = new ArrayList<>();
    lines.forEach(
        (words, results) -> {
          List<NetResult> sorted =
              results.stream().sorted(Comparator.comparingLong(NetResult::bytes)).toList();
          String group = words.get(0) + "/" + words.get(1) + "/" + words.get(3) + words.get(4);
          named.add(new NetLine(name(words, all), group, sorted));
        });
    return named;
  }

  private static List<String> words(String run, NetResult.Key key) {
    return List.of(run, key.collective().word(), key.variant(), key.ranks() + " ranks", key.type());
  }

  /** Only what is not the same for all; where all is, what it is. */
  private static String name(List<String> words, List<List<String>> all) {
    List<String> telling = new ArrayList<>();
    for (int i = 0; i < words.size(); i++) {
      int at = i;
      boolean differs = all.stream().map(it -> it.get(at)).distinct().count() > 1;
      if (differs && !words.get(i).isEmpty()) {
        telling.add(words.get(i));
      }
    }
    return telling.isEmpty()
        ? (words.get(1) + " " + words.get(2)).strip()
        : String.join(" ", telling);
  }
}
