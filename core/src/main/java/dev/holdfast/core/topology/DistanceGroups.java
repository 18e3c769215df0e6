package dev.holdfast.core.topology;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Which NUMA nodes belong together because the kernel calls them nearer to each other than to the
 * rest: the nodes of one socket, the sockets of one board. Found as hwloc finds them: connected by
 * the least distance, then the groups again by their mean distance.
 */
final class DistanceGroups {
  private DistanceGroups() {}

  static List<Block> of(Map<Integer, List<Integer>> distances, Map<Integer, IdSet> cpus) {
    List<Integer> nodes = distances.keySet().stream().sorted().toList();
    int count = nodes.size();
    double[][] matrix = new double[count][count];
    List<IdSet> sets = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      sets.add(cpus.getOrDefault(nodes.get(i), IdSet.EMPTY));
      List<Integer> row = distances.getOrDefault(nodes.get(i), List.of());
      for (int j = 0; j < count; j++) {
        matrix[i][j] = row.get(nodes.get(j));
      }
    }
    return plausible(matrix) ? groups(matrix, sets, 0) : List.of();
  }

  /** As far one way as the other, and nothing as near as a node is to itself. */
  private static boolean plausible(double[][] matrix) {
    for (int i = 0; i < matrix.length; i++) {
      for (int j = 0; j < matrix.length; j++) {
        if (matrix[i][j] != matrix[j][i] || i != j && matrix[i][j] <= matrix[i][i]) {
          return false;
        }
      }
    }
    return true;
  }

  private static List<Block> groups(double[][] matrix, List<IdSet> sets, int step) {
    List<Block> blocks = new ArrayList<>();
    if (sets.size() <= 2) {
      return blocks;
    }
    List<List<Integer>> groups = nearest(matrix);
    List<IdSet> unions = new ArrayList<>();
    for (List<Integer> group : groups) {
      IdSet union = IdSet.union(group.stream().map(sets::get).toList());
      unions.add(union);
      blocks.add(Block.group(Block.distance(step), union));
    }
    blocks.addAll(groups(means(matrix, groups), unions, step + 1));
    return blocks;
  }

  /** Those connected by the least distance; none when that is all of them. */
  private static List<List<Integer>> nearest(double[][] matrix) {
    int count = matrix.length;
    double least = Double.MAX_VALUE;
    for (int i = 0; i < count; i++) {
      for (int j = 0; j < count; j++) {
        least = i == j ? least : Math.min(least, matrix[i][j]);
      }
    }
    List<List<Integer>> groups = new ArrayList<>();
    boolean[] taken = new boolean[count];
    for (int i = 0; i < count; i++) {
      if (!taken[i]) {
        List<Integer> group = connected(matrix, i, least, taken);
        if (group.size() > 1) {
          groups.add(group);
        }
      }
    }
    return groups.size() == 1 && groups.getFirst().size() == count ? List.of() : groups;
  }

  private static List<Integer> connected(double[][] matrix, int from, double at, boolean[] taken) {
    List<Integer> group = new ArrayList<>(List.of(from));
    taken[from] = true;
    for (int next = 0; next < group.size(); next++) {
      for (int other = 0; other < matrix.length; other++) {
        if (!taken[other] && matrix[group.get(next)][other] == at) {
          taken[other] = true;
          group.add(other);
        }
      }
    }
    return group;
  }

  private static double[][] means(double[][] matrix, List<List<Integer>> groups) {
    double[][] means = new double[groups.size()][groups.size()];
    for (int i = 0; i < groups.size(); i++) {
      for (int j = 0; j < groups.size(); j++) {
        double sum = 0;
        for (int one : groups.get(i)) {
          for (int other : groups.get(j)) {
            sum += matrix[one][other];
          }
        }
        means[i][j] = Math.floor(sum / (groups.get(i).size() * groups.get(j).size()));
      }
    }
    return means;
  }
}
