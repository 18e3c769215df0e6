package dev.holdfast.control.decide;

import dev.holdfast.control.entry.DecisionEntry;
import dev.holdfast.control.entry.NodeEntry;
import dev.holdfast.control.entry.RuleEntry;
import dev.holdfast.control.entry.SourceEntry;
import dev.holdfast.control.entry.Stand;
import dev.holdfast.control.state.DecisionView;
import dev.holdfast.control.state.FindingKey;
import dev.holdfast.control.state.NodeView;
import dev.holdfast.core.policy.Rung;
import java.util.List;
import java.util.Optional;

/** What people ask for. A person may do what a rule may not; both are on record. */
final class Wishes {
  private Wishes() {}

  /** Carries it out; tells what is wrong with it, empty: nothing. */
  static Optional<String> grant(Input.Wished input, Outbox out) {
    String actor = "person/" + input.actor();
    return switch (input.wish()) {
      case Wish.Drain wish -> drain(wish, actor, out);
      case Wish.Undrain wish -> undrain(wish, actor, out);
      case Wish.Approve wish -> approve(wish, actor, out);
      case Wish.Reject wish -> settle(wish.decision(), Stand.REJECTED, actor, wish.why(), out);
      case Wish.Note wish -> {
        out.add(new NodeEntry.Noted(wish.subject(), actor, wish.text()));
        yield Optional.empty();
      }
      case Wish.Pause wish -> {
        out.add(new RuleEntry.Paused(true, actor, wish.why()));
        yield Optional.empty();
      }
      case Wish.Resume wish -> {
        out.add(new RuleEntry.Paused(false, actor, wish.why()));
        yield Optional.empty();
      }
      case Wish.ResetGuard wish -> {
        out.add(new RuleEntry.Tripped(false, actor, wish.why()));
        yield Optional.empty();
      }
      case Wish.Wrong wish -> {
        if (out.state.decision(wish.decision()).isEmpty()) {
          yield Optional.of("no decision " + wish.decision());
        }
        out.add(new DecisionEntry.Wrong(wish.decision(), actor, wish.why()));
        yield Optional.empty();
      }
      case Wish.ResetSource wish -> {
        out.add(new SourceEntry.Reset(wish.source(), actor));
        Intake.clear(
            new FindingKey(Identity.CHECK, Limits.subject(wish.source())),
            "decided by " + actor,
            out);
        yield Optional.empty();
      }
      case Wish.SetPolicy wish -> {
        out.add(new RuleEntry.PolicySet(wish.yaml(), actor));
        yield Optional.empty();
      }
    };
  }

  private static Optional<String> drain(Wish.Drain wish, String actor, Outbox out) {
    Optional<NodeView> node = out.state.node(wish.node());
    if (node.isEmpty()) {
      return Optional.of("no node " + wish.node());
    }
    if (!node.get().service().takesJobs()) {
      return Optional.of(wish.node() + " is " + node.get().service().word() + " already");
    }
    String id = "d-" + (out.state.decisionCount() + 1);
    out.add(
        new DecisionEntry.Decided(
            id,
            "",
            "",
            wish.now() ? Rung.DRAIN_NOW : Rung.DRAIN_AFTER_JOB,
            "node/" + wish.node(),
            Stand.ACTING,
            wish.why(),
            "",
            List.of(),
            actor));
    Acting.begin(id, out);
    return Optional.empty();
  }

  private static Optional<String> undrain(Wish.Undrain wish, String actor, Outbox out) {
    NodeView node = out.state.node(wish.node()).orElse(null);
    if (node == null) {
      return Optional.of("no node " + wish.node());
    }
    return switch (node.service()) {
      case IN, SUSPECT -> Optional.of(wish.node() + " is in service");
      case VERIFYING -> Optional.of(wish.node() + " is being verified");
      case DRAINING -> {
        out.state.decisionsAbout(wish.node()).stream()
            .filter(it -> it.stand() == Stand.ACTING)
            .toList()
            .forEach(
                it ->
                    out.add(new DecisionEntry.Settled(it.id(), Stand.REJECTED, actor, wish.why())));
        Lifecycle.back(node, actor, wish.why(), out);
        yield Optional.empty();
      }
      case DRAINED, OUT -> {
        Lifecycle.verify(wish.node(), actor, wish.why(), out);
        yield Optional.empty();
      }
    };
  }

  private static Optional<String> approve(Wish.Approve wish, String actor, Outbox out) {
    Optional<String> wrong = settle(wish.decision(), Stand.ACTING, actor, wish.why(), out);
    if (wrong.isEmpty()) {
      Acting.begin(wish.decision(), out);
    }
    return wrong;
  }

  private static Optional<String> settle(
      String id, Stand stand, String actor, String why, Outbox out) {
    Optional<DecisionView> decision = out.state.decision(id);
    if (decision.isEmpty()) {
      return Optional.of("no decision " + id);
    }
    Stand now = decision.get().stand();
    if (now.over() || now == Stand.ACTING) {
      return Optional.of("decision " + id + " is " + now.word() + " already");
    }
    out.add(new DecisionEntry.Settled(id, stand, actor, why));
    return Optional.empty();
  }
}
