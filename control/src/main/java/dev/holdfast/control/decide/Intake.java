package dev.holdfast.control.decide;

import dev.holdfast.control.entry.Cause;
import dev.holdfast.control.entry.FindingEntry;
import dev.holdfast.control.entry.Ground;
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
import dev.holdfast.core.cluster.NodeDescription;
import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.policy.Policy;
import dev.holdfast.core.policy.Rule;
import dev.holdfast.core.policy.When;
import dev.holdfast.core.report.Receipt;
import dev.holdfast.core.report.Report;
import dev.holdfast.core.report.Statement;
import dev.holdfast.core.text.Wrap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Applies what a source says, each report once and in its order. A gap ends the batch: the receipt
 * says up to where it went, and the source sends the rest again.
 */
final class Intake {
  /** So long a job that tells nothing new counts as told of; then it is written down again. */
  static final Duration REPEAT = Duration.ofMinutes(5);

  /**
   * So many jobs may be on a node: no scheduler places more, and each is looked at again and again.
   */
  private static final int MOST_JOBS = 1_000;

  /** So much of an unknown word is kept. */
  private static final int MOST_KIND = 100;

  /** So much of what a launcher decided, and of why. */
  private static final int MOST_WORD = 200;

  private static final int MOST_REASON = 300;

  private Intake() {}

  /** Takes reports in; tells which were refused. */
  static List<Receipt.Refused> take(Input.Reported input, Policy policy, Outbox out) {
    Cursor before = out.state.cursor(input.source());
    Cursor cursor = before;
    Refusing refusing = new Refusing(input.source());
    for (Report said : input.reports()) {
      if (cursor.applied(said.epoch(), said.sequence())) {
        continue;
      }
      Report report = Naming.of(said, out.state);
      if (!report.source().equals(input.source())
          || !cursor.next(report.epoch(), report.sequence())) {
        break;
      }
      if (!cursor.mayBegin(report.epoch(), out.now)) {
        String why = "epoch %d is beyond what there can be".formatted(report.epoch());
        refusing.add(report, new Objection(Ground.EPOCH, why));
        break;
      }
      List<Objection> objections = new ArrayList<>();
      String failed =
          out.attempt(
              "%s %d of %s"
                  .formatted(report.statement().kind(), report.sequence(), report.source()),
              () ->
                  Authority.objection(report, out)
                      .or(() -> written(report, policy, out))
                      .ifPresent(objections::add));
      if (!failed.isEmpty()) {
        objections.add(new Objection(Ground.FAILED, failed));
      }
      objections.forEach(it -> refusing.add(report, it));
      cursor = new Cursor(report.epoch(), report.sequence());
    }
    refusing.write(out);
    if (!cursor.equals(before)) {
      out.add(new SourceEntry.Heard(input.source(), cursor.epoch(), cursor.sequence()));
    }
    return refusing.all();
  }

  /** Takes in what a journal has: whether it may be said was judged when it was. */
  static void again(Report report, Policy policy, Outbox out) {
    var _ = apply(Naming.of(report, out.state), policy, out);
    out.add(new SourceEntry.Heard(report.source(), report.epoch(), report.sequence()));
  }

  /** Takes a report in if its source may have more written down; what changes nothing is free. */
  private static Optional<Objection> written(Report report, Policy policy, Outbox out) {
    if (report.statement() instanceof Statement.Described(var node) && known(node, out)) {
      return Optional.empty();
    }
    Optional<Objection> full = out.volume.objection(report, out.now);
    if (full.isPresent()) {
      return full;
    }
    int before = out.entries().size();
    Optional<Objection> objection = apply(report, policy, out);
    if (out.entries().size() > before) {
      out.volume.written(report, out.now);
    }
    return objection;
  }

  private static boolean known(NodeDescription node, Outbox out) {
    return out.state
        .node(node.node())
        .flatMap(NodeView::description)
        .map(node::equals)
        .orElse(false);
  }

  /** Takes a report in; tells what speaks against it, if anything. */
  private static Optional<Objection> apply(Report report, Policy policy, Outbox out) {
    String source = report.source();
    switch (report.statement()) {
      case Statement.Raised(Finding finding, long count) -> {
        Optional<Objection> full = Limits.objection(finding, source, out);
        if (full.isPresent()) {
          return full;
        }
        raise(
            new FindingEntry.Raised(
                finding, source, count, report.at(), "", List.of(), Optional.empty()),
            policy,
            out);
      }
      case Statement.Cleared cleared ->
          clear(new FindingKey(cleared.check(), cleared.subject()), cleared.why(), out);
      case Statement.Described(var node) -> described(node, policy, out);
      case Statement.Scheduled scheduled -> Schedulers.told(scheduled, source, out);
      case Statement.Lost lost ->
          out.add(new SourceEntry.Lost(source, lost.count(), lost.from(), lost.until()));
      case Statement.JobTold(var job) -> {
        Optional<Objection> full = Limits.objection(job, source, out);
        if (full.isPresent()) {
          return full;
        }
        if (!Schedulers.is(source)
            && out.state.job(job.job()).isEmpty()
            && out.state.jobsOnFullest(job.members(), source) >= MOST_JOBS) {
          return Optional.of(
              new Objection(
                  Ground.TOO_MANY,
                  "%,d jobs of %s are on a node of it".formatted(MOST_JOBS, source)));
        }
        told(job, source, out);
      }
      case Statement.JobHere it -> {
        return here(it, source, out);
      }
      case Statement.JobStepped(var progress) ->
          out.state
              .job(progress.job())
              .filter(it -> it.source().equals(source))
              .filter(it -> it.job().attempt() == progress.attempt())
              .filter(it -> !it.job().state().over())
              .ifPresent(_ -> out.add(new JobEntry.Stepped(progress)));
      case Statement.JobDecided decided ->
          out.add(
              new JobEntry.Decided(
                  decided.job(),
                  decided.attempt(),
                  Wrap.cut(decided.choice(), MOST_WORD),
                  Wrap.cut(decided.without(), MOST_WORD),
                  Wrap.cut(decided.why(), MOST_REASON)));
      case Statement.Answered answered ->
          out.state
              .action(answered.request())
              .filter(it -> it.target().equals(source) && it.answer().isEmpty())
              .ifPresent(
                  (ActionView it) ->
                      Lifecycle.answered(it, answered.answer(), answered.detail(), out));
      case Statement.Refused unreadable -> {
        return Optional.of(new Objection(Ground.MALFORMED, unreadable.reason()));
      }
      case Statement.Unknown unknown ->
          out.add(
              new SourceEntry.Strange(
                  source,
                  unknown.kind().substring(0, Math.min(MOST_KIND, unknown.kind().length()))));
      case Statement.External external -> {
        return Outside.take(external, report, policy, out);
      }
    }
    return Optional.empty();
  }

  private static void described(NodeDescription node, Policy policy, Outbox out) {
    Optional<NodeView> before = out.state.node(node.node());
    if (known(node, out)) {
      return;
    }
    out.add(new NodeEntry.Described(node));
    if (before.isEmpty()) {
      // Others may have told faults of it before it told of itself.
      out.state.findingsOf(node.node()).stream()
          .filter(it -> it.holds() && it.incident().isEmpty())
          .toList()
          .forEach(it -> judge(it.finding(), it.source(), "", policy, out));
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
      judge(finding, raised.source(), before.map(FindingView::incident).orElse(""), policy, out);
    }
  }

  /** Finds the incident of a finding that matters, and decides. */
  private static void judge(
      Finding finding, String source, String before, Policy policy, Outbox out) {
    if (finding.severity().atLeast(Severity.DEGRADED) || ruled(finding, policy, out)) {
      String incident =
          out.state
              .incident(before)
              .filter(IncidentView::open)
              .map(IncidentView::id)
              .orElseGet(() -> Incidents.place(finding, source, out));
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

  /** A node says which jobs are there; that counts more than what others claim of it. */
  private static Optional<Objection> here(Statement.JobHere told, String source, Outbox out) {
    String node = FindingKey.nodeOf(Limits.subject(source));
    JobEntry.Here here = new JobEntry.Here(node, told.job(), told.user(), told.here());
    if (out.state.knows(here)) {
      return Optional.empty();
    }
    if (told.here() && out.state.presenceCount(node) >= MOST_JOBS) {
      return Optional.of(
          new Objection(Ground.TOO_MANY, "%,d jobs are on %s".formatted(MOST_JOBS, node)));
    }
    out.add(here);
    if (told.here()) {
      out.state.jobsOn(node).forEach(it -> Hurting.came(it.job(), node, out));
    } else {
      Lifecycle.look(node, out);
    }
    return Optional.empty();
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
    if (same || !counts) {
      return;
    }
    out.add(new JobEntry.Told(job, source));
    Hurting.look(job, before, out);
    out.state.notInService().stream()
        .map(NodeView::name)
        .filter(it -> before.isPresent() && before.get().uses(it))
        .forEach(it -> Lifecycle.look(it, out));
    if (Schedulers.is(source) && before.isPresent()) {
      Schedulers.ended(job, before.get().members(), source, out);
    }
  }
}
