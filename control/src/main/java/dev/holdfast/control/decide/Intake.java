package dev.holdfast.control.decide;

import dev.holdfast.control.entry.Cause;
import dev.holdfast.control.entry.FindingEntry;
import dev.holdfast.control.entry.JobEntry;
import dev.holdfast.control.entry.NodeEntry;
import dev.holdfast.control.entry.SourceEntry;
import dev.holdfast.control.state.ActionView;
import dev.holdfast.control.state.Cursor;
import dev.holdfast.control.state.FindingKey;
import dev.holdfast.control.state.FindingView;
import dev.holdfast.control.state.IncidentView;
import dev.holdfast.control.state.JobView;
import dev.holdfast.control.state.NodeView;
import dev.holdfast.core.cluster.JobDescription;
import dev.holdfast.core.cluster.JobMember;
import dev.holdfast.core.cluster.NodeDescription;
import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.policy.Policy;
import dev.holdfast.core.policy.Rule;
import dev.holdfast.core.policy.When;
import dev.holdfast.core.report.Report;
import dev.holdfast.core.report.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Applies what a source says, each report once and in its order. A gap ends the batch: the receipt
 * says up to where it went, and the source sends the rest again.
 */
final class Intake {
  /** So long a job that tells nothing new counts as told of; then it is written down again. */
  static final Duration REPEAT = Duration.ofMinutes(5);

  /** So much of an unknown word is kept. */
  private static final int MOST_KIND = 100;

  private Intake() {}

  static void take(Input.Reported input, Policy policy, Outbox out) {
    Cursor before = out.state.cursor(input.source());
    Cursor cursor = before;
    long leftOut = 0;
    for (Report report : input.reports()) {
      if (cursor.applied(report.epoch(), report.sequence())) {
        continue;
      }
      if (!report.source().equals(input.source())
          || !cursor.next(report.epoch(), report.sequence())) {
        break;
      }
      leftOut += apply(report, policy, out) ? 0 : 1;
      cursor = new Cursor(report.epoch(), report.sequence());
    }
    if (leftOut > 0) {
      Outside.leftOut(input.source(), leftOut, out);
    }
    if (!cursor.equals(before)) {
      out.add(new SourceEntry.Heard(input.source(), cursor.epoch(), cursor.sequence()));
    }
  }

  /** Takes a report in; tells whether there was room for it. */
  private static boolean apply(Report report, Policy policy, Outbox out) {
    if (!mayTell(report)) {
      return true;
    }
    switch (report.statement()) {
      case Statement.Raised(Finding finding, long count) ->
          raise(
              new FindingEntry.Raised(
                  finding, report.source(), count, report.at(), "", List.of(), Optional.empty()),
              policy,
              out);
      case Statement.Cleared cleared -> cleared(cleared, report.source(), out);
      case Statement.Described(var node) -> described(node, policy, out);
      case Statement.Scheduled scheduled -> Schedulers.told(scheduled, report.source(), out);
      case Statement.Lost lost ->
          out.add(new SourceEntry.Lost(report.source(), lost.count(), lost.from(), lost.until()));
      case Statement.JobTold(var job) -> told(job, report.source(), out);
      case Statement.JobStepped(var progress) ->
          out.state
              .job(progress.job())
              .filter(it -> it.source().equals(report.source()))
              .filter(it -> it.job().attempt() == progress.attempt())
              .filter(it -> !it.job().state().over())
              .ifPresent(_ -> out.add(new JobEntry.Stepped(progress)));
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
      case Statement.Unknown unknown ->
          out.add(
              new SourceEntry.Strange(
                  report.source(),
                  unknown.kind().substring(0, Math.min(MOST_KIND, unknown.kind().length()))));
      case Statement.External external -> {
        return !Outside.take(external, report, policy, out);
      }
    }
    return true;
  }

  private static void described(NodeDescription node, Policy policy, Outbox out) {
    Optional<NodeView> before = out.state.node(node.node());
    if (before.flatMap(NodeView::description).map(node::equals).orElse(false)) {
      return;
    }
    out.add(new NodeEntry.Described(node));
    if (before.isEmpty()) {
      // Others may have told faults of it before it told of itself.
      out.state.findingsOf(node.node()).stream()
          .filter(it -> it.holds() && it.incident().isEmpty())
          .toList()
          .forEach(it -> judge(it.finding(), "", policy, out));
    }
  }

  /** Whoever raised it clears it; an agent clears whatever is found on its node by our own. */
  private static void cleared(Statement.Cleared cleared, String source, Outbox out) {
    FindingKey key = new FindingKey(cleared.check(), cleared.subject());
    boolean may =
        out.state
            .finding(key)
            .map(
                it ->
                    it.source().equals(source)
                        || it.external().isEmpty() && source.equals("node/" + key.node()))
            .orElse(false);
    if (may) {
      clear(key, cleared.why(), out);
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
    boolean stranger =
        !raised.external().isEmpty()
            && !key.node().isEmpty()
            && out.state.node(key.node()).isEmpty();
    if (!stranger) { // nothing can be decided about a node nobody has heard of
      judge(finding, before.map(FindingView::incident).orElse(""), policy, out);
    }
  }

  /** Finds the incident of a finding that matters, and decides. */
  private static void judge(Finding finding, String before, Policy policy, Outbox out) {
    if (finding.severity().atLeast(Severity.DEGRADED) || ruled(finding, policy, out)) {
      String incident =
          out.state
              .incident(before)
              .filter(IncidentView::open)
              .map(IncidentView::id)
              .orElseGet(() -> Incidents.place(finding, out));
      FindingKey key = FindingKey.of(finding);
      Hurting.look(incident, key, out);
      Deciding.consider(incident, key, policy, out);
    }
  }

  /** Whether a rule may fit one day; one about jobs does not fit what is found on a node. */
  private static boolean ruled(Finding finding, Policy policy, Outbox out) {
    List<When> fitting =
        policy.rules().stream().map(Rule::when).filter(it -> it.fits(finding)).toList();
    if (fitting.isEmpty()) {
      return false;
    }
    List<Cause> causes = Causes.of(finding, out.state.node(FindingKey.of(finding).node()));
    return fitting.stream()
        .map(When::cause)
        .anyMatch(
            kinds -> kinds.isEmpty() || causes.stream().anyMatch(it -> kinds.contains(it.kind())));
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
    Optional<JobView> known = out.state.job(job.job());
    Optional<JobDescription> before = known.map(JobView::job);
    boolean same =
        known.isPresent()
            && known.get().job().equals(job)
            && known.get().source().equals(source)
            && out.now.isBefore(known.get().told().plus(REPEAT));
    boolean counts = !Schedulers.is(source) || Schedulers.counts(job, known);
    if (same || !counts || !concerns(source, job, before)) {
      return;
    }
    out.add(new JobEntry.Told(job, source));
    Hurting.look(job, before, out);
    List<JobMember> left = before.map(JobDescription::members).orElse(List.of());
    left.forEach(it -> Lifecycle.look(it.node(), out));
    if (Schedulers.is(source)) {
      Schedulers.ended(job, left, source, out);
    }
  }

  /** An agent speaks of a job that uses its node, or did. */
  private static boolean concerns(
      String source, JobDescription job, Optional<JobDescription> before) {
    if (!source.startsWith("node/")) {
      return true;
    }
    String node = source.substring("node/".length());
    boolean uses = job.uses(node) || before.map(it -> it.uses(node)).orElse(false);
    return uses && before.map(it -> it.user().equals(job.user())).orElse(true);
  }

  /**
   * An agent speaks of no node but its own, nobody else describes a node, and faults of others are
   * told by who knows them; anything else is left aside.
   */
  private static boolean mayTell(Report report) {
    boolean agent = report.source().startsWith("node/");
    String about =
        switch (report.statement()) {
          case Statement.Raised(Finding finding, _) -> FindingKey.nodeOf(finding.subject());
          case Statement.Cleared cleared -> FindingKey.nodeOf(cleared.subject());
          case Statement.Described(var node) -> node.node();
          default -> "";
        };
    return switch (report.statement()) {
      case Statement.Described _ -> report.source().equals("node/" + about);
      case Statement.External _ -> !agent;
      case Statement.Scheduled _ -> Schedulers.is(report.source());
      default -> about.isEmpty() || !agent || report.source().equals("node/" + about);
    };
  }
}
