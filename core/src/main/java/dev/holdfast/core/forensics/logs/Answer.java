package dev.holdfast.core.forensics.logs;

import dev.holdfast.core.forensics.FailureClass;
import dev.holdfast.core.forensics.Ranks;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

/**
 * For whom the others waited.
 *
 * @param ranks empty: the node as a whole
 * @param node empty: where the ranks are
 * @param what behind the name of who it is
 * @param why the evidence, one line each
 */
record Answer(
    List<Integer> ranks,
    String node,
    FailureClass kind,
    String rule,
    double confidence,
    String what,
    List<String> why) {

  static Answer ranks(
      Collection<Integer> ranks,
      FailureClass kind,
      String rule,
      double confidence,
      String what,
      List<String> why) {
    return new Answer(
        List.copyOf(new TreeSet<>(ranks)), "", kind, rule, confidence, what, List.copyOf(why));
  }

  static Answer node(
      String node,
      FailureClass kind,
      String rule,
      double confidence,
      String what,
      List<String> why) {
    return new Answer(List.of(), node, kind, rule, confidence, what, List.copyOf(why));
  }

  String sentence() {
    String who =
        ranks.isEmpty()
            ? "Node " + node
            : (ranks.size() == 1 ? "Rank " : "Ranks ") + Ranks.show(ranks);
    return who + " " + what;
  }
}
