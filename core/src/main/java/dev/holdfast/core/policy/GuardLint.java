package dev.holdfast.core.policy;

import dev.holdfast.core.text.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;

/** Do the bounds of a policy bound anything? A limit that is never reached is none. */
final class GuardLint {
  private static final Duration SHORTEST_SILENCE = Duration.ofSeconds(10);
  private static final Duration SHORTEST_WINDOW = Duration.ofMinutes(1);
  private static final Duration LONGEST_WINDOW = Duration.ofDays(1);
  private static final double MOST = 0.5;

  private final List<Problem> problems = new ArrayList<>();

  private GuardLint() {}

  static List<Problem> check(Policy policy, OptionalInt nodes) {
    GuardLint lint = new GuardLint();
    lint.guard(policy.guard());
    lint.times(policy);
    nodes.ifPresent(it -> lint.cluster(policy.guard(), it));
    return lint.problems;
  }

  private void guard(Guard guard) {
    require(
        guard.share() <= MOST,
        "share (%.0f%%) lets more than half of the cluster be taken out",
        guard.share() * 100);
    require(
        guard.burst() <= guard.nodes(),
        "burst (%d) is above nodes (%d), so it never trips",
        guard.burst(),
        guard.nodes());
    require(
        guard.perRack() <= guard.nodes(),
        "perRack (%d) is above nodes (%d), so it limits nothing",
        guard.perRack(),
        guard.nodes());
    require(
        guard.perJob() <= guard.nodes(),
        "perJob (%d) is above nodes (%d), so it limits nothing",
        guard.perJob(),
        guard.nodes());
    require(
        guard.window().compareTo(SHORTEST_WINDOW) >= 0
            && guard.window().compareTo(LONGEST_WINDOW) <= 0,
        "window (%s) should be between 1m and 1d: a burst is counted within it",
        Durations.write(guard.window()));
  }

  private void times(Policy policy) {
    require(
        policy.silence().compareTo(SHORTEST_SILENCE) >= 0,
        "silence (%s) is shorter than the restart of an agent takes (10s)",
        Durations.write(policy.silence()));
    require(
        policy.offender() > 1 && !policy.offenderWindow().isZero(),
        "offender: a repeat needs at least 2 times within some time");
  }

  private void cluster(Guard guard, int nodes) {
    int allowed = guard.allowed(nodes);
    require(
        nodes < 2 || allowed <= nodes * MOST,
        "%d of %d nodes may be out at once, more than half",
        allowed,
        nodes);
    require(
        nodes < 2 || guard.burst() < nodes,
        "burst (%d) is no limit for %d nodes",
        guard.burst(),
        nodes);
    if (guard.burst() > allowed && guard.burst() < nodes) {
      problems.add(
          Problem.warning(
              "budget",
              "",
              "guard: of %d nodes no more than %d may be out, so a burst of %d trips only if nodes come back meanwhile"
                  .formatted(nodes, allowed, guard.burst())));
    }
  }

  private void require(boolean sound, String what, Object... values) {
    if (!sound) {
      problems.add(
          Problem.error("budget", "", "guard: " + String.format(Locale.ROOT, what, values)));
    }
  }
}
