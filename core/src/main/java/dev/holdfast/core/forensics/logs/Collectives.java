package dev.holdfast.core.forensics.logs;

import dev.holdfast.core.forensics.FailureClass;
import dev.holdfast.core.forensics.Ranks;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * What the watchdogs of ranks tell of the collectives they waited in: who calls another one under
 * the same number, who waits in an earlier one, who had been given less work. Each counts only
 * where it points to a minority.
 */
final class Collectives {
  /** Two whose numbers are further apart wait in different groups. */
  private static final long MOST_APART = 10;

  private final Scene scene;

  private Collectives(Scene scene) {
    this.scene = scene;
  }

  static Optional<Answer> of(Scene scene) {
    Collectives all = new Collectives(scene);
    return all.mismatch()
        .or(
            () ->
                all.lowest(
                    voice -> {
                      Map<String, Long> numbers = new TreeMap<>();
                      for (Wait wait : voice.waits()) {
                        numbers.merge(wait.group(), wait.sequence(), Math::min);
                      }
                      return numbers;
                    },
                    0.75,
                    "waited in an earlier collective than the others, which had finished it.",
                    "number of the collective they wait in: "))
        .or(
            () ->
                all.lowest(
                    Voice::enqueued,
                    0.7,
                    "had been given less work than the others and did not come to the collective.",
                    "work given to NCCL: "));
  }

  private Optional<Answer> mismatch() {
    Map<String, Map<String, List<Integer>>> byPlace = new TreeMap<>();
    for (Voice voice : scene.ranks()) {
      for (Wait wait : voice.waits()) {
        if (wait.operation().isEmpty()) {
          continue; // the line is cut off
        }
        byPlace
            .computeIfAbsent(wait.group() + "#" + wait.sequence(), _ -> new TreeMap<>())
            .computeIfAbsent(wait.operation(), _ -> new ArrayList<>())
            .add(voice.rank);
      }
    }
    for (Map<String, List<Integer>> calls : byPlace.values()) {
      List<Integer> odd = minority(calls.values());
      if (!odd.isEmpty()) {
        return Optional.of(
            Answer.ranks(
                odd,
                FailureClass.USER_CODE,
                "code.mismatch",
                0.8,
                "called another collective than the others under the same number.",
                List.of("called under one number: " + calls.keySet())));
      }
    }
    return Optional.empty();
  }

  private static List<Integer> minority(Collection<List<Integer>> parts) {
    int all = parts.stream().mapToInt(List::size).sum();
    List<Integer> most = parts.stream().max(Comparator.comparingInt(List::size)).orElse(List.of());
    if (most.size() * 2 <= all) {
      return List.of();
    }
    return parts.stream().filter(part -> part != most).flatMap(List::stream).toList();
  }

  /** Who has the lowest number of its group. */
  private Optional<Answer> lowest(
      Function<Voice, Map<String, Long>> numbers, double confidence, String what, String label) {
    Map<String, TreeMap<Long, TreeSet<Integer>>> byGroup = new TreeMap<>();
    for (Voice voice : scene.ranks()) {
      numbers
          .apply(voice)
          .forEach(
              (group, number) ->
                  byGroup
                      .computeIfAbsent(group, _ -> new TreeMap<>())
                      .computeIfAbsent(number, _ -> new TreeSet<>())
                      .add(voice.rank));
    }
    for (TreeMap<Long, TreeSet<Integer>> byNumber : byGroup.values()) {
      int all = byNumber.values().stream().mapToInt(TreeSet::size).sum();
      TreeSet<Integer> least = byNumber.firstEntry().getValue();
      long apart = byNumber.lastKey() - byNumber.firstKey();
      boolean two = all == 2 && least.size() == 1 && apart <= MOST_APART;
      if (two || all >= 3 && least.size() * 2 < all) {
        List<String> parts = new ArrayList<>();
        byNumber.forEach((number, ranks) -> parts.add(number + " ranks " + Ranks.show(ranks)));
        String shown = String.join("; ", parts.subList(0, Math.min(4, parts.size())));
        return Optional.of(
            Answer.ranks(
                least,
                FailureClass.HANG,
                "peer.watchdog",
                two ? confidence - 0.15 : confidence,
                what,
                List.of(label + shown)));
      }
    }
    return Optional.empty();
  }
}
