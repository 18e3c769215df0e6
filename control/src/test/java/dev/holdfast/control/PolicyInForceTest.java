package dev.holdfast.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.control.entry.RuleEntry;
import dev.holdfast.control.state.ClusterState;
import dev.holdfast.control.testing.Rules;
import dev.holdfast.core.policy.Policy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which policy is in force, and how often its text is read. */
class PolicyInForceTest {
  @Test
  void aTextIsReadOnce() {
    ClusterState state = new ClusterState();
    Policy first = Rules.usual();
    List<String> read = new ArrayList<>();
    PolicyInForce policy =
        new PolicyInForce(
            state,
            first,
            text -> {
              read.add(text);
              return Rules.usual();
            });
    assertThat(policy.get()).isSameAs(first);
    state.apply(new RuleEntry.PolicySet("one", "ada"), Instant.EPOCH);
    assertThat(policy.get()).isNotSameAs(first).isSameAs(policy.get());
    state.apply(new RuleEntry.PolicySet("two", "ada"), Instant.EPOCH);
    policy.get();
    assertThat(read).containsExactly("one", "two");
  }
}
