package dev.holdfast.control.decide;

import dev.holdfast.control.entry.Cause;
import dev.holdfast.control.entry.DecisionEntry;
import dev.holdfast.control.entry.Stand;
import dev.holdfast.control.state.DecisionView;
import dev.holdfast.control.state.FindingKey;
import dev.holdfast.control.state.FindingView;
import dev.holdfast.control.state.IncidentView;
import dev.holdfast.control.state.JobView;
import dev.holdfast.control.state.Lemons;
import dev.holdfast.control.state.NodeView;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.policy.Policy;
import dev.holdfast.core.policy.Reach;
import dev.holdfast.core.policy.Rule;
import dev.holdfast.core.policy.Rung;
import dev.holdfast.core.policy.Timing;
import dev.holdfast.core.policy.When;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What to do about an incident: the first rule that fits chooses the rung, the cost of the moment
 * when, and {@link Brakes} whether it may be done without asking.
 */
final class Deciding {
  /** How often a part that works less well fails for good. */
  private static final double DEGRADED_PER_HOUR = 0.05;

  /** Each fault a node had within this makes the next one as much more likely again. */
  private static final Duration LATELY = Duration.ofDays(7);

  private Deciding() {}

  /** Decides about an incident, if there is something new to decide. */
  static void consider(String id, Policy policy, Outbox out) {
    consider(id, Incidents.findings(out.state, id), policy, out);
  }

  /**
   * Decides about an incident that a finding has just joined or changed. What the incident has
   * elsewhere was decided on when it came; a thousand nodes that fail together must not be looked
   * at a thousand times.
   */
  static void consider(String id, FindingKey fresh, Policy policy, Outbox out) {
    consider(id, Incidents.beside(out.state, id, fresh), policy, out);
  }

  private static void consider(String id, List<FindingView> findings, Policy policy, Outbox out) {
    IncidentView incident = out.state.incident(id).filter(IncidentView::open).orElse(null);
    if (incident == null) {
      return;
    }
    Chosen chosen = choose(incident, findings, policy, out);
    if (chosen == null || settling(incident, chosen.rule(), out.now)) {
      return;
    }
    Optional<DecisionView> standing = standing(incident, out);
    if (standing.isPresent()) {
      boolean higher = chosen.rung().compareTo(standing.get().made().rung()) > 0;
      boolean proven = proven(standing.get(), chosen, policy);
      if (!higher && !proven || standing.get().made().actor().startsWith("person")) {
        return;
      }
      if (standing.get().stand() != Stand.ACTING) {
        out.add(
            new DecisionEntry.Settled(
                standing.get().id(),
                Stand.WITHDRAWN,
                Decider.SELF,
                higher ? "it got worse" : "a finding came that is proven far enough"));
      }
    }
    decide(incident, findings, chosen, policy, out);
  }

  /**
   * Whether what was only recommended for want of proof may be done now that another finding says
   * the same. Asked only where a policy says what it accepts: without that all is as it was.
   */
  private static boolean proven(DecisionView standing, Chosen chosen, Policy policy) {
    return policy.accept().least().isPresent()
        && standing.stand() == Stand.RECOMMENDED
        && !standing.made().held().isEmpty()
        && standing.made().rung() == chosen.rung()
        && chosen.rule() != null
        && chosen.rule().enforce()
        && policy.accept().takes(chosen.by().finding());
  }

  /**
   * @param resting a rule that would have come first and rests after it was carried out lately
   */
  private record Chosen(
      @org.jspecify.annotations.Nullable Rule rule, Rung rung, FindingView by, String resting) {}

  /**
   * The first rule that fits. One that rests because it was carried out for this node before is
   * passed over when the fault is fatal and a later rule does more: what did not help must not keep
   * a broken node in service. When none does, the decision is held until the rest is over.
   */
  private static @org.jspecify.annotations.Nullable Chosen choose(
      IncidentView incident, List<FindingView> findings, Policy policy, Outbox out) {
    Chosen resting = null;
    List<FindingView> provenFirst = provenFirst(findings, policy);
    for (Rule rule : policy.rules()) {
      for (FindingView finding : provenFirst) {
        if (!fits(rule.when(), finding, incident, policy, out)) {
          continue;
        }
        Rung rung = limited(rule.then(), incident.cause());
        if (finding.finding().severity() == Severity.FATAL
            && Brakes.doneBefore(rule, finding.key().node(), incident.id(), out)) {
          resting = resting == null ? new Chosen(rule, rung, finding, "") : resting;
        } else if (resting == null) {
          return new Chosen(rule, rung, finding, "");
        } else if (rung.compareTo(resting.rung()) > 0) {
          return new Chosen(rule, rung, finding, Objects.requireNonNull(resting.rule()).id());
        }
      }
    }
    if (resting != null) {
      return resting; // nothing does more: it is held, and says why
    }
    return findings.stream()
        .filter(it -> it.finding().severity().atLeast(Severity.DEGRADED))
        .findFirst()
        .map(it -> new Chosen(null, Rung.NOTE, it, ""))
        .orElse(null);
  }

  /** So that a finding nobody accepts does not keep one beside it from acting. */
  private static List<FindingView> provenFirst(List<FindingView> findings, Policy policy) {
    return policy.accept().least().isEmpty()
        ? findings
        : findings.stream()
            .sorted(Comparator.comparing(it -> !policy.accept().takes(it.finding())))
            .toList();
  }

  private static boolean fits(
      When when, FindingView finding, IncidentView incident, Policy policy, Outbox out) {
    boolean current = finding.holds() || finding.finding().kind().name().equals("EVENT");
    if (!current || !when.fits(finding.finding())) {
      return false;
    }
    if (!when.cause().isEmpty() && !when.cause().contains(incident.cause().kind())) {
      return false;
    }
    if (when.repeated().isPresent() && !repeated(when.repeated().get(), finding, out)) {
      return false;
    }
    String node = finding.key().node();
    if (when.offender() && !new Lemons(out.state, policy, out.now).offends(node)) {
      return false;
    }
    return switch (when.job()) {
      case ANY -> true;
      case IDLE -> out.state.jobOn(node).isEmpty();
      case RUNNING -> out.state.jobOn(node).isPresent();
    };
  }

  private static boolean repeated(When.Repeated wanted, FindingView finding, Outbox out) {
    Instant since = out.now.minus(wanted.within());
    if (wanted.wholeNode()) {
      Stream<FindingView.Raise> raises =
          out.state.findingsOf(finding.key().node()).stream()
              .filter(it -> it.finding().check().equals(finding.finding().check()))
              .flatMap(it -> it.recent().stream());
      return FindingView.times(raises, since) >= wanted.times();
    }
    return finding.recently(since) >= wanted.times();
  }

  private static Rung limited(Rung rung, Cause cause) {
    return Reach.wide(cause.kind()) && rung.atLeast(Rung.RESTART_PROCESS) ? Rung.NOTE : rung;
  }

  private static boolean settling(
      IncidentView incident, @org.jspecify.annotations.Nullable Rule rule, Instant now) {
    return rule != null && now.isBefore(incident.opened().plus(rule.settle()));
  }

  /** The decision that stands for an incident. */
  private static Optional<DecisionView> standing(IncidentView incident, Outbox out) {
    return incident.decisions().reversed().stream()
        .flatMap(it -> out.state.decision(it).stream())
        .filter(it -> it.stand() != Stand.WITHDRAWN)
        .findFirst();
  }

  private static void decide(
      IncidentView incident, List<FindingView> findings, Chosen chosen, Policy policy, Outbox out) {
    Rule rule = chosen.rule();
    String node = chosen.by().key().node();
    Rung rung = chosen.rung();
    String why = rule == null ? "no rule of the policy fits" : rule.reason();
    if (!chosen.resting().isEmpty()) {
      why +=
          "; %s was carried out there lately and did not mend it, so this does more"
              .formatted(chosen.resting());
    }
    List<String> alternatives = List.of();
    Optional<JobView> job = node.isEmpty() ? Optional.empty() : out.state.jobOn(node);
    boolean fatal = findings.stream().anyMatch(it -> it.finding().severity() == Severity.FATAL);
    if (job.isPresent() && !fatal && rung.interruptsJob() && rung.compareTo(Rung.REPLACE) < 0) {
      Timing.Choice choice =
          Timing.choose(rung, job.get().job(), out.now, odds(node, incident, out));
      rung = choice.rung();
      alternatives = choice.alternatives();
      why = choice.why().isEmpty() ? why : why + "; " + choice.why();
    }
    String subject =
        rung == Rung.RESET_DEVICE || rung == Rung.RESTART_PROCESS || node.isEmpty()
            ? chosen.by().key().subject().toString()
            : "node/" + node;
    Brakes.Answer answer =
        rule == null
            ? new Brakes.Answer(Stand.RECOMMENDED, "")
            : Brakes.ask(rule, rung, node, chosen.by(), policy, out);
    String id = "d-" + (out.state.decisionCount() + 1);
    out.add(
        new DecisionEntry.Decided(
            id,
            incident.id(),
            rule == null ? "" : rule.id(),
            rung,
            subject,
            answer.stand(),
            why,
            answer.held(),
            alternatives,
            Decider.SELF));
    if (answer.stand() == Stand.ACTING) {
      Acting.begin(id, out);
    }
  }

  private static Timing.Odds odds(String node, IncidentView incident, Outbox out) {
    Instant since = out.now.minus(LATELY);
    long lately =
        out.state.strikes(node).stream()
            .filter(it -> !it.at().isBefore(since) && !it.incident().equals(incident.id()))
            .count();
    int devices = out.state.node(node).map(NodeView::devices).orElse(0);
    return new Timing.Odds(DEGRADED_PER_HOUR * (1 + lately), out.state.spares(devices));
  }

  /** Looks again at what was held back: the reason may be gone. */
  static void reconsider(DecisionView held, Policy policy, Outbox out) {
    Optional<Rule> rule = policy.rule(held.made().rule());
    Optional<IncidentView> incident =
        out.state.incident(held.made().incident()).filter(IncidentView::open);
    if (rule.isEmpty() || incident.isEmpty()) {
      return;
    }
    List<FindingView> findings = Incidents.findings(out.state, incident.get().id());
    for (FindingView finding : provenFirst(findings, policy)) {
      if (fits(rule.get().when(), finding, incident.get(), policy, out)) {
        Brakes.Answer answer =
            Brakes.ask(rule.get(), held.made().rung(), finding.key().node(), finding, policy, out);
        if (answer.stand() != Stand.HELD) {
          out.add(
              new DecisionEntry.Settled(
                  held.id(),
                  answer.stand(),
                  Decider.SELF,
                  "no longer held: " + held.made().held()));
          if (answer.stand() == Stand.ACTING) {
            Acting.begin(held.id(), out);
          }
        }
        return;
      }
    }
  }
}
