package dev.holdfast.control.state;

import dev.holdfast.core.policy.Policy;
import dev.holdfast.core.policy.Reach;
import dev.holdfast.core.statistics.Poisson;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Repeat offenders: which nodes and devices fail more often than chance explains.
 *
 * <p>A fault counts once for each incident, when it took the node out or was fatal and met a job;
 * one that many nodes shared counts for none of them. Each node is held against all others: how
 * likely are so many faults, if it is like them? With thousands of nodes a few are always unlucky,
 * so the chance is multiplied by how many were looked at: in a fleet where all are alike, fewer
 * than one look in twenty ({@link #FALSE}) names anybody.
 */
public final class Lemons {
  /** How many innocent nodes a look at the whole fleet may name, on average. */
  public static final double FALSE = 0.05;

  private static final double DAY = Duration.ofDays(1).toMillis();

  private final ClusterState state;
  private final Instant now;
  private final Instant since;
  private final int times;

  /**
   * One that has failed.
   *
   * @param subject a node, or a device of one
   * @param expected how many faults one like it has had in its time
   * @param probability the chance of so many or more, if it is like the others
   * @param lemon whether chance does not explain it
   */
  public record Row(
      String subject,
      long faults,
      double expected,
      double probability,
      boolean lemon,
      List<String> incidents) {}

  /** What the rows are held against. */
  public record Fleet(int count, long faults, double days) {
    public double perMonth() {
      return days > 0 ? 30 * faults / days : 0;
    }
  }

  /** All that failed at one level, the least explicable first. */
  public record Ranking(Fleet fleet, List<Row> rows) {}

  public Lemons(ClusterState state, Policy policy, Instant now) {
    this.state = state;
    this.now = now;
    this.since = now.minus(policy.offenderWindow());
    this.times = policy.offender();
  }

  public Ranking nodes() {
    Map<String, List<String>> faults = new LinkedHashMap<>();
    for (Strike strike : state.strikes(since)) {
      if (own(strike)) {
        faults.computeIfAbsent(strike.node(), _ -> new ArrayList<>()).add(strike.incident());
      }
    }
    double days = 0;
    for (NodeView node : state.nodes()) {
      days += days(node);
    }
    return rank(faults, new Fleet(state.nodeCount(), sum(faults), days));
  }

  /** Only faults whose cause is a device; its time is that of its node. */
  public Ranking devices() {
    Map<String, List<String>> faults = new LinkedHashMap<>();
    for (Strike strike : state.strikes(since)) {
      state
          .incident(strike.incident())
          .filter(it -> own(strike) && it.cause().name().startsWith("node/"))
          .ifPresent(
              it ->
                  faults
                      .computeIfAbsent(it.cause().name(), _ -> new ArrayList<>())
                      .add(strike.incident()));
    }
    double days = 0;
    int count = 0;
    for (NodeView node : state.nodes()) {
      days += days(node) * node.devices();
      count += node.devices();
    }
    return rank(faults, new Fleet(count, sum(faults), days));
  }

  /** Whether a node is one; quick for nearly all, who have failed less often than that takes. */
  public boolean offends(String node) {
    long own =
        state.strikes(node).stream().filter(it -> !it.at().isBefore(since) && own(it)).count();
    return own >= times
        && nodes().rows().stream()
            .anyMatch(it -> it.lemon() && it.subject().equals("node/" + node));
  }

  /** What many nodes share is no fault of one. */
  private boolean own(Strike strike) {
    IncidentView incident = state.incident(strike.incident()).orElse(null);
    for (int i = 0; incident != null && !incident.into().isEmpty() && i < 10; i++) {
      incident = state.incident(incident.into()).orElse(null);
    }
    return incident == null || !Reach.wide(incident.cause().kind());
  }

  private double days(NodeView node) {
    Instant from = node.first().isBefore(since) ? since : node.first();
    return Math.max(0, Duration.between(from, now).toMillis() / DAY);
  }

  private static long sum(Map<String, List<String>> faults) {
    return faults.values().stream().mapToLong(List::size).sum();
  }

  private Ranking rank(Map<String, List<String>> faults, Fleet fleet) {
    List<Row> rows = new ArrayList<>();
    faults.forEach((subject, incidents) -> rows.add(row(subject, incidents, fleet)));
    rows.sort(Comparator.comparingDouble(Row::probability).thenComparing(Row::subject));
    return new Ranking(fleet, List.copyOf(rows));
  }

  private Row row(String subject, List<String> incidents, Fleet fleet) {
    String name = subject.startsWith("node/") ? subject.split("/", 3)[1] : subject;
    double time = state.node(name).map(this::days).orElse(0.0);
    double othersTime = fleet.days() - time;
    long n = incidents.size();
    long others = fleet.faults() - n;
    double chance = Poisson.atLeast(n, time, others, othersTime);
    return new Row(
        subject.startsWith("node/") ? subject : "node/" + subject,
        n,
        othersTime > 0 ? others * time / othersTime : 0,
        chance,
        n >= times && chance * fleet.count() < FALSE,
        List.copyOf(incidents));
  }
}
