package dev.holdfast.core.forensics.verdict;

import dev.holdfast.core.forensics.Ranks;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Puts together what several sources say.
 *
 * <p>Sources that suspect the same ranks, or ranks of the node another one suspects, support each
 * other: two that may each be wrong are rarely wrong about the same rank of a thousand. Sources
 * that suspect somebody else speak against it. The class is that of the surest source that says
 * more than "it hung" or "it ended".
 */
public final class Verdict {
  /** However many agree: who reads files may be wrong. */
  static final double SUREST = 0.98;

  /** What a contradiction of a source that is fully sure takes away. */
  private static final double DOUBT = 0.4;

  private static final int MOST_EVIDENCE = 12;
  private static final int MOST_AGAINST = 4;

  private final Map<Integer, String> nodes;
  private final List<List<Clue>> groups = new ArrayList<>();

  private Verdict(Map<Integer, String> nodes) {
    this.nodes = nodes;
  }

  /**
   * Explanations, the best first; never empty.
   *
   * @param nodes where each rank ran, as far as it is known
   */
  public static List<Conclusion> of(List<Clue> clues, Map<Integer, String> nodes) {
    Verdict verdict = new Verdict(nodes);
    List<Clue> sorted =
        clues.stream().sorted(Comparator.comparingDouble(Clue::confidence).reversed()).toList();
    sorted.stream().filter(Clue::blames).forEach(verdict::place);
    List<Conclusion> conclusions = new ArrayList<>();
    for (List<Clue> group : verdict.groups) {
      conclusions.add(verdict.conclusion(group));
    }
    if (sorted.stream().filter(Clue::blames).map(Clue::source).distinct().count() == 1) {
      // A cause that is nobody's doing, from whoever names somebody for want of a better one.
      sorted.stream()
          .filter(clue -> !clue.blames() && clue.names())
          .forEach(clue -> conclusions.add(verdict.conclusion(List.of(clue))));
    }
    conclusions.sort(Comparator.comparingDouble(Conclusion::confidence).reversed());
    if (conclusions.isEmpty()) {
      // Who cannot tell says nothing beside one who can.
      sorted.forEach(clue -> conclusions.add(verdict.conclusion(List.of(clue))));
    }
    return conclusions.isEmpty() ? List.of(nothing()) : conclusions;
  }

  private static Conclusion nothing() {
    return new Conclusion(
        List.of(),
        "",
        -1,
        "unknown",
        0,
        "Nothing was found that says why it stopped.",
        List.of(),
        List.of(),
        List.of(),
        List.of("logs of the ranks, their stacks or flight recorder dumps"),
        "what is named as missing");
  }

  private void place(Clue clue) {
    for (List<Clue> group : groups) {
      if (agree(group.getFirst(), clue)) {
        group.add(clue);
        return;
      }
    }
    groups.add(new ArrayList<>(List.of(clue)));
  }

  /** Whether one of two is about the same ranks as the other or a part of them, or their node. */
  private boolean agree(Clue one, Clue other) {
    if (!one.ranks().isEmpty() && !other.ranks().isEmpty()) {
      return one.ranks().containsAll(other.ranks()) || other.ranks().containsAll(one.ranks());
    }
    Set<String> both = new HashSet<>(places(one));
    return both.equals(places(other));
  }

  private Set<String> places(Clue clue) {
    Set<String> places = new HashSet<>();
    if (!clue.node().isEmpty()) {
      places.add(clue.node());
    } else {
      clue.ranks().forEach(rank -> places.add(nodes.getOrDefault(rank, "rank " + rank)));
    }
    return places;
  }

  private Conclusion conclusion(List<Clue> group) {
    Clue surest = group.getFirst();
    Clue telling = group.stream().filter(Clue::specific).findFirst().orElse(surest);
    Clue narrow =
        group.stream()
            .filter(clue -> !clue.ranks().isEmpty())
            .filter(clue -> clue.confidence() >= surest.confidence() - 0.2)
            .min(Comparator.comparingInt(clue -> clue.ranks().size()))
            .orElse(surest);
    List<Clue> others =
        groups.stream()
            .map(List::getFirst)
            .filter(clue -> surest.blames() && !group.contains(clue))
            .filter(clue -> group.stream().noneMatch(own -> own.source() == clue.source()))
            .toList();
    Set<Source> sources = new LinkedHashSet<>();
    group.forEach(clue -> sources.add(clue.source()));
    return new Conclusion(
        narrow.ranks(),
        group.stream().map(Clue::node).filter(it -> !it.isEmpty()).findFirst().orElse(""),
        narrow.ranks().isEmpty() ? surest.gpu() : -1,
        telling.kind(),
        surest.blames() ? confidence(group, others) : surest.confidence(),
        telling.what(),
        List.copyOf(sources),
        evidence(group, telling),
        others.stream().limit(MOST_AGAINST).map(Verdict::contradiction).toList(),
        group.stream().flatMap(clue -> clue.missing().stream()).distinct().limit(4).toList(),
        telling.next());
  }

  /** Each source counts once, with its surest word; so do two that read the same lines. */
  private static double confidence(List<Clue> group, List<Clue> others) {
    double doubt = 1;
    Set<Source> heard = new HashSet<>();
    for (Clue clue : group) {
      if (heard.add(clue.source().root())) {
        doubt *= 1 - clue.confidence();
      }
    }
    double against = others.stream().mapToDouble(Clue::confidence).max().orElse(0);
    double sure = Math.min(SUREST, 1 - doubt) * (1 - DOUBT * against);
    return Math.round(sure * 100) / 100.0;
  }

  /** With its source before each line where there are several. */
  private static List<String> evidence(List<Clue> group, Clue telling) {
    boolean several = group.stream().map(Clue::source).distinct().count() > 1;
    Stream<String> lines =
        group.stream()
            .flatMap(
                clue ->
                    Stream.concat(
                            clue == telling ? Stream.empty() : Stream.of(clue.what()),
                            clue.evidence().stream())
                        .map(line -> several ? clue.source().word() + ": " + line : line));
    return lines.distinct().limit(MOST_EVIDENCE).toList();
  }

  private static String contradiction(Clue clue) {
    String who = clue.ranks().isEmpty() ? "node " + clue.node() : Ranks.named(clue.ranks());
    return "%s: suspects %s (%s, %.0f %%)"
        .formatted(clue.source().word(), who, clue.kind(), 100 * clue.confidence());
  }
}
