package dev.holdfast.core.forensics.flight;

import dev.holdfast.core.forensics.Ranks;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Do ranks wait for each other in a circle? Nobody else can end such a wait, whoever else is
 * missing. Within it the odd one is out of order: it left out a call, made one too many or called
 * in another order. Odd is who is missing where most came, and who came where most are missing.
 */
final class Circles {
  private static final int MOST_EVIDENCE = 8;

  private final Map<Integer, Attendance> head = new TreeMap<>();

  private Circles(Collection<Attendance> attendances) {
    for (Attendance attendance : attendances) {
      attendance.waiting().forEach(standing -> head.put(standing.rank(), attendance));
    }
  }

  static Optional<Hypothesis> find(Collection<Attendance> attendances) {
    Circles circles = new Circles(attendances);
    Set<Integer> circle = circles.circle();
    return circle.isEmpty() ? Optional.empty() : Optional.of(circles.explain(circle));
  }

  /** For whom a rank waits and who waits, too. */
  private List<Integer> next(int rank) {
    List<Integer> next = new ArrayList<>();
    Attendance attendance = head.get(rank);
    if (attendance != null) {
      attendance.missing().forEach(standing -> next.add(standing.rank()));
      attendance.behind().forEach(standing -> next.add(standing.rank()));
      next.retainAll(head.keySet());
    }
    return next;
  }

  /**
   * Ranks of one circle: those that are left when whoever waits for nobody who waits is taken away,
   * again and again, and then whoever nobody left waits for.
   */
  private Set<Integer> circle() {
    Map<Attendance, Set<Integer>> next = new HashMap<>();
    for (Attendance attendance : new HashSet<>(head.values())) {
      next.put(attendance, new HashSet<>(next(attendance.waiting().getFirst().rank())));
    }
    Set<Integer> left = new HashSet<>(head.keySet());
    while (left.removeIf(
        rank -> next.getOrDefault(head.get(rank), Set.of()).stream().noneMatch(left::contains))) {}
    Set<Integer> wanted = new HashSet<>();
    do {
      wanted.clear();
      for (int rank : left) {
        wanted.addAll(next.getOrDefault(head.get(rank), Set.of()));
      }
    } while (left.retainAll(wanted));
    return left;
  }

  private Hypothesis explain(Set<Integer> circle) {
    Map<Integer, Integer> odd = new TreeMap<>();
    List<String> evidence = new ArrayList<>();
    for (Attendance attendance : new HashSet<>(head.values())) {
      List<Integer> waiting =
          attendance.waiting().stream().map(Standing::rank).filter(circle::contains).toList();
      List<Integer> missing =
          attendance.missing().stream().map(Standing::rank).filter(circle::contains).toList();
      if (waiting.size() < missing.size()) {
        waiting.forEach(rank -> odd.merge(rank, missing.size(), Integer::sum));
      } else {
        missing.forEach(rank -> odd.merge(rank, waiting.size(), Integer::sum));
      }
      if (!missing.isEmpty() && !waiting.isEmpty()) {
        evidence.add(
            "%s wait for %s in %s"
                .formatted(
                    Hypothesis.begin(Ranks.named(waiting)),
                    Ranks.named(missing),
                    attendance.meeting().text()));
      }
    }
    int most = odd.values().stream().mapToInt(Integer::intValue).max().orElse(0);
    List<Integer> worst =
        odd.entrySet().stream()
            .filter(entry -> entry.getValue() == most)
            .map(Map.Entry::getKey)
            .toList();
    boolean clear = most > 1 && worst.size() == 1;
    return new Hypothesis(
        clear ? worst : List.of(),
        Cause.MISMATCH,
        clear ? 0.6 : 0.4,
        clear
            ? "Ranks wait for each other in a circle, and rank %d stands where the others do not: it left out a call, made one too many or called in another order."
                .formatted(worst.getFirst())
            : "Ranks %s wait for each other in a circle; which of them is out of order cannot be told."
                .formatted(Ranks.named(circle).substring(6)),
        evidence.stream().sorted().limit(MOST_EVIDENCE).toList(),
        clear ? List.of() : List.of("the stacks of these ranks (holdfast stacks)"));
  }
}
