package dev.holdfast.core.forensics.verdict;

import dev.holdfast.core.forensics.Ranks;
import java.util.List;

/**
 * One explanation, from all sources that agree on it.
 *
 * @param ranks the suspected ones; empty, with no node either: it cannot be told
 * @param gpu of the node, where no rank is known, −1: none is named
 * @param kind the class
 * @param confidence 0 to 1
 * @param evidence what speaks for it, each line with its source
 * @param against what speaks against it
 * @param missing what would have to be known to be surer
 * @param next where to look
 */
public record Conclusion(
    List<Integer> ranks,
    String node,
    int gpu,
    String kind,
    double confidence,
    String what,
    List<Source> sources,
    List<String> evidence,
    List<String> against,
    List<String> missing,
    String next) {
  public Conclusion {
    ranks = List.copyOf(ranks);
    sources = List.copyOf(sources);
    evidence = List.copyOf(evidence);
    against = List.copyOf(against);
    missing = List.copyOf(missing);
  }

  public boolean blames() {
    return !ranks.isEmpty() || !node.isEmpty();
  }

  /**
   * {@code rank 7 on gpu001}, {@code GPU 3 of gpu001}, {@code node gpu001}, or that it cannot be
   * told.
   */
  public String who() {
    if (!blames()) {
      return "cannot tell which rank";
    }
    if (ranks.isEmpty()) {
      return gpu < 0 ? "node " + node : "GPU " + gpu + " of " + node;
    }
    return Ranks.named(ranks) + (node.isEmpty() ? "" : " on " + node);
  }
}
