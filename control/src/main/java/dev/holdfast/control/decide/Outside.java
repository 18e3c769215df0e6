package dev.holdfast.control.decide;

import dev.holdfast.control.entry.DecisionEntry;
import dev.holdfast.control.entry.FindingEntry;
import dev.holdfast.control.entry.Ground;
import dev.holdfast.control.state.Allowance;
import dev.holdfast.control.state.FindingKey;
import dev.holdfast.control.state.FindingView;
import dev.holdfast.core.health.Evidence;
import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.policy.Policy;
import dev.holdfast.core.report.Report;
import dev.holdfast.core.report.Request;
import dev.holdfast.core.report.Statement.Answer;
import dev.holdfast.core.report.Statement.External;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Faults others know of: storage, switches, the building, a cloud. Nobody can make them look again,
 * so each has an end: the source says how long it counts, or {@link #COUNTS} does. Before the end
 * the source is asked whether it still holds; its answer, or the same fault told again, moves the
 * end, and silence lets it pass. A source that tells too many is heard only in part, and that is a
 * finding.
 */
final class Outside {
  /** How long a fault counts whose source does not say. */
  static final Duration COUNTS = Duration.ofHours(6);

  /** Longer than this at once no fault counts, whatever its source says. */
  static final Duration LONGEST = Duration.ofDays(7);

  /**
   * The source is asked this long before the end, or earlier in the last quarter of a short time.
   */
  static final Duration ASK_BEFORE = Duration.ofMinutes(30);

  /** An end that moves by less is left where it is. */
  static final Duration STEP = Duration.ofMinutes(1);

  static final String STORM = "external.storm";

  private Outside() {}

  /** Takes a fault in; tells what speaks against it, if anything. */
  static Optional<Objection> take(External external, Report report, Policy policy, Outbox out) {
    FindingKey key = FindingKey.of(external.finding());
    Optional<FindingView> holding = out.state.finding(key).filter(FindingView::holds);
    boolean own = holding.map(it -> it.source().equals(report.source())).orElse(true);
    if (external.assertion() == External.Assertion.RECOVER) {
      if (own && holding.map(it -> it.external().equals(external.id())).orElse(false)) {
        Intake.clear(key, "told by " + report.source(), out);
      }
      return Optional.empty();
    }
    Finding finding = as(external.finding(), external.assertion());
    Optional<Instant> end = end(finding, external.expires(), out.now);
    if (!own || end.isPresent() && !end.get().isAfter(out.now)) {
      return Optional.empty(); // who said it first has it; what is over by itself was no news
    }
    boolean again = holding.map(it -> it.finding().equals(finding)).orElse(false);
    if (again) {
      end.ifPresent(it -> extend(holding.get(), it, "told again", out));
      return Optional.empty();
    }
    if (out.state.allowance(report.source()).spent(out.now)) {
      return Optional.of(
          new Objection(
              Ground.TOO_FAST,
              "faults of %s are taken in %d at once and %d a minute"
                  .formatted(report.source(), Allowance.BURST, Allowance.PER_MINUTE)));
    }
    Optional<Objection> full = Limits.objection(finding, report.source(), out);
    if (full.isPresent()) {
      return full;
    }
    Intake.raise(
        new FindingEntry.Raised(
            finding, report.source(), 1, report.at(), external.id(), external.affects(), end),
        policy,
        out);
    return Optional.empty();
  }

  /** What begins and ends is a condition, what happened once an event, whatever the form says. */
  private static Finding as(Finding told, External.Assertion assertion) {
    Finding.Kind kind =
        assertion == External.Assertion.ONCE ? Finding.Kind.EVENT : Finding.Kind.CONDITION;
    return new Finding(
        told.check(),
        told.subject(),
        kind,
        told.severity(),
        told.faultClass(),
        told.proof(),
        told.rowProof(),
        told.summary(),
        told.since(),
        told.evidence(),
        told.meaning(),
        told.remedy());
  }

  private static Optional<Instant> end(Finding finding, Optional<Instant> said, Instant now) {
    if (finding.kind() == Finding.Kind.EVENT) {
      return Optional.empty();
    }
    Instant latest = now.plus(LONGEST);
    return Optional.of(said.map(it -> it.isAfter(latest) ? latest : it).orElse(now.plus(COUNTS)));
  }

  private static void extend(FindingView view, Instant end, String why, Outbox out) {
    Duration moves = Duration.between(view.expires().orElse(Instant.EPOCH), end).abs();
    if (moves.compareTo(STEP) >= 0) {
      out.add(
          new FindingEntry.Extended(view.finding().check(), view.finding().subject(), end, why));
    }
  }

  /** So many faults of a source were left out: one finding about the source says so. */
  static void leftOut(String source, long count, Outbox out) {
    Subject subject = new Subject.Source(source);
    long before =
        out.state.finding(new FindingKey(STORM, subject)).map(FindingView::times).orElse(0L);
    Limits.notice(
        STORM,
        subject,
        "%s reports more faults than are taken in; %,d were left out so far"
            .formatted(source, before + count),
        List.of(
            new Evidence(
                "limit",
                "%d at once, %d a minute".formatted(Allowance.BURST, Allowance.PER_MINUTE))),
        "What was left out is not known here: nodes it is about may be in use although they should not be.",
        "See at the source what it repeats; let it report a fault once, and again only when it ends or changes.",
        count,
        Allowance.REFILL,
        out);
  }

  /** As time goes on: asks before the end, and lets pass what nobody said again. */
  static void look(FindingView view, Outbox out) {
    if (!view.holds() || view.expires().isEmpty()) {
      return;
    }
    Instant end = view.expires().get();
    if (!out.now.isBefore(end)) {
      String why =
          view.external().isEmpty()
              ? "quiet again"
              : "expired: " + view.source() + " did not say it again";
      Intake.clear(view.key(), why, out);
    } else if (!view.external().isEmpty() && !out.now.isBefore(asking(view, end))) {
      ask(view, end, out);
    }
  }

  private static Instant asking(FindingView view, Instant end) {
    Duration quarter = counts(view).dividedBy(4);
    return end.minus(quarter.compareTo(ASK_BEFORE) < 0 ? quarter : ASK_BEFORE);
  }

  /** For how long it was last said to count. */
  private static Duration counts(FindingView view) {
    return Duration.between(view.last(), view.expires().orElseThrow());
  }

  private static void ask(FindingView view, Instant end, Outbox out) {
    boolean asked =
        out.state.openActions(view.source()).stream()
            .map(it -> it.request())
            .anyMatch(it -> it.kind() == Request.Kind.CONFIRM && key(it).equals(view.key()));
    if (asked) {
      return;
    }
    out.add(
        new DecisionEntry.Intended(
            "",
            view.source(),
            new Request(
                "a-" + (out.state.actionCount() + 1),
                Request.Kind.CONFIRM,
                view.finding().subject(),
                List.of(view.finding().check()),
                "does fault %s still hold? Answer done if it does, failed if not; without an answer it is over at the time given"
                    .formatted(view.external()),
                end)));
  }

  private static FindingKey key(Request request) {
    return new FindingKey(request.checks().getFirst(), request.subject());
  }

  /** The source was asked whether a fault still holds. */
  static void answered(Request request, String source, Answer answer, String detail, Outbox out) {
    Optional<FindingView> view =
        out.state
            .finding(key(request))
            .filter(it -> it.holds() && it.source().equals(source) && it.expires().isPresent());
    if (view.isEmpty()) {
      return;
    }
    switch (answer) {
      case DONE -> extend(view.get(), out.now.plus(counts(view.get())), "asked: it holds", out);
      case FAILED, REFUSED ->
          Intake.clear(view.get().key(), "asked, and it is over: " + detail, out);
      case UNKNOWN -> {}
    }
  }
}
