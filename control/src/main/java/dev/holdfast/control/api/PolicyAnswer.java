package dev.holdfast.control.api;

import dev.holdfast.control.state.ClusterState;
import dev.holdfast.control.state.DecisionView;
import dev.holdfast.core.policy.KnownCheck;
import dev.holdfast.core.policy.Policy;
import dev.holdfast.core.text.Json;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The answer about the policy. To look for what is wrong with a policy costs far more than any
 * other answer, so it is made again only when something it tells of is another than before.
 */
final class PolicyAnswer {
  private final ClusterState state;
  private final Supplier<Policy> policy;
  private final Collection<KnownCheck> known;
  private volatile @Nullable Made last;

  PolicyAnswer(ClusterState state, Supplier<Policy> policy, Collection<KnownCheck> known) {
    this.state = state;
    this.policy = policy;
    this.known = List.copyOf(known);
  }

  /** An answer, and what it was made of; values never change, so the same ones tell the same. */
  private record Made(Policy policy, int nodes, List<DecisionView> decisions, byte[] json) {
    boolean of(Policy now, int nodesNow, List<DecisionView> decisionsNow) {
      if (now != policy || nodesNow != nodes || decisionsNow.size() != decisions.size()) {
        return false;
      }
      for (int i = 0; i < decisionsNow.size(); i++) {
        if (decisionsNow.get(i) != decisions.get(i)) {
          return false;
        }
      }
      return true;
    }
  }

  byte[] json() {
    Policy now = policy.get();
    int nodes = state.nodeCount();
    List<DecisionView> decisions = List.copyOf(state.decisions());
    Made made = last;
    if (made == null || !made.of(now, nodes, decisions)) {
      byte[] json = Json.line(PolicyJson.of(now, state, known)).getBytes(StandardCharsets.UTF_8);
      made = new Made(now, nodes, decisions, json);
      last = made;
    }
    return made.json();
  }
}
