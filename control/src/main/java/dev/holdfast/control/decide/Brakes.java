package dev.holdfast.control.decide;

import dev.holdfast.control.entry.RuleEntry;
import dev.holdfast.control.entry.Stand;
import dev.holdfast.control.state.ClusterState;
import dev.holdfast.control.state.DecisionView;
import dev.holdfast.control.state.FindingView;
import dev.holdfast.control.state.NodeView;
import dev.holdfast.core.policy.Guard;
import dev.holdfast.core.policy.Policy;
import dev.holdfast.core.policy.Rule;
import dev.holdfast.core.policy.Rung;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/** What keeps a decision from acting: a tool that is wrong about many nodes must hurt few. */
final class Brakes {
  private Brakes() {}

  /** Where the decision stands, and what holds it back when something does. */
  record Answer(Stand stand, String held) {}

  static Answer ask(Rule rule, Rung rung, String node, FindingView by, Policy policy, Outbox out) {
    if (rung == Rung.NOTE) {
      return new Answer(Stand.DONE, "");
    }
    if (!policy.accept().takes(by.finding())) {
      return new Answer(Stand.RECOMMENDED, policy.accept().refusal(by.finding()));
    }
    if (!rule.enforce()) {
      return new Answer(Stand.RECOMMENDED, "");
    }
    ClusterState state = out.state;
    Optional<ClusterState.Stop> pause = state.paused();
    if (pause.isPresent()) {
      return held("paused by " + pause.get().actor() + ": " + pause.get().why());
    }
    var window = policy.maintenance(node, out.now);
    if (window.isPresent()) {
      return held("maintenance: " + window.get().why());
    }
    if (cooling(rule, node, out)) {
      return held(
          "the same was done to it within the last " + rule.coolDown().toMinutes() + " min");
    }
    if (rung == Rung.RESET_DEVICE && state.jobOn(node).isPresent()) {
      return held("a job runs there; it is reset afterwards");
    }
    if (rung.takesNodeOut()) {
      Optional<String> guarded = guarded(node, policy.guard(), out);
      if (guarded.isPresent()) {
        return held(guarded.get());
      }
    }
    return new Answer(rule.approval() ? Stand.ASKING : Stand.ACTING, "");
  }

  private static Answer held(String why) {
    return new Answer(Stand.HELD, why);
  }

  private static boolean cooling(Rule rule, String node, Outbox out) {
    return carriedOut(rule, node, out).findAny().isPresent();
  }

  /** Whether the rule rests because of another incident: this one came back in spite of it. */
  static boolean doneBefore(Rule rule, String node, String incident, Outbox out) {
    return carriedOut(rule, node, out).anyMatch(it -> !it.made().incident().equals(incident));
  }

  /** What was done there by the rule within its cool-down. */
  private static Stream<DecisionView> carriedOut(Rule rule, String node, Outbox out) {
    if (rule.coolDown().isZero()) {
      return Stream.of();
    }
    Instant since = out.now.minus(rule.coolDown());
    return out.state.decisionsAbout(node).stream()
        .filter(it -> it.made().rule().equals(rule.id()) && it.at().isAfter(since))
        .filter(it -> it.stand() == Stand.ACTING || it.stand() == Stand.DONE);
  }

  private static Optional<String> guarded(String node, Guard guard, Outbox out) {
    ClusterState state = out.state;
    Optional<ClusterState.Stop> trip = state.tripped();
    if (trip.isPresent()) {
      return Optional.of("the guard tripped: " + trip.get().why());
    }
    NodeView view = state.node(node).orElse(null);
    if (view == null || !view.service().takesJobs()) {
      return Optional.empty();
    }
    int burst = state.takenOutSince(out.now.minus(guard.window()));
    if (burst >= guard.burst()) {
      String why =
          "%d nodes were taken out within %d min, and %s would be one more (limit %d): so many at once are rarely so many broken nodes"
              .formatted(burst, guard.window().toMinutes(), node, guard.burst());
      out.add(new RuleEntry.Tripped(true, Decider.SELF, why));
      return Optional.of("the guard tripped: " + why);
    }
    int gone = state.outOfService();
    int allowed = guard.allowed(state.nodeCount());
    if (gone >= allowed) {
      return Optional.of(
          "%d of %d nodes are out of service by our doing; %d are allowed"
              .formatted(gone, state.nodeCount(), allowed));
    }
    String rack = view.place("rack");
    if (!rack.isEmpty() && state.outOfService("rack", rack) >= guard.perRack()) {
      return Optional.of(
          "%d nodes of rack %s are out of service already".formatted(guard.perRack(), rack));
    }
    return state
        .jobOn(node)
        .filter(
            job ->
                state.notInService().stream()
                        .filter(it -> !it.service().takesJobs() && job.job().uses(it.name()))
                        .count()
                    >= guard.perJob())
        .map(
            job ->
                "%d nodes of job %s are on their way out already"
                    .formatted(guard.perJob(), job.job().job()));
  }
}
