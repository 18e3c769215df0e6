package dev.holdfast.control.replay;

import dev.holdfast.control.entry.DecisionEntry;
import dev.holdfast.control.entry.Entry;
import dev.holdfast.control.entry.IncidentEntry;
import dev.holdfast.control.entry.NodeEntry;
import dev.holdfast.control.entry.Service;
import dev.holdfast.control.state.ClusterState;
import dev.holdfast.control.state.DecisionView;
import dev.holdfast.control.state.FindingKey;
import dev.holdfast.control.state.IncidentView;
import dev.holdfast.control.state.JobView;
import dev.holdfast.control.state.NodeView;
import dev.holdfast.core.policy.Timing;
import dev.holdfast.core.report.Request;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What the decisions of one run cost, each for itself, and where its incidents began. */
final class Ledger {
  private static final Set<String> ACCELERATORS = Set.of("gpu", "npu");

  private final ClusterState state;
  private final Map<String, Cost> costs = new HashMap<>();
  private final Map<String, Gone> gone = new HashMap<>();
  private final Map<String, Instant> opened = new HashMap<>();
  private final Map<Origin, String> incidents = new LinkedHashMap<>();
  private int takenOut;
  private int restarts;

  /** A node nobody can use since then, because of that decision. */
  private record Gone(String decision, Instant since) {}

  Ledger(ClusterState state) {
    this.state = state;
  }

  /** Takes in what was just applied. */
  void add(Entry entry, Instant at) {
    switch (entry) {
      case IncidentEntry.Opened it -> opened.put(it.incident(), at);
      case IncidentEntry.Joined it -> {
        Instant since = opened.remove(it.incident());
        if (since != null) {
          incidents.put(new Origin(since, new FindingKey(it.check(), it.subject())), it.incident());
        }
      }
      case NodeEntry.Moved it -> moved(it, at);
      case DecisionEntry.Intended it -> asked(it, at);
      default -> {}
    }
  }

  private void moved(NodeEntry.Moved moved, Instant at) {
    // While it drains a job still uses it.
    boolean useless = !moved.to().takesJobs() && moved.to() != Service.DRAINING;
    Gone before = gone.get(moved.node());
    if (useless && before == null) {
      String decision = behind(moved);
      gone.put(moved.node(), new Gone(decision, at));
      takenOut++;
    } else if (!useless && before != null) {
      gone.remove(moved.node());
      back(moved.node(), before, at);
    }
  }

  private String behind(NodeEntry.Moved moved) {
    return state
        .incident(moved.incident())
        .map(IncidentView::decisions)
        .filter(it -> !it.isEmpty())
        .map(it -> it.getLast())
        .orElseGet(
            () ->
                state.decisionsAbout(moved.node()).stream()
                    .reduce((_, last) -> last)
                    .map(DecisionView::id)
                    .orElse(""));
  }

  private void back(String node, Gone since, Instant at) {
    spend(
        since.decision(),
        new Cost(Cost.hours(devices(node), Duration.between(since.since(), at)), 0));
  }

  private void asked(DecisionEntry.Intended intended, Instant at) {
    Request.Kind kind = intended.request().kind();
    if (kind != Request.Kind.RESTART_JOB && kind != Request.Kind.STOP_AT_CHECKPOINT) {
      return;
    }
    Optional<JobView> job =
        state.jobs().stream().filter(it -> it.source().equals(intended.target())).findFirst();
    if (job.isEmpty()) {
      return;
    }
    restarts++;
    Duration lost = Timing.RESTART;
    if (kind == Request.Kind.RESTART_JOB && job.get().job().checkpoint().isPresent()) {
      Duration since = Duration.between(job.get().job().checkpoint().get(), at);
      lost = since.isNegative() ? lost : lost.plus(since);
    }
    int devices =
        job.get().job().members().among(state.nodeNames()).stream().mapToInt(this::devices).sum();
    spend(intended.decision(), new Cost(0, Cost.hours(devices, lost)));
  }

  private void spend(String decision, Cost cost) {
    costs.merge(decision, cost, Cost::plus);
  }

  private int devices(String node) {
    return state.node(node).flatMap(NodeView::description).stream()
        .flatMap(it -> it.devices().stream())
        .filter(it -> ACCELERATORS.contains(it.kind()))
        .mapToInt(_ -> 1)
        .sum();
  }

  /** Nodes still out are counted up to the end of the record. */
  void end(Instant at) {
    gone.forEach((node, since) -> back(node, since, at));
    gone.clear();
  }

  Cost cost(String decision) {
    return costs.getOrDefault(decision, Cost.NOTHING);
  }

  Cost total() {
    return costs.values().stream().reduce(Cost.NOTHING, Cost::plus);
  }

  Map<Origin, String> incidents() {
    return incidents;
  }

  int takenOut() {
    return takenOut;
  }

  int restarts() {
    return restarts;
  }
}
