package dev.holdfast.control.replay;

import dev.holdfast.control.decide.Decider;
import dev.holdfast.control.entry.Batch;
import dev.holdfast.control.entry.DecisionEntry;
import dev.holdfast.control.entry.DecisionEntry.Decided;
import dev.holdfast.control.entry.Entry;
import dev.holdfast.control.entry.IncidentEntry;
import dev.holdfast.control.state.FindingKey;
import dev.holdfast.core.report.Request;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What was really decided and asked for, so that a run can be held against it. */
final class Recorded {
  private final Map<String, Instant> opened = new HashMap<>();
  private final Map<String, Origin> origins = new HashMap<>();
  private final Map<Origin, String> incidents = new HashMap<>();
  private final Map<String, Decided> decisions = new HashMap<>();
  private final List<Decided> own = new ArrayList<>();
  private final Map<String, Asked> actions = new HashMap<>();

  /** What makes two requests of two runs the same. */
  record Asked(String target, Request.Kind kind, String subject) {
    static Asked of(String target, Request request) {
      return new Asked(target, request.kind(), request.subject().toString());
    }
  }

  void add(Batch batch) {
    for (Entry entry : batch.entries()) {
      switch (entry) {
        case IncidentEntry.Opened it -> opened.put(it.incident(), batch.at());
        case IncidentEntry.Joined it -> {
          Instant since = opened.remove(it.incident());
          if (since != null) {
            Origin origin = new Origin(since, new FindingKey(it.check(), it.subject()));
            origins.put(it.incident(), origin);
            incidents.put(origin, it.incident());
          }
        }
        case Decided it -> {
          decisions.put(it.decision(), it);
          if (it.actor().equals(Decider.SELF)) {
            own.add(it);
          }
        }
        case DecisionEntry.Intended it ->
            actions.put(it.request().id(), Asked.of(it.target(), it.request()));
        default -> {}
      }
    }
  }

  /** The request that ends with this batch. */
  Optional<Asked> ending(String action) {
    return Optional.ofNullable(actions.get(action));
  }

  /** What ended with a batch that every run has seen is asked no longer. */
  void forget(Batch batch) {
    for (Entry entry : batch.entries()) {
      if (entry instanceof DecisionEntry.Ended it) {
        actions.remove(it.action());
      }
    }
  }

  /** Whether the same is being asked for in the record. */
  boolean asks(Asked what) {
    return actions.containsValue(what);
  }

  Optional<Decided> decision(String id) {
    return Optional.ofNullable(decisions.get(id));
  }

  /** All decisions no person made. */
  List<Decided> own() {
    return own;
  }

  Optional<Origin> origin(String incident) {
    return Optional.ofNullable(origins.get(incident));
  }

  /** The number of an incident in the record. */
  Optional<String> incident(Origin origin) {
    return Optional.ofNullable(incidents.get(origin));
  }
}
