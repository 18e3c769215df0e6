package dev.holdfast.core.forensics.stacks;

import dev.holdfast.core.forensics.stacks.StackTree.EquivalenceClass;
import dev.holdfast.core.forensics.stacks.StackTree.Node;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Style;
import dev.holdfast.core.text.Wrap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A tree of stacks for a terminal, for programs and for flame graphs. */
public final class StackText {
  private static final int MOST_RUNS = 6;
  private static final int MOST_CLASSES = 20;
  private static final int MOST_FRAMES = 12;
  private static final int MOST_ORDERS = 5;

  private StackText() {}

  /** The tree with shared frames on one line each, then the classes. */
  public static String tree(StackTree tree, Style style, int width) {
    StringBuilder out = new StringBuilder();
    List<EquivalenceClass> classes = tree.classes();
    out.append(
        style.bold("%d ranks in %d classes%n".formatted(tree.ranks().size(), classes.size())));
    branches(Branch.of(tree), "", out, style, width);
    out.append('\n').append(style.dim("class  ranks  at")).append('\n');
    for (int i = 0; i < Math.min(MOST_CLASSES, classes.size()); i++) {
      EquivalenceClass one = classes.get(i);
      out.append("%5d  %5d  ".formatted(i + 1, one.ranks().size()))
          .append(
              Wrap.cut(
                  "%s %s, look at rank %d"
                      .formatted(one.leaf(), one.ranks().text(MOST_RUNS), one.representative()),
                  Math.max(20, width - 14)))
          .append('\n');
    }
    if (classes.size() > MOST_CLASSES) {
      out.append("       and ").append(classes.size() - MOST_CLASSES).append(" more\n");
    }
    return out.toString();
  }

  private static void branches(
      List<Branch> branches, String indent, StringBuilder out, Style style, int width) {
    for (int i = 0; i < branches.size(); i++) {
      Branch branch = branches.get(i);
      boolean last = i == branches.size() - 1;
      String who = branch.ranks().size() + " " + branch.ranks().text(MOST_RUNS);
      out.append(indent).append(last ? "└ " : "├ ").append(style.bold(who)).append('\n');
      String inner = indent + (last ? "  " : "│ ");
      List<String> frames = branch.frames();
      int hidden = Math.max(0, frames.size() - MOST_FRAMES);
      for (int f = 0; f < frames.size(); f++) {
        if (hidden > 0 && f == MOST_FRAMES / 2) {
          out.append(inner).append(style.dim("  … " + hidden + " more frames")).append('\n');
          f += hidden;
        }
        out.append(inner)
            .append("  ")
            .append(Wrap.cut(frames.get(f), Math.max(20, width - inner.length() - 2)))
            .append('\n');
      }
      branches(branch.below(), inner, out, style, width);
    }
  }

  /** Who is further behind, a line for each function; empty where nothing can be told. */
  public static String order(List<StackOrder> orders, Style style, int width) {
    if (orders.isEmpty()) {
      return "";
    }
    StringBuilder out = new StringBuilder();
    out.append('\n').append(style.dim("furthest behind first, by line number (a loop can turn it"));
    out.append(style.dim(" round)")).append('\n');
    for (StackOrder order : orders.subList(0, Math.min(MOST_ORDERS, orders.size()))) {
      StringBuilder line = new StringBuilder("  " + order.function() + ": ");
      String before = "";
      for (StackOrder.Step step : order.steps()) {
        line.append(before).append(step.ranks().text(MOST_RUNS)).append(" at ").append(step.line());
        before = ", ";
      }
      out.append(Wrap.cut(line.toString(), Math.max(20, width))).append('\n');
    }
    return out.toString();
  }

  /** {@code holdfast.stacks/1}. */
  public static String json(StackTree tree) {
    return json(tree, Map.of());
  }

  /**
   * The same with what else is known.
   *
   * @param more put before the tree
   */
  public static String json(StackTree tree, Map<String, ?> more) {
    List<Map<String, @Nullable Object>> classes = new ArrayList<>();
    for (EquivalenceClass one : tree.classes()) {
      classes.add(
          Json.map(
              "ranks",
              one.ranks().toString(),
              "count",
              one.ranks().size(),
              "representative",
              one.representative(),
              "at",
              one.leaf()));
    }
    Map<String, @Nullable Object> answer =
        Json.map(
            "schema", "holdfast.stacks/1", "ranks", tree.ranks().toString(), "classes", classes);
    answer.putAll(more);
    answer.put("tree", node(tree.root(), 0));
    return Json.pretty(answer);
  }

  private static Map<String, @Nullable Object> node(Node node, int depth) {
    List<Map<String, @Nullable Object>> children = new ArrayList<>();
    if (depth < 2000) {
      node.children().forEach(child -> children.add(node(child, depth + 1)));
    }
    return Json.map(
        "frame",
        node.frame(),
        "ranks",
        node.ranks().toString(),
        "stacks",
        node.stacks(),
        "children",
        children.isEmpty() ? null : children);
  }

  /** One line for each path that ends: frames with semicolons, then how many stacks. */
  public static String folded(StackTree tree) {
    StringBuilder out = new StringBuilder();
    tree.root().children().forEach(child -> fold(child, "", out, 0));
    return out.toString();
  }

  private static void fold(Node node, String before, StringBuilder out, int depth) {
    String path = (before.isEmpty() ? "" : before + ";") + node.frame().replace(';', ',');
    if (node.ends() > 0) {
      out.append(path).append(' ').append(node.ends()).append('\n');
    }
    if (depth < 2000) {
      node.children().forEach(child -> fold(child, path, out, depth + 1));
    }
  }
}
