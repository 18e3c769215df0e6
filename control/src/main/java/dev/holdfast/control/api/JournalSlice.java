package dev.holdfast.control.api;

import dev.holdfast.control.engine.Engine;
import dev.holdfast.control.entry.Batch;
import dev.holdfast.control.entry.DecisionEntry;
import dev.holdfast.control.entry.Entry;
import dev.holdfast.control.entry.FindingEntry;
import dev.holdfast.control.entry.IncidentEntry;
import dev.holdfast.control.entry.NodeEntry;
import dev.holdfast.control.entry.RuleEntry;
import dev.holdfast.control.journal.History;
import dev.holdfast.control.state.ClusterState;
import dev.holdfast.control.state.DecisionView;
import dev.holdfast.control.state.IncidentView;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Times;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The entries of the journal that concern one incident, in order. Where they begin is found by
 * halving, because times of batches never run back; other entries of a batch are counted, not kept.
 */
final class JournalSlice {
  private static final Duration BEFORE = Duration.ofMinutes(10);
  private static final int ROWS = 500;
  private static final int MOST_BATCHES = 20_000;
  private static final int MOST_CHARACTERS = 8 << 20;

  private final Engine engine;
  private final IncidentView incident;
  private final Set<String> nodes;
  private final Set<String> decisions;
  private final Set<String> actions = new HashSet<>();

  JournalSlice(Engine engine, ClusterState state, IncidentView incident, List<String> nodes) {
    this.engine = engine;
    this.incident = incident;
    this.nodes = Set.copyOf(nodes);
    this.decisions = Set.copyOf(incident.decisions());
    for (String decision : incident.decisions()) {
      state.decision(decision).map(DecisionView::actions).ifPresent(actions::addAll);
    }
  }

  String lines(Instant now) throws IOException {
    Instant until = incident.closed().map(it -> it.plus(BEFORE)).orElse(now);
    StringBuilder text = new StringBuilder();
    long position = start(incident.opened().minus(BEFORE));
    for (int read = 0; read < MOST_BATCHES; ) {
      List<History.Row> rows = engine.history(position, ROWS);
      for (History.Row row : rows) {
        Batch batch = Batch.of(row.batch());
        if (batch.at().isAfter(until) || text.length() > MOST_CHARACTERS) {
          return text.toString();
        }
        text.append(line(row.position(), batch));
      }
      if (rows.isEmpty()) {
        return text.toString();
      }
      position = rows.getLast().position();
      read += rows.size();
    }
    return text.append("{\"leftOut\":\"what came later\"}\n").toString();
  }

  private String line(long position, Batch batch) {
    List<Object> kept =
        batch.entries().stream().filter(this::concerns).map(it -> (Object) it.tree()).toList();
    return kept.isEmpty()
        ? ""
        : Json.line(
                EvidenceBundle.blanked(
                    Json.map(
                        "position",
                        position,
                        "at",
                        Times.show(batch.at()),
                        "entries",
                        kept,
                        "others",
                        batch.entries().size() - kept.size())))
            + "\n";
  }

  private boolean concerns(Entry entry) {
    return switch (entry) {
      case IncidentEntry it -> it.incident().equals(incident.id());
      case DecisionEntry.Decided it -> decisions.contains(it.decision());
      case DecisionEntry.Settled it -> decisions.contains(it.decision());
      case DecisionEntry.Wrong it -> decisions.contains(it.decision());
      case DecisionEntry.Intended it -> decisions.contains(it.decision());
      case DecisionEntry.Ended it -> actions.contains(it.action());
      case FindingEntry.Raised it -> about(it.finding().subject());
      case FindingEntry.Cleared it -> about(it.subject());
      case NodeEntry.Described it -> nodes.contains(it.node().node());
      case NodeEntry.Silent it -> nodes.contains(it.node());
      case NodeEntry.Moved it -> nodes.contains(it.node());
      case NodeEntry.Noted it -> it.subject().equals("incident/" + incident.id());
      case RuleEntry.Paused _, RuleEntry.Tripped _ -> true;
      default -> false;
    };
  }

  private boolean about(Subject subject) {
    String[] parts = subject.toString().split("/", 3);
    return parts.length > 1 && parts[0].equals("node") && nodes.contains(parts[1]);
  }

  /** A position with no batch of interest before it. */
  private long start(Instant from) throws IOException {
    long low = 0;
    long step = 1;
    while (early(low + step, from)) {
      low += step;
      step *= 2;
    }
    while (step > 1) {
      step /= 2;
      if (early(low + step, from)) {
        low += step;
      }
    }
    return low;
  }

  /** Whether the batch behind that position is older; the end of the journal is not. */
  private boolean early(long position, Instant from) throws IOException {
    List<History.Row> next = engine.history(position, 1);
    return !next.isEmpty()
        && Times.read(Fields.of("batch", Json.object(next.getFirst().batch())).text("at"))
            .isBefore(from);
  }
}
