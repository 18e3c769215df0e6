package dev.holdfast.core.forensics.stacks;

import dev.holdfast.core.forensics.stacks.StackTree.Node;
import dev.holdfast.core.text.Json;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Who is further behind, where line numbers can tell: ranks that came the same way into the same
 * function and are at different lines of it. The smaller line comes first in one pass through the
 * function; a loop can turn that round, so this is a hint and is told as one.
 *
 * @param function with its file: {@code step@train.py}
 * @param steps the one furthest behind first; no rank is in two of them
 */
public record StackOrder(String function, List<Step> steps) {
  private static final int MOST = 20;

  /** Ranks at one line. */
  public record Step(long line, RankSet ranks) {}

  public StackOrder {
    steps = List.copyOf(steps);
  }

  /** Of one sample; the outermost functions first. */
  public static List<StackOrder> of(StackTree tree) {
    List<StackOrder> found = new ArrayList<>();
    List<Node> level = List.of(tree.root());
    while (!level.isEmpty() && found.size() < MOST) {
      List<Node> next = new ArrayList<>();
      for (Node node : level) {
        below(node, found);
        next.addAll(node.children());
      }
      level = next;
    }
    return found.subList(0, Math.min(MOST, found.size()));
  }

  public Map<String, @Nullable Object> json() {
    return Json.map(
        "function",
        function,
        "steps",
        steps.stream()
            .map(step -> Json.map("line", step.line(), "ranks", step.ranks().toString()))
            .toList());
  }

  private static void below(Node node, List<StackOrder> found) {
    Map<String, List<Step>> functions = new LinkedHashMap<>();
    for (Node child : node.children()) {
      int colon = child.frame().lastIndexOf(':');
      String line = child.frame().substring(colon + 1);
      if (child.frame().indexOf('@') > 0 && colon > 0 && line.matches("[0-9]{1,9}")) {
        functions
            .computeIfAbsent(child.frame().substring(0, colon), _ -> new ArrayList<>())
            .add(new Step(Long.parseLong(line), child.ranks()));
      }
    }
    functions.forEach(
        (function, steps) -> {
          steps.sort(Comparator.comparingLong(Step::line));
          if (steps.size() > 1 && apart(steps)) {
            found.add(new StackOrder(function, steps));
          }
        });
  }

  /** A rank with threads at two of the lines is neither before nor after the others. */
  private static boolean apart(List<Step> steps) {
    for (int i = 0; i < steps.size(); i++) {
      for (int j = i + 1; j < steps.size(); j++) {
        if (steps.get(i).ranks().meets(steps.get(j).ranks())) {
          return false;
        }
      }
    }
    return true;
  }
}
