package dev.holdfast.cli.operator;

import dev.holdfast.core.text.Fields;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** One kind of thing the control plane can list: how it is ordered, and how it reads. */
public interface Kind {
  /** Its name in paths and answers: {@code nodes}. */
  String plural();

  /** The nodes an item is about. */
  Collection<String> nodes(Fields item);

  /** Whether it is worth a line without {@code --all}. */
  default boolean shown(Fields item) {
    return true;
  }

  /** The worst first. */
  Comparator<Fields> order();

  /**
   * @param all what the control plane knows, of which the items are shown
   */
  String table(List<Fields> items, List<Fields> all, View view);

  /** One, with everything that is known of it. */
  String page(Fields item, View view);

  /** The node in a subject such as {@code node/n17/gpu/3}; empty: it is about none. */
  static String nodeOf(String subject) {
    String[] parts = subject.split("/", 3);
    return parts.length > 1 && parts[0].equals("node") ? parts[1] : "";
  }

  /** {@code n17 gpu/3} of {@code node/n17/gpu/3}. */
  static String shortly(String subject) {
    String node = nodeOf(subject);
    String rest = subject.substring(Math.min(subject.length(), ("node/" + node).length()));
    return node.isEmpty() ? subject : node + rest.replaceFirst("/", " ");
  }
}
