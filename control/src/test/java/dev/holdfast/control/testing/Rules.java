package dev.holdfast.control.testing;

import dev.holdfast.core.health.Accept;
import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.policy.Guard;
import dev.holdfast.core.policy.Policy;
import dev.holdfast.core.policy.Rule;
import dev.holdfast.core.policy.Rung;
import dev.holdfast.core.policy.When;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Small policies for tests. */
public final class Rules {
  private Rules() {}

  public static When fatal(FaultClass faultClass) {
    return new When(
        List.of(),
        Set.of(faultClass),
        Severity.FATAL,
        Optional.empty(),
        Set.of(),
        When.JobState.ANY);
  }

  public static Rule rule(String id, When when, Rung then) {
    return new Rule(id, when, then, true, false, Duration.ZERO, Duration.ZERO, "because");
  }

  public static Policy policy(Rule... rules) {
    return new Policy(
        "test",
        Accept.UNSAID,
        List.of(rules),
        new Guard(0.5, 100, 4, 4, 10, Duration.ofMinutes(5)),
        List.of(),
        Duration.ofSeconds(30),
        3,
        Duration.ofDays(30));
  }

  /** Takes a node out when its hardware fails; looks closer when the network does. */
  public static Policy usual() {
    return policy(
        rule("broken-hardware", fatal(FaultClass.HARDWARE), Rung.DRAIN_NOW),
        rule(
            "worse-hardware",
            new When(
                List.of(),
                Set.of(FaultClass.HARDWARE),
                Severity.DEGRADED,
                Optional.empty(),
                Set.of(),
                When.JobState.ANY),
            Rung.DRAIN_AT_CHECKPOINT),
        new Rule(
            "network",
            new When(
                List.of(),
                Set.of(FaultClass.NETWORK),
                Severity.DEGRADED,
                Optional.empty(),
                Set.of(),
                When.JobState.ANY),
            Rung.DRAIN_AFTER_JOB,
            true,
            false,
            Duration.ZERO,
            Duration.ofSeconds(5),
            "a node without network is of no use"));
  }
}
