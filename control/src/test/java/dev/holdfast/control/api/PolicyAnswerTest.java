package dev.holdfast.control.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.control.entry.NodeEntry;
import dev.holdfast.control.state.ClusterState;
import dev.holdfast.control.testing.Rules;
import dev.holdfast.control.testing.Told;
import dev.holdfast.core.policy.Policy;
import dev.holdfast.core.report.Statement;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When the answer about the policy is made again. */
class PolicyAnswerTest {
  private Policy policy = Rules.usual();
  private final ClusterState state = new ClusterState();
  private final PolicyAnswer answer = new PolicyAnswer(state, () -> policy, List.of());

  @Test
  void itIsMadeOnceForAPolicy() {
    byte[] first = answer.json();
    assertThat(answer.json()).isSameAs(first);
    policy = Rules.usual();
    assertThat(answer.json()).isNotSameAs(first).isEqualTo(first);
  }

  @Test
  void itIsMadeAgainWhenTheClusterGrew() {
    byte[] first = answer.json();
    var node = ((Statement.Described) Told.described("n1", "r1", "l1")).node();
    state.apply(new NodeEntry.Described(node), Instant.EPOCH);
    assertThat(answer.json()).isNotSameAs(first);
  }
}
