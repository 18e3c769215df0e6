package dev.holdfast.control.api;

import dev.holdfast.control.state.ClusterState;
import dev.holdfast.control.state.DecisionView;
import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.policy.Guard;
import dev.holdfast.core.policy.KnownCheck;
import dev.holdfast.core.policy.Policy;
import dev.holdfast.core.policy.PolicyLint;
import dev.holdfast.core.policy.Rule;
import dev.holdfast.core.policy.When;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Times;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The policy in force, and what each rule of it decided so far. */
final class PolicyJson {
  private PolicyJson() {}

  /**
   * @param known the checks agents can run; none: whether the policy is sound cannot be told
   */
  static Map<String, @Nullable Object> of(
      Policy policy, ClusterState state, Collection<KnownCheck> known) {
    Map<String, Map<String, Integer>> fired = new HashMap<>();
    Map<String, DecisionView> last = new HashMap<>();
    for (DecisionView decision : state.decisions()) {
      String rule = decision.made().rule();
      if (!rule.isEmpty()) {
        fired
            .computeIfAbsent(rule, _ -> new TreeMap<>())
            .merge(decision.stand().word(), 1, Integer::sum);
        last.merge(rule, decision, (a, b) -> a.at().isAfter(b.at()) ? a : b);
      }
    }
    return Json.map(
        "schema",
        "holdfast.policy/1",
        "name",
        policy.name(),
        "accept",
        policy.accept().least().map(Proof::word).orElse(null),
        "rules",
        policy.rules().stream()
            .map(it -> rule(it, fired.getOrDefault(it.id(), Map.of()), last.get(it.id())))
            .toList(),
        "guard",
        guard(policy.guard()),
        "windows",
        policy.windows().stream()
            .map(
                it ->
                    Json.map(
                        "from",
                        Times.show(it.from()),
                        "until",
                        Times.show(it.until()),
                        "nodes",
                        it.nodes(),
                        "why",
                        it.why()))
            .toList(),
        "silenceSeconds",
        policy.silence().toSeconds(),
        "offenderIncidents",
        policy.offender(),
        "offenderSeconds",
        policy.offenderWindow().toSeconds(),
        "problems",
        known.isEmpty() ? null : problems(policy, state, known));
  }

  private static List<Map<String, @Nullable Object>> problems(
      Policy policy, ClusterState state, Collection<KnownCheck> known) {
    OptionalInt nodes =
        state.nodeCount() == 0 ? OptionalInt.empty() : OptionalInt.of(state.nodeCount());
    return PolicyLint.check(policy, known, nodes).stream()
        .map(
            it ->
                Json.map(
                    "level",
                    it.level().word(),
                    "kind",
                    it.kind(),
                    "rule",
                    it.rule().isEmpty() ? null : it.rule(),
                    "what",
                    it.what()))
        .toList();
  }

  private static Map<String, @Nullable Object> rule(
      Rule rule, Map<String, Integer> fired, @Nullable DecisionView last) {
    return Json.map(
        "rule",
        rule.id(),
        "when",
        when(rule.when()),
        "then",
        rule.then().word(),
        "enforce",
        rule.enforce(),
        "approval",
        rule.approval(),
        "coolDownSeconds",
        rule.coolDown().toSeconds(),
        "settleSeconds",
        rule.settle().toSeconds(),
        "reason",
        rule.reason(),
        "fired",
        fired,
        "lastFired",
        last == null ? null : Times.show(last.at()),
        "lastDecision",
        last == null ? null : last.id(),
        "lastIncident",
        last == null || last.made().incident().isEmpty() ? null : last.made().incident());
  }

  private static Map<String, @Nullable Object> when(When when) {
    return Json.map(
        "checks",
        when.checks(),
        "classes",
        when.classes().stream().map(FaultClass::word).sorted().toList(),
        "severity",
        when.severity().word(),
        "repeated",
        when.repeated()
            .map(
                it ->
                    Json.map(
                        "times",
                        it.times(),
                        "withinSeconds",
                        it.within().toSeconds(),
                        "wholeNode",
                        it.wholeNode()))
            .orElse(null),
        "causes",
        List.copyOf(when.cause()).stream().sorted().toList(),
        "job",
        when.job().name().toLowerCase(Locale.ROOT),
        "offender",
        when.offender());
  }

  private static Map<String, @Nullable Object> guard(Guard guard) {
    return Json.map(
        "share",
        guard.share(),
        "nodes",
        guard.nodes(),
        "perRack",
        guard.perRack(),
        "perJob",
        guard.perJob(),
        "burst",
        guard.burst(),
        "windowSeconds",
        guard.window().toSeconds());
  }
}
