package dev.holdfast.launch.watch;

import java.util.List;

/**
 * The same contest twice: of each rank with the others of its node, and of each node with the other
 * nodes. So one slow rank is told from a slow node, whose ranks share the wins among all and would
 * go unnoticed one by one; and ranks are compared by one clock wherever that is possible.
 */
final class Heats {
  private final int[] nodeOf;
  private final int[] sizes;
  private final Contest ranks;
  private final Contest nodes;

  /**
   * @param nodeOf the node of each rank, from 0 on
   */
  Heats(int[] nodeOf, int nodeCount) {
    this.nodeOf = nodeOf;
    this.sizes = new int[nodeCount];
    for (int node : nodeOf) {
      sizes[node]++;
    }
    this.ranks = new Contest(nodeOf.length);
    this.nodes = new Contest(nodeCount);
  }

  void round(double[] numbers) {
    double[][] byNode = new double[sizes.length][];
    for (int node = 0; node < sizes.length; node++) {
      byNode[node] = new double[sizes[node]];
    }
    int[] filled = new int[sizes.length];
    for (int rank = 0; rank < numbers.length; rank++) {
      int node = nodeOf[rank];
      byNode[node][filled[node]++] = numbers[rank];
    }
    double[] medians = new double[sizes.length];
    for (int node = 0; node < sizes.length; node++) {
      medians[node] = Contest.lowerMedian(byNode[node]);
    }
    double[] within = new double[numbers.length];
    for (int rank = 0; rank < numbers.length; rank++) {
      within[rank] = numbers[rank] - medians[nodeOf[rank]];
    }
    ranks.round(within);
    nodes.round(medians);
  }

  /** Ranks behind those of their own node. */
  List<Contest.Winner> ranks(double least) {
    return ranks.winners(least);
  }

  /** Nodes behind the other nodes. */
  List<Contest.Winner> nodes(double least) {
    return nodes.winners(least);
  }
}
