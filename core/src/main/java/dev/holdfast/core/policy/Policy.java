package dev.holdfast.core.policy;

import dev.holdfast.core.health.Accept;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * All that decides what is done about faults.
 *
 * @param accept how far a finding must be proven before a rule acts on it
 * @param rules the first that fits in order of the list wins; none: the finding is noted
 * @param silence how long nothing may be heard of a node before that is a finding
 * @param offender so many faults within {@code offenderWindow} at least make a repeat offender, if
 *     chance does not explain them
 */
public record Policy(
    String name,
    Accept accept,
    List<Rule> rules,
    Guard guard,
    List<Window> windows,
    Duration silence,
    int offender,
    Duration offenderWindow) {

  public Policy {
    rules = List.copyOf(rules);
    windows = List.copyOf(windows);
    Set<String> seen = new HashSet<>();
    for (Rule rule : rules) {
      if (!seen.add(rule.id())) {
        throw new IllegalArgumentException("two rules are called " + rule.id());
      }
    }
  }

  public Policy withRules(List<Rule> others) {
    return new Policy(name, accept, others, guard, windows, silence, offender, offenderWindow);
  }

  public Policy withGuard(Guard other) {
    return new Policy(name, accept, rules, other, windows, silence, offender, offenderWindow);
  }

  public Optional<Rule> rule(String id) {
    return rules.stream().filter(it -> it.id().equals(id)).findFirst();
  }

  /** The maintenance a node is in. */
  public Optional<Window> maintenance(String node, Instant now) {
    return Window.covering(windows, node, now);
  }
}
