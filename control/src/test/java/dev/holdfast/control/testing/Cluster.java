package dev.holdfast.control.testing;

import dev.holdfast.control.decide.Decider;
import dev.holdfast.control.decide.Input;
import dev.holdfast.control.decide.Wish;
import dev.holdfast.control.entry.Batch;
import dev.holdfast.control.entry.Entry;
import dev.holdfast.control.state.ClusterState;
import dev.holdfast.control.state.JobView;
import dev.holdfast.core.report.Receipt;
import dev.holdfast.core.report.Report;
import dev.holdfast.core.report.Request;
import dev.holdfast.core.report.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Nodes that were described, and sources that say things to the one who decides. */
public final class Cluster {
  public final ClusterState state = new ClusterState();

  /** All that was decided, as it would stand in a journal. */
  public final List<String> lines = new ArrayList<>();

  public Instant now = Instant.parse("2026-11-15T00:00:00Z");
  private final Decider decider = new Decider(state, Rules.usual(), _ -> Rules.usual());
  private final Map<String, Told> sources = new HashMap<>();

  public Cluster(String... nodes) {
    for (String node : nodes) {
      tell("node/" + node, Told.described(node, "r1", "l1"));
    }
  }

  /** Nodes with agents that say themselves which jobs are there. */
  public static Cluster confirming(String... nodes) {
    Cluster cluster = new Cluster();
    for (String node : nodes) {
      cluster.tell("node/" + node, Told.confirming(node));
    }
    return cluster;
  }

  public Told told(String source) {
    return sources.computeIfAbsent(source, Told::new);
  }

  /** Says it; gives what was refused of it. */
  public List<Receipt.Refused> tell(String source, Statement... statements) {
    return report(source, Arrays.stream(statements).map(told(source)::say).toArray(Report[]::new));
  }

  public List<Receipt.Refused> report(String source, Report... reports) {
    return decide(new Input.Reported(source, List.of(reports))).left();
  }

  /** Says it as the first of a life. */
  public List<Receipt.Refused> epoch(String source, long epoch, Statement statement) {
    return report(source, new Report(source, epoch, 1, Instant.EPOCH, statement));
  }

  public void wish(Wish wish) {
    var _ = decide(new Input.Wished("ann", wish));
  }

  public void silent(String node) {
    var _ = decide(new Input.Silence(node, true, now));
  }

  public void later(Duration time) {
    now = now.plus(time);
    var _ = decide(new Input.Tick());
  }

  public Decider.Outcome decide(Input input) {
    Decider.Outcome outcome = decider.decide(input, now);
    if (!outcome.entries().isEmpty()) {
      lines.add(new Batch(now, List.<Entry>copyOf(outcome.entries())).line());
    }
    return outcome;
  }

  /** The id of what is asked of a source. */
  public String asked(String source, Request.Kind kind) {
    return state.openActions(source).stream()
        .map(it -> it.request())
        .filter(it -> it.kind() == kind)
        .findFirst()
        .orElseThrow()
        .id();
  }

  /** The jobs that are on a node, as far as that counts. */
  public List<String> jobsOn(String node) {
    return state.jobsOn(node).stream().map(JobView::id).toList();
  }

  /** The jobs of which others say that they are. */
  public List<String> claimedOn(String node) {
    return state.claimedOn(node).stream().map(JobView::id).toList();
  }

  public String owner(String job) {
    return state.job(job).orElseThrow().source();
  }
}
