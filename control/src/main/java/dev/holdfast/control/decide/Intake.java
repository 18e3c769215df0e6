package dev.holdfast.control.decide;

import dev.holdfast.control.entry.FindingEntry;
import dev.holdfast.control.entry.JobEntry;
import dev.holdfast.control.entry.NodeEntry;
import dev.holdfast.control.entry.SourceEntry;
import dev.holdfast.control.state.ActionView;
import dev.holdfast.control.state.Cursor;
import dev.holdfast.control.state.FindingKey;
import dev.holdfast.control.state.FindingView;
import dev.holdfast.control.state.IncidentView;
import dev.holdfast.core.cluster.JobDescription;
import dev.holdfast.core.cluster.JobMember;
import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.policy.Policy;
import dev.holdfast.core.report.Report;
import dev.holdfast.core.report.Statement;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Applies what a source says, each report once and in its order. A gap ends the batch: the receipt
 * says up to where it went, and the source sends the rest again.
 */
final class Intake {
  private Intake() {}

  static void take(Input.Reported input, Policy policy, Outbox out) {
    Cursor before = out.state.cursor(input.source());
    Cursor cursor = before;
    for (Report report : input.reports()) {
      if (cursor.applied(report.epoch(), report.sequence())) {
        continue;
      }
      if (!report.source().equals(input.source())
          || !cursor.next(report.epoch(), report.sequence())) {
        break;
      }
      apply(report, policy, out);
      cursor = new Cursor(report.epoch(), report.sequence());
    }
    if (!cursor.equals(before)) {
      out.add(new SourceEntry.Heard(input.source(), cursor.epoch(), cursor.sequence()));
    }
  }

  private static void apply(Report report, Policy policy, Outbox out) {
    if (!mayTell(report)) {
      return;
    }
    switch (report.statement()) {
      case Statement.Raised(Finding finding, long count) ->
          raise(
              new FindingEntry.Raised(
                  finding, report.source(), count, report.at(), "", List.of(), Optional.empty()),
              policy,
              out);
      case Statement.Cleared cleared ->
          clear(new FindingKey(cleared.check(), cleared.subject()), cleared.why(), out);
      case Statement.Described(var node) -> {
        boolean same =
            out.state
                .node(node.node())
                .flatMap(it -> it.description())
                .map(node::equals)
                .orElse(false);
        if (!same) {
          out.add(new NodeEntry.Described(node));
        }
      }
      case Statement.Lost lost ->
          out.add(new SourceEntry.Lost(report.source(), lost.count(), lost.from(), lost.until()));
      case Statement.JobTold(var job) -> told(job, report.source(), out);
      case Statement.JobDecided decided ->
          out.add(
              new JobEntry.Decided(
                  decided.job(),
                  decided.attempt(),
                  decided.choice(),
                  decided.without(),
                  decided.why()));
      case Statement.Answered answered ->
          out.state
              .action(answered.request())
              .filter(it -> it.target().equals(report.source()) && it.answer().isEmpty())
              .ifPresent(
                  (ActionView it) ->
                      Lifecycle.answered(it, answered.answer(), answered.detail(), out));
      case Statement.External external -> external(external, report, policy, out);
    }
  }

  static void raise(FindingEntry.Raised raised, Policy policy, Outbox out) {
    Finding finding = raised.finding();
    FindingKey key = FindingKey.of(finding);
    Optional<FindingView> before = out.state.finding(key);
    boolean known =
        before.filter(FindingView::holds).map(it -> it.finding().equals(finding)).orElse(false);
    if (known) {
      return;
    }
    out.add(raised);
    boolean ruled = policy.rules().stream().anyMatch(it -> it.when().fits(finding));
    if (ruled || finding.severity().atLeast(Severity.DEGRADED)) {
      String incident =
          before
              .map(FindingView::incident)
              .filter(it -> out.state.incident(it).filter(IncidentView::open).isPresent())
              .orElseGet(() -> Incidents.place(finding, out));
      Hurting.look(incident, key, out);
      Deciding.consider(incident, policy, out);
    }
  }

  static void clear(FindingKey key, String why, Outbox out) {
    Optional<FindingView> known = out.state.finding(key).filter(FindingView::holds);
    if (known.isEmpty()) {
      return;
    }
    out.add(new FindingEntry.Cleared(key.check(), key.subject(), why));
    Lifecycle.look(key.node(), out);
    out.state
        .incident(known.get().incident())
        .filter(IncidentView::open)
        .ifPresent(it -> Lifecycle.close(it, out));
  }

  private static void told(JobDescription job, String source, Outbox out) {
    Optional<JobDescription> before = out.state.job(job.job()).map(it -> it.job());
    if (before.isPresent() && before.get().equals(job)) {
      return;
    }
    out.add(new JobEntry.Told(job, source));
    Hurting.look(job, before, out);
    List<JobMember> left = before.map(JobDescription::members).orElse(List.of());
    left.forEach(it -> Lifecycle.look(it.node(), out));
  }

  private static void external(
      Statement.External external, Report report, Policy policy, Outbox out) {
    Finding finding = external.finding();
    FindingKey key = FindingKey.of(finding);
    switch (external.assertion()) {
      case OCCUR, ONCE ->
          raise(
              new FindingEntry.Raised(
                  finding,
                  report.source(),
                  1,
                  report.at(),
                  external.id(),
                  external.affects(),
                  external.expires()),
              policy,
              out);
      case RECOVER -> clear(key, "told by " + report.source(), out);
    }
  }

  /** Outside faults whose "recover" got lost are over when their time is up. */
  static void expire(FindingView view, Instant now, Outbox out) {
    if (view.holds() && view.expires().isPresent() && !now.isBefore(view.expires().get())) {
      clear(view.key(), "expired: " + view.source() + " did not say it again", out);
    }
  }

  /** An agent speaks of no node but its own; what it says of another is left aside. */
  private static boolean mayTell(Report report) {
    String about =
        switch (report.statement()) {
          case Statement.Raised(Finding finding, _) -> FindingKey.nodeOf(finding.subject());
          case Statement.Cleared cleared -> FindingKey.nodeOf(cleared.subject());
          case Statement.Described(var node) -> node.node();
          default -> "";
        };
    return about.isEmpty()
        || !report.source().startsWith("node/")
        || report.source().equals("node/" + about);
  }
}
