package dev.holdfast.core.forensics.stacks;

import dev.holdfast.core.forensics.stacks.StackTree.Node;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Frames that the same ranks share, one below the other, as one piece; below it the tree parts or
 * ends. The largest branches come first.
 *
 * @param frames outermost first
 */
record Branch(List<String> frames, RankSet ranks, List<Branch> below) {
  private static final int MOST_DEPTH = 2000;

  static List<Branch> of(StackTree tree) {
    return of(tree.root(), 0);
  }

  private static List<Branch> of(Node node, int depth) {
    List<Branch> branches = new ArrayList<>();
    for (Node child : node.children()) {
      List<String> frames = new ArrayList<>();
      Node last = child;
      frames.add(last.frame());
      while (last.children().size() == 1
          && last.children().iterator().next().ranks().equals(last.ranks())) {
        last = last.children().iterator().next();
        frames.add(last.frame());
      }
      branches.add(
          new Branch(frames, child.ranks(), depth > MOST_DEPTH ? List.of() : of(last, depth + 1)));
    }
    branches.sort(
        Comparator.comparingInt((Branch one) -> -one.ranks.size())
            .thenComparing(one -> one.ranks.first()));
    return branches;
  }

  /** How many ends are below it. */
  int leaves() {
    return below.isEmpty() ? 1 : below.stream().mapToInt(Branch::leaves).sum();
  }
}
