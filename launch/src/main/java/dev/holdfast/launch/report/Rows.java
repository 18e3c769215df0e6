package dev.holdfast.launch.report;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Which lines does the picture of a run have? One for each rank while they are few, one for each
 * node beyond that; of very many nodes, those with something to tell, and the others in groups.
 */
final class Rows {
  static final int MOST_RANKS = 32;
  static final int MOST_NODES = 40;
  private static final int MOST_NOTABLE = 24;
  private static final int GROUPS = 12;

  /** A line and what happened on it. */
  record Row(String label, List<Piece> pieces) {}

  /**
   * One attempt on a line; {@code how} says what went wrong and {@code at} when, empty: nothing.
   */
  record Piece(int attempt, Duration from, Duration to, String how, Duration at) {}

  private Rows() {}

  static List<Row> of(RunReport report) {
    Map<Integer, List<RunReport.Bar>> byRank =
        report.bars().stream()
            .collect(Collectors.groupingBy(RunReport.Bar::rank, TreeMap::new, Collectors.toList()));
    long places = report.bars().stream().map(RunReport.Bar::node).distinct().count();
    if (byRank.size() <= (places > 1 ? MOST_RANKS / 2 : MOST_RANKS)) {
      List<Row> rows = new ArrayList<>();
      byRank.forEach((rank, bars) -> rows.add(row(report, "rank " + rank, bars)));
      return rows;
    }
    Map<String, List<RunReport.Bar>> byNode =
        report.bars().stream()
            .collect(Collectors.groupingBy(RunReport.Bar::node, TreeMap::new, Collectors.toList()));
    List<String> nodes = inOrderOfRanks(byNode);
    return nodes.size() <= MOST_NODES
        ? nodes.stream()
            .map(node -> row(report, label(node), byNode.getOrDefault(node, List.of())))
            .toList()
        : grouped(report, nodes, byNode);
  }

  private static List<String> inOrderOfRanks(Map<String, List<RunReport.Bar>> byNode) {
    return byNode.keySet().stream()
        .sorted(
            Comparator.comparingInt(
                node ->
                    byNode.getOrDefault(node, List.of()).stream()
                        .mapToInt(RunReport.Bar::rank)
                        .min()
                        .orElse(0)))
        .toList();
  }

  private static List<Row> grouped(
      RunReport report, List<String> nodes, Map<String, List<RunReport.Bar>> byNode) {
    Set<String> notable = notable(report, nodes, byNode);
    List<Row> rows = new ArrayList<>();
    notable.forEach(
        node -> rows.add(row(report, label(node), byNode.getOrDefault(node, List.of()))));
    List<String> others = nodes.stream().filter(node -> !notable.contains(node)).toList();
    int each = Math.max(1, (others.size() + GROUPS - 1) / GROUPS);
    for (int from = 0; from < others.size(); from += each) {
      List<String> group = others.subList(from, Math.min(others.size(), from + each));
      List<RunReport.Bar> bars =
          group.stream().flatMap(node -> byNode.getOrDefault(node, List.of()).stream()).toList();
      String label =
          group.size() == 1
              ? label(group.getFirst())
              : label(group.getFirst()) + " + " + (group.size() - 1) + " more";
      rows.add(row(report, label, bars));
    }
    return rows;
  }

  private static Set<String> notable(
      RunReport report, List<String> nodes, Map<String, List<RunReport.Bar>> byNode) {
    Set<String> notable = new TreeSet<>();
    for (RunReport.Attempt attempt : report.attempts()) {
      if (attempt.diagnosis() != null && byNode.containsKey(attempt.diagnosis().node())) {
        notable.add(attempt.diagnosis().node());
      }
    }
    long attempts = report.bars().stream().mapToInt(RunReport.Bar::attempt).distinct().count();
    for (String node : nodes) {
      List<RunReport.Bar> bars = byNode.getOrDefault(node, List.of());
      boolean failed = bars.stream().anyMatch(bar -> !bar.how().isEmpty());
      boolean absent = bars.stream().mapToInt(RunReport.Bar::attempt).distinct().count() < attempts;
      if (notable.size() < MOST_NOTABLE && (failed || absent)) {
        notable.add(node);
      }
    }
    return notable;
  }

  private static Row row(RunReport report, String label, List<RunReport.Bar> bars) {
    Map<Integer, List<RunReport.Bar>> byAttempt =
        bars.stream()
            .collect(
                Collectors.groupingBy(RunReport.Bar::attempt, TreeMap::new, Collectors.toList()));
    List<Piece> pieces = new ArrayList<>();
    byAttempt.forEach((attempt, own) -> pieces.add(piece(report, attempt, own)));
    return new Row(label, pieces);
  }

  private static Piece piece(RunReport report, int attempt, List<RunReport.Bar> bars) {
    Duration from = bars.getFirst().from();
    Duration to = bars.getFirst().to();
    for (RunReport.Bar bar : bars) {
      from = bar.from().compareTo(from) < 0 ? bar.from() : from;
      to = bar.to().compareTo(to) > 0 ? bar.to() : to;
    }
    List<RunReport.Bar> failed = bars.stream().filter(bar -> !bar.how().isEmpty()).toList();
    if (!failed.isEmpty()) {
      RunReport.Bar first = failed.getFirst();
      String more = failed.size() == 1 ? "" : ", and " + (failed.size() - 1) + " more";
      return new Piece(
          attempt, from, to, "rank " + first.rank() + ": " + first.how() + more, first.to());
    }
    RunReport.Attempt story = report.attempt(attempt).orElse(null);
    if (story != null && story.diagnosis() != null && story.fault() != null) {
      List<Integer> suspects = story.diagnosis().ranks();
      if (bars.stream().anyMatch(bar -> suspects.contains(bar.rank()))) {
        String how = "suspected, " + story.diagnosis().kind().word();
        return new Piece(attempt, from, to, how, story.fault());
      }
    }
    return new Piece(attempt, from, to, "", to);
  }

  private static String label(String node) {
    return node.isEmpty() ? "node not known" : node;
  }
}
