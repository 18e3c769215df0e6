package dev.holdfast.doctor.compare;

import dev.holdfast.core.health.Subject;
import dev.holdfast.doctor.compare.Difference.Group;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which node is not like the others, and in what?
 *
 * <p>A fact makes a node odd only where more than half of all nodes agree on another value. Where
 * no value has that majority the fact is told as undecided: nobody is accused.
 *
 * @param odd the oddest first
 * @param differences facts with a majority, the most telling first
 * @param undecided facts without one
 * @param facts how many facts were compared
 */
public record Comparison(
    List<NodeFacts> nodes,
    List<Unreadable> unreadable,
    List<OddNode> odd,
    List<Difference> differences,
    List<Difference> undecided,
    int facts) {

  public static Comparison of(Gathering gathering) {
    List<NodeFacts> nodes = gathering.nodes();
    Map<String, FactColumn> columns = new TreeMap<>();
    nodes.forEach(
        node ->
            node.values().keySet().forEach(fact -> columns.computeIfAbsent(fact, FactColumn::new)));
    List<Difference> all = new ArrayList<>();
    columns.forEach(
        (fact, column) -> {
          nodes.forEach(
              node -> column.add(node.node(), node.values().getOrDefault(fact, Difference.NONE)));
          column.difference().ifPresent(all::add);
        });
    all.sort(Comparator.comparingDouble(Comparison::weight).reversed());
    List<Difference> decided =
        all.stream().filter(difference -> difference.majority().isPresent()).toList();
    List<Difference> undecided =
        all.stream().filter(difference -> difference.majority().isEmpty()).toList();
    return new Comparison(
        nodes, gathering.unreadable(), odd(nodes, decided), decided, undecided, columns.size());
  }

  private static double weight(Difference difference) {
    return difference.points(difference.groups().getLast());
  }

  private static List<OddNode> odd(List<NodeFacts> nodes, List<Difference> differences) {
    Map<String, List<OddNode.Trait>> traits = new HashMap<>();
    for (Difference difference : differences) {
      String majority = difference.majority().map(Group::value).orElse("");
      for (Group group : difference.odd()) {
        OddNode.Trait trait =
            new OddNode.Trait(
                difference.fact(),
                difference.severity(),
                group.value(),
                majority,
                group.nodes().size(),
                difference.points(group));
        for (String node : group.nodes()) {
          traits.computeIfAbsent(node, _ -> new ArrayList<>()).add(trait);
        }
      }
    }
    List<OddNode> odd = new ArrayList<>();
    for (NodeFacts node : nodes) {
      List<OddNode.Trait> own = traits.getOrDefault(node.node(), List.of());
      if (!own.isEmpty()) {
        double score = own.stream().mapToDouble(OddNode.Trait::points).sum();
        List<OddNode.Trait> sorted =
            own.stream()
                .sorted(Comparator.comparingDouble(OddNode.Trait::points).reversed())
                .toList();
        odd.add(new OddNode(node.node(), node.place(), score, sorted));
      }
    }
    odd.sort(
        Comparator.comparingDouble(OddNode::score)
            .reversed()
            .thenComparing(OddNode::node, Subject.NATURAL));
    return odd;
  }
}
