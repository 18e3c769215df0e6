package dev.holdfast.doctor.compare;

import dev.holdfast.core.text.Bytes;
import dev.holdfast.doctor.compare.Difference.Group;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One fact across all nodes.
 *
 * <p>Texts are equal or not. Numbers with a tolerance are put in order and cut where two neighbours
 * are further apart than it: noise stays together however wide it spreads, a missing memory module
 * does not, and two kinds of nodes are two groups rather than one broad average.
 */
final class FactColumn {
  private record Numbered(double number, String node) {}

  private final String fact;
  private final FactKind kind;
  private final Map<String, List<String>> texts = new LinkedHashMap<>();
  private final List<Numbered> numbers = new ArrayList<>();
  private int count;

  FactColumn(String fact) {
    this.fact = fact;
    this.kind = FactKind.of(fact);
  }

  void add(String node, String value) {
    count++;
    double number = kind.tolerance() > 0 ? number(value) : Double.NaN;
    if (Double.isFinite(number)) {
      numbers.add(new Numbered(number, node));
    } else {
      texts.computeIfAbsent(value, _ -> new ArrayList<>()).add(node);
    }
  }

  private static double number(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }

  /** The fact with its groups, if there is more than one. */
  Optional<Difference> difference() {
    List<Group> groups = new ArrayList<>(clusters());
    texts.forEach((value, nodes) -> groups.add(new Group(value, nodes)));
    groups.sort(
        Comparator.comparing((Group group) -> group.nodes().size())
            .reversed()
            .thenComparing(Group::value));
    return groups.size() < 2
        ? Optional.empty()
        : Optional.of(new Difference(fact, kind.severity(), groups, count));
  }

  private List<Group> clusters() {
    numbers.sort(Comparator.comparingDouble(Numbered::number));
    List<Group> clusters = new ArrayList<>();
    int from = 0;
    for (int i = 1; i <= numbers.size(); i++) {
      if (i == numbers.size() || apart(numbers.get(i - 1).number(), numbers.get(i).number())) {
        List<Numbered> cluster = numbers.subList(from, i);
        String middle = shown(cluster.get(cluster.size() / 2).number());
        boolean wide = cluster.getFirst().number() != cluster.getLast().number();
        clusters.add(
            new Group(
                wide ? "about " + middle : middle, cluster.stream().map(Numbered::node).toList()));
        from = i;
      }
    }
    return clusters;
  }

  private boolean apart(double lower, double upper) {
    return upper - lower > kind.tolerance() * Math.max(Math.abs(lower), Math.abs(upper));
  }

  private String shown(double number) {
    if (fact.endsWith(".bytes") && number >= 0) {
      return Bytes.of((long) number).toString();
    }
    return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
  }
}
