package dev.holdfast.control.api;

import dev.holdfast.control.decide.Input;
import dev.holdfast.control.state.ClusterState;
import dev.holdfast.control.state.NodeView;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Which nodes were heard of lately. That a node speaks is not worth a line in the journal; that one
 * fell silent, or speaks again, is.
 */
public final class Liveness {
  private final ClusterState state;
  private final Clock clock;
  private final Instant begun;
  private final ConcurrentMap<String, Instant> heard = new ConcurrentHashMap<>();

  public Liveness(ClusterState state, Clock clock) {
    this.state = state;
    this.clock = clock;
    this.begun = clock.instant();
  }

  public void heard(String source) {
    if (source.startsWith("node/")) {
      heard.put(source.substring("node/".length()), clock.instant());
    }
  }

  /** Who fell silent, who speaks again; after our own start everybody gets the full time. */
  public List<Input> changes(Duration silence) {
    Instant now = clock.instant();
    List<Input> changes = new ArrayList<>();
    for (NodeView node : state.nodes()) {
      Instant last = heard.getOrDefault(node.name(), begun);
      boolean silent = Duration.between(last, now).compareTo(silence) > 0;
      if (silent != node.silentSince().isPresent()) {
        changes.add(new Input.Silence(node.name(), silent, last));
      }
    }
    return changes;
  }
}
