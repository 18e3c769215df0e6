package dev.holdfast.doctor.inventory;

import dev.holdfast.core.health.Fact;
import dev.holdfast.core.health.Subject;
import dev.holdfast.doctor.node.NodeView;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Facts of one node being collected, in order; what is blank is not a fact. */
final class FactSheet {
  private static final int MAX_VALUE = 2000;

  private final NodeView node;
  private final List<Fact> facts = new ArrayList<>();

  FactSheet(NodeView node) {
    this.node = node;
  }

  List<Fact> facts() {
    return List.copyOf(facts);
  }

  void add(String name, Object value, String unit, String source) {
    String text = String.valueOf(value).strip();
    if (text.isEmpty()) {
      return;
    }
    if (text.length() > MAX_VALUE) {
      text = text.substring(0, MAX_VALUE - 1) + "…";
    }
    facts.add(new Fact(new Subject.Node(node.name()), name, text, unit, node.now(), source));
  }

  void add(String name, Optional<String> value, String source) {
    value.ifPresent(text -> add(name, text, "", source));
  }

  /** The fact a whole file is, with white space made plain. */
  void file(String name, String path) {
    add(name, node.text(path).map(text -> text.replaceAll("\\s+", " ")), path);
  }

  /** One value for many parts: the value they share, or how many have which. */
  void shared(String name, Collection<String> values, String unit, String source) {
    Map<String, Long> counts =
        values.stream()
            .filter(value -> !value.isBlank())
            .collect(Collectors.groupingBy(value -> value, TreeMap::new, Collectors.counting()));
    String text =
        counts.size() == 1
            ? counts.keySet().iterator().next()
            : counts.entrySet().stream()
                .map(entry -> entry.getValue() + " × " + entry.getKey())
                .collect(Collectors.joining(", "));
    add(name, text, unit, source);
  }
}
