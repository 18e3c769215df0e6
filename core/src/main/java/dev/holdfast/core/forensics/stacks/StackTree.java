package dev.holdfast.core.forensics.stacks;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Stacks of many ranks, merged from the outermost frame on: where they part, the tree parts. Each
 * node knows who came by. Several stacks of one rank (samples over time, threads) are merged alike;
 * a rank that moved is then on several branches.
 */
public final class StackTree {
  private static final int MOST_DEPTH = 2000;
  static final int MOST_RANK = 16_000_000;

  private final Node root = new Node("/");

  /** One call path. */
  public static final class Node {
    private final String frame;
    private final Map<String, Node> children = new LinkedHashMap<>();
    private final RankSet ranks = new RankSet();
    private long stacks;
    private long sum;
    private long ends;

    Node(String frame) {
      this.frame = frame;
    }

    /** {@code function}, {@code function@file:line} or what else the stack said. */
    public String frame() {
      return frame;
    }

    public Collection<Node> children() {
      return Collections.unmodifiableCollection(children.values());
    }

    public RankSet ranks() {
      return ranks;
    }

    /** How many stacks go through it. */
    public long stacks() {
      return stacks;
    }

    /** What STAT tells sets by: the squares of rank + 1, summed over stacks. */
    long sum() {
      return sum;
    }

    /** How many stacks end here. */
    public long ends() {
      return ends;
    }

    Node child(String name) {
      Node child = children.get(name);
      if (child == null) {
        child = new Node(name);
        children.put(name, child);
      }
      return child;
    }

    private void pass(int rank) {
      ranks.add(rank);
      stacks++;
      sum += (rank + 1L) * (rank + 1L);
    }

    /** For trees that were merged elsewhere. */
    void set(RankSet all, long count, long squares) {
      all.each(ranks::add);
      stacks = count;
      sum = squares;
    }

    void endsHere() {
      long below = 0;
      for (Node child : children.values()) {
        child.endsHere();
        below += child.stacks;
      }
      ends = Math.max(0, stacks - below);
    }
  }

  /** One stack of a rank, the outermost frame first. */
  public void add(int rank, List<String> frames) {
    if (rank < 0 || rank > MOST_RANK) {
      throw new IllegalArgumentException("not a rank: " + rank);
    }
    Node at = root;
    at.pass(rank);
    int depth = Math.min(frames.size(), MOST_DEPTH);
    for (int i = 0; i < depth; i++) {
      at = at.child(frames.get(i));
      at.pass(rank);
    }
    at.ends++;
  }

  public Node root() {
    return root;
  }

  public RankSet ranks() {
    return root.ranks;
  }

  void each(Consumer<Node> consumer) {
    List<Node> open = new ArrayList<>(List.of(root));
    while (!open.isEmpty()) {
      Node node = open.removeLast();
      consumer.accept(node);
      open.addAll(node.children.values());
    }
  }

  /**
   * Ranks that were at the same places.
   *
   * @param leaf the innermost frame of the representative
   */
  public record EquivalenceClass(RankSet ranks, String leaf) {
    /** Whom to look at for all. */
    public int representative() {
      return ranks.first();
    }
  }

  /** The largest first. */
  public List<EquivalenceClass> classes() {
    long[] seen = new long[Math.max(0, root.ranks.last() + 1)];
    String[] leaves = new String[seen.length];
    long[] salt = {1};
    each(
        node -> {
          long mark = mix(salt[0]++);
          boolean leaf = node.ends > 0;
          node.ranks.each(
              rank -> {
                seen[rank] += mark;
                if (leaf) {
                  leaves[rank] = node.frame;
                }
              });
        });
    Map<Long, RankSet> sets = new HashMap<>();
    root.ranks.each(rank -> sets.computeIfAbsent(seen[rank], _ -> new RankSet()).add(rank));
    List<EquivalenceClass> classes = new ArrayList<>();
    sets.values()
        .forEach(
            set -> classes.add(new EquivalenceClass(set, String.valueOf(leaves[set.first()]))));
    classes.sort(
        Comparator.comparingInt((EquivalenceClass one) -> -one.ranks().size())
            .thenComparing(EquivalenceClass::representative));
    return classes;
  }

  /** Spreads numbers over all of long (the finaliser of SplitMix64). */
  private static long mix(long number) {
    long z = number * 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
