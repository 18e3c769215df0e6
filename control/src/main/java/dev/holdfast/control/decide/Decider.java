package dev.holdfast.control.decide;

import dev.holdfast.control.entry.Entry;
import dev.holdfast.control.entry.Ground;
import dev.holdfast.control.entry.KeptEntry;
import dev.holdfast.control.entry.NodeEntry;
import dev.holdfast.control.entry.RuleEntry;
import dev.holdfast.control.entry.SourceEntry;
import dev.holdfast.control.entry.Stand;
import dev.holdfast.control.state.ActionView;
import dev.holdfast.control.state.ClusterState;
import dev.holdfast.control.state.DecisionView;
import dev.holdfast.control.state.FindingView;
import dev.holdfast.control.state.IncidentView;
import dev.holdfast.control.state.NodeView;
import dev.holdfast.core.policy.Policy;
import dev.holdfast.core.report.Receipt;
import dev.holdfast.core.report.Statement.Answer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * {@code decide(state, input, time) → entries}. Entries are applied to the state as they are made;
 * whoever calls this makes them durable before anything outside learns of them, and stops for good
 * when that fails, because then the state is ahead of the journal.
 */
public final class Decider {
  /** Who decides when no person does. */
  public static final String SELF = ClusterState.SELF;

  private final ClusterState state;
  private final Policy first;
  private final Function<String, Policy> reader;
  private final Volume volume = new Volume();
  private Optional<String> text = Optional.empty();
  private Policy policy;

  /**
   * @param first the policy until one is set
   * @param reader makes a policy of the text that was set
   */
  public Decider(ClusterState state, Policy first, Function<String, Policy> reader) {
    this.state = state;
    this.first = first;
    this.reader = reader;
    this.policy = first;
  }

  /**
   * What follows from an input.
   *
   * @param refused why a wish was not granted
   * @param left which reports were not taken in
   * @param failures what could not be decided; everything else was
   */
  public record Outcome(
      List<Entry> entries,
      Optional<String> refused,
      List<Receipt.Refused> left,
      List<String> failures) {}

  public Policy policy() {
    if (!state.policy().equals(text)) {
      text = state.policy();
      policy = text.map(reader).orElse(first);
    }
    return policy;
  }

  /**
   * Whatever is wrong with an input, deciding goes on: what could not be decided is left as it was.
   */
  public Outcome decide(Input input, Instant now) {
    Outbox out = new Outbox(state, volume, now);
    String[] refused = {""};
    List<Receipt.Refused> left = new ArrayList<>();
    String failed = out.attempt("an input", () -> refused[0] = decide(input, left, out));
    String no = failed.isEmpty() ? refused[0] : failed;
    return new Outcome(
        out.entries(), no.isEmpty() ? Optional.empty() : Optional.of(no), left, out.failures());
  }

  /** Tells why a wish was not granted; empty: it was. */
  private String decide(Input input, List<Receipt.Refused> left, Outbox out) {
    switch (input) {
      case Input.Reported reported -> left.addAll(Intake.take(reported, policy(), out));
      case Input.Recorded recorded -> Intake.again(recorded.report(), policy(), out);
      case Input.Hurried it ->
          Refusing.refuse(
              it.source(), Ground.TOO_FAST, it.count(), "more reports a second than allowed", out);
      case Input.Introduced it ->
          out.add(new SourceEntry.Spoken(it.source(), it.speaker(), it.intruded()));
      case Input.Claimed claimed -> Identity.claimed(claimed, out);
      case Input.Silence silence ->
          out.add(new NodeEntry.Silent(silence.node(), silence.silent(), silence.since()));
      case Input.Tick _ -> tick(out);
      case Input.Ruled ruled -> out.add(new RuleEntry.PolicySet(ruled.yaml(), SELF));
      case Input.Forget forget -> {
        if (state.remembersBefore(forget.before())) {
          out.add(new KeptEntry.Forgotten(forget.before()));
        }
      }
      case Input.Wished wished -> {
        Optional<String> refused = Wishes.grant(wished, out);
        if (refused.isPresent()) {
          return refused.get();
        }
        tick(out);
      }
    }
    return "";
  }

  private void tick(Outbox out) {
    for (FindingView finding : state.expiring()) {
      out.attempt(finding.key().toString(), () -> Outside.look(finding, out));
    }
    for (IncidentView incident : List.copyOf(state.openIncidents())) {
      out.attempt("incident " + incident.id(), () -> look(incident, out));
    }
    for (DecisionView decision : state.openDecisions()) {
      if (decision.stand() == Stand.HELD) {
        out.attempt(
            "decision " + decision.id(), () -> Deciding.reconsider(decision, policy(), out));
      }
    }
    for (NodeView node : state.notInService()) {
      out.attempt("node " + node.name(), () -> Lifecycle.look(node.name(), out));
    }
    for (NodeView node : state.nodes()) {
      if (Schedulers.differs(node)) {
        out.attempt("node " + node.name(), () -> Schedulers.agree(node.name(), false, out));
      }
    }
    for (ActionView action : state.openActions()) {
      if (out.now.isAfter(action.request().until())) {
        out.attempt(
            "action " + action.request().id(),
            () -> Lifecycle.answered(action, Answer.UNKNOWN, "no answer in time", out));
      }
    }
  }

  private void look(IncidentView incident, Outbox out) {
    if (incident.decisions().isEmpty()) {
      Deciding.consider(incident.id(), policy(), out);
    }
    Lifecycle.close(incident, out);
  }
}
