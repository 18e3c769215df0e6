package dev.holdfast.control.notify;

import dev.holdfast.control.api.StateJson;
import dev.holdfast.control.entry.Batch;
import dev.holdfast.control.entry.DecisionEntry;
import dev.holdfast.control.entry.Entry;
import dev.holdfast.control.entry.IncidentEntry;
import dev.holdfast.control.state.ClusterState;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Times;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Something worth telling about an incident.
 *
 * @param id the same however often it is sent
 * @param event {@code incident.opened}, {@code incident.decided}, {@code incident.closed}
 */
record Notice(String id, String event, Instant at, String incident) {
  /** What a batch of the journal is worth telling, in its order. */
  static List<Notice> of(long position, Batch batch, ClusterState state) {
    List<Notice> notices = new ArrayList<>();
    for (Entry entry : batch.entries()) {
      switch (entry) {
        case IncidentEntry.Opened it -> add(notices, position, batch, "opened", it.incident());
        case IncidentEntry.Closed it -> add(notices, position, batch, "closed", it.incident());
        case IncidentEntry.Widened it ->
            it.absorbed().forEach(other -> add(notices, position, batch, "closed", other));
        case DecisionEntry.Decided it when !it.incident().isEmpty() ->
            add(notices, position, batch, "decided", it.incident());
        case DecisionEntry.Settled it ->
            state
                .decision(it.decision())
                .map(decision -> decision.made().incident())
                .filter(incident -> !incident.isEmpty())
                .ifPresent(incident -> add(notices, position, batch, "decided", incident));
        default -> {}
      }
    }
    return notices;
  }

  private static void add(
      List<Notice> notices, long position, Batch batch, String event, String incident) {
    String id = position + "-" + notices.size();
    notices.add(new Notice(id, "incident." + event, batch.at(), incident));
  }

  /** As it is sent: the incident stands in it as it is known at that moment. */
  Optional<String> body(ClusterState state) {
    return state
        .incident(incident)
        .map(
            it ->
                Json.line(
                    Json.map(
                        "schema",
                        "holdfast.notice/1",
                        "id",
                        id,
                        "event",
                        event,
                        "at",
                        Times.show(at),
                        "incident",
                        StateJson.incident(state, it))));
  }
}
