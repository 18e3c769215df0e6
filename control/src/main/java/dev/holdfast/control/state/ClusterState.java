package dev.holdfast.control.state;

import dev.holdfast.control.entry.Batch;
import dev.holdfast.control.entry.Cause;
import dev.holdfast.control.entry.DecisionEntry;
import dev.holdfast.control.entry.Entry;
import dev.holdfast.control.entry.FindingEntry;
import dev.holdfast.control.entry.IncidentEntry;
import dev.holdfast.control.entry.JobEntry;
import dev.holdfast.control.entry.KeptEntry;
import dev.holdfast.control.entry.NodeEntry;
import dev.holdfast.control.entry.RuleEntry;
import dev.holdfast.control.entry.Service;
import dev.holdfast.control.entry.SourceEntry;
import dev.holdfast.control.entry.TrustEntry;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.report.Request;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * All that is known of the cluster. {@link #apply} is the only way to change it and belongs to one
 * thread; every value in it is immutable, so anybody may read at any time and sees each of them as
 * it was at some moment.
 */
public final class ClusterState {
  private static final String NODE = "node/";
  private static final String RUN = "run/";

  /** Who decides when no person does. */
  public static final String SELF = "holdfast";

  private final NodeTable nodes = new NodeTable();
  private final FindingTable findings = new FindingTable();
  private final IncidentTable incidents = new IncidentTable();
  private final DecisionTable decisions = new DecisionTable();
  private final JobTable jobs = new JobTable();
  private final SourceTable sources = new SourceTable();
  private final StrikeTable strikes = new StrikeTable();
  private final SpareTable spares = new SpareTable();
  private final HistoryTable histories = new HistoryTable();
  private volatile Trust trust = Trust.NEW;
  private volatile Optional<Stop> pause = Optional.empty();
  private volatile Optional<Stop> trip = Optional.empty();
  private volatile Optional<String> policy = Optional.empty();
  private volatile Instant time = Instant.EPOCH;

  /** Who stopped all acting, when and why. */
  public record Stop(String actor, String why, Instant since) {}

  /** What a person wrote about a subject. */
  public record Remark(String actor, String text, Instant at) {}

  /** What a job lost in a phase by a cause, on the clock and times its processes. */
  public record LostTime(
      String job, String phase, String cause, double seconds, double processSeconds) {}

  public void apply(Batch batch) {
    batch.entries().forEach(entry -> apply(entry, batch.at()));
  }

  /** Takes one change in. */
  public void apply(Entry entry, Instant at) {
    time = at;
    switch (entry) {
      case SourceEntry of -> {
        sources.apply(of);
        if (of instanceof SourceEntry.Heard heard && heard.source().startsWith(NODE)) {
          hear(heard.source().substring(NODE.length()), at);
        }
      }
      case NodeEntry of -> {
        if (of instanceof NodeEntry.Moved moved) {
          moving(moved, at);
        }
        if (of instanceof NodeEntry.Silent silent) {
          histories.silent(silent, at);
        }
        nodes.apply(of, at);
        NodeTable.named(of).ifPresent(this::lookForSpares);
      }
      case FindingEntry of -> {
        findings.apply(of, at);
        histories.apply(of, at);
        if (of instanceof FindingEntry.Raised raised && !raised.external().isEmpty()) {
          sources.toldFault(raised.source(), at);
        }
      }
      case IncidentEntry of -> incident(of, at);
      case DecisionEntry of -> {
        trust = decisions.trust(of, trust);
        decisions.apply(of, at);
        if (of instanceof DecisionEntry.Decided made) {
          incidents.change(made.incident(), it -> it.decided(made.decision()));
        }
      }
      case JobEntry.Told told -> jobs.told(told, at).forEach(this::lookForSpares);
      case JobEntry.Stepped stepped -> jobs.stepped(stepped.progress(), at);
      case JobEntry.Decided decided -> decisions.decidedByJob(decided, at);
      case RuleEntry of -> rule(of, at);
      case TrustEntry.Counted of ->
          trust =
              new Trust(
                  of.drains(),
                  of.wrongDrains(),
                  of.interruptions(),
                  of.wrongKills(),
                  of.wrongAdvice());
      case KeptEntry.Thing thing -> restore(thing);
      case KeptEntry.Forgotten forgotten -> forget(forgotten.before());
    }
  }

  private void hear(String node, Instant at) {
    if (node(node).isEmpty()) {
      nodes.heard(node, at);
      lookForSpares(node);
    }
  }

  private void lookForSpares(String node) {
    node(node).ifPresent(it -> spares.look(it, jobs.use(node)));
  }

  private void moving(NodeEntry.Moved moved, Instant at) {
    Service from = node(moved.node()).map(NodeView::service).orElse(Service.IN);
    histories.moved(from, moved, at);
    if (from.takesJobs() && !moved.to().takesJobs()) {
      strikes.add(moved.node(), moved.incident(), at);
      if (moved.actor().equals(SELF)) {
        trust = trust.drained();
      }
    }
  }

  private void incident(IncidentEntry entry, Instant at) {
    switch (entry) {
      case IncidentEntry.Opened opened -> incidents.open(IncidentView.opened(opened, at));
      case IncidentEntry.Joined joined -> {
        FindingKey key = new FindingKey(joined.check(), joined.subject());
        incidents.join(joined.incident(), key);
        findings.in(key, joined.incident());
        histories.joined(key, joined.incident());
        nodes.oneMoreIncident(key.node());
      }
      case IncidentEntry.Hurt hurt -> {
        incidents.change(hurt.incident(), it -> it.hurting(hurt.jobs()));
        incidents.get(hurt.incident()).stream()
            .flatMap(it -> it.findings().stream())
            .flatMap(it -> findings.get(it).stream())
            .filter(it -> it.finding().severity() == Severity.FATAL)
            .forEach(it -> strikes.add(it.key().node(), hurt.incident(), at));
      }
      case IncidentEntry.Widened widened -> {
        incidents.widen(widened);
        incidents.get(widened.incident()).stream()
            .flatMap(it -> it.findings().stream())
            .forEach(it -> findings.in(it, widened.incident()));
      }
      case IncidentEntry.Closed closed ->
          incidents.change(closed.incident(), it -> it.closedAt(at, closed.why()));
    }
  }

  private void rule(RuleEntry entry, Instant at) {
    switch (entry) {
      case RuleEntry.PolicySet set -> policy = Optional.of(set.yaml());
      case RuleEntry.Paused paused ->
          pause =
              paused.paused()
                  ? Optional.of(new Stop(paused.actor(), paused.why(), at))
                  : Optional.empty();
      case RuleEntry.Tripped tripped ->
          trip =
              tripped.tripped()
                  ? Optional.of(new Stop(tripped.actor(), tripped.why(), at))
                  : Optional.empty();
    }
  }

  /** Names count up for ever; what is in force. */
  record KeptRest(
      long incidents,
      long decisions,
      long actions,
      long reportsLost,
      long reportsStrange,
      Optional<Stop> pause,
      Optional<Stop> trip,
      Optional<String> policy,
      Trust trust) {}

  /**
   * All of it, thing by thing: applied to an empty state they make an equal one. To be called by
   * the thread that applies; what is given is immutable and can be written down elsewhere.
   */
  public List<Entry> kept() {
    List<Entry> all = new ArrayList<>();
    nodes.keep(all::add);
    findings.keep(all::add);
    incidents.keep(all::add);
    decisions.keep(all::add);
    jobs.keep(all::add);
    sources.keep(all::add);
    strikes.keep(all::add);
    histories.keep(all::add);
    all.add(
        new KeptEntry.Thing(
            "rest",
            new KeptRest(
                incidentCount(),
                decisionCount(),
                actionCount(),
                reportsLost(),
                reportsStrange(),
                pause,
                trip,
                policy,
                trust)));
    return all;
  }

  private void restore(KeptEntry.Thing thing) {
    switch (thing.what()) {
      case "node" -> {
        NodeView node = thing.as(NodeView.class);
        nodes.restore(node);
        spares.look(node, jobs.use(node.name()));
      }
      case "remarks" -> nodes.restore(thing.as(NodeTable.KeptRemarks.class));
      case "takenOut" -> nodes.restore(thing.as(NodeTable.KeptTimes.class));
      case "finding" -> findings.restore(thing.as(FindingView.class));
      case "incident" -> incidents.restore(thing.as(IncidentView.class));
      case "cause" -> incidents.restore(thing.as(IncidentTable.KeptCause.class));
      case "decision" -> decisions.restore(thing.as(DecisionView.class));
      case "action" -> decisions.restore(thing.as(ActionView.class));
      case "job" -> jobs.restore(thing.as(JobView.class)).forEach(this::lookForSpares);
      case "loss" -> jobs.restore(thing.as(LossTable.KeptLoss.class));
      case "history" -> histories.restore(thing.as(HistoryTable.Kept.class));
      case "strike" -> strikes.restore(thing.as(Strike.class));
      case "cursor" -> sources.restore(thing.as(SourceTable.KeptCursor.class));
      case "allowance" -> sources.restore(thing.as(SourceTable.KeptAllowance.class));
      case "rest" -> {
        KeptRest rest = thing.as(KeptRest.class);
        incidents.restoreCount(rest.incidents());
        decisions.restoreCounts(rest.decisions(), rest.actions());
        sources.restoreCounts(rest.reportsLost(), rest.reportsStrange());
        pause = rest.pause();
        trip = rest.trip();
        policy = rest.policy();
        trust = rest.trust();
      }
      default -> throw new IllegalArgumentException("no such thing in a state: " + thing.what());
    }
  }

  /** Whether something that is over is older than that; it may still be needed. */
  public boolean remembersBefore(Instant before) {
    return incidents.all().stream()
            .anyMatch(it -> it.closed().map(at -> at.isBefore(before)).orElse(false))
        || decisions.all().stream()
            .anyMatch(it -> it.stand().over() && it.standSince().isBefore(before))
        || findings.all().stream().anyMatch(it -> !it.holds() && it.last().isBefore(before))
        || jobs.all().stream()
            .anyMatch(it -> it.job().state().over() && it.told().isBefore(before));
  }

  /** What was over before that time, and matters to nothing that is not. */
  private void forget(Instant before) {
    Set<String> needed = new LinkedHashSet<>();
    nodes.notInService().forEach(it -> needed.add(it.incident()));
    decisions.open().forEach(it -> needed.add(it.made().incident()));
    incidents.forget(before, needed::contains);
    decisions.forget(before, it -> incidents.get(it).isPresent());
    findings.forget(before, it -> incidents.get(it).isPresent());
    nodes.forget(before);
    histories.forget(before);
    jobs.forget(before).stream()
        .map(JobView::source)
        .filter(
            it ->
                it.startsWith(RUN) && jobs.all().stream().noneMatch(job -> job.source().equals(it)))
        .forEach(sources::forget);
  }

  // What is known; any thread may ask.

  public Optional<NodeView> node(String name) {
    return nodes.get(name);
  }

  public Collection<NodeView> nodes() {
    return nodes.all();
  }

  public int nodeCount() {
    return nodes.count();
  }

  /** The nodes that share that. */
  public Set<String> sharing(Cause cause) {
    return nodes.sharing(cause);
  }

  /** How many nodes in service have at least so many devices, and nobody uses them. */
  public int spares(int devices) {
    return spares.count(devices);
  }

  /** Nodes on their way out or back, those only watched too. */
  public List<NodeView> notInService() {
    return nodes.notInService();
  }

  /** How many nodes take no jobs by our doing. */
  public int outOfService() {
    return (int) nodes.outByOurDoing().count();
  }

  public int outOfService(String kind, String place) {
    return (int) nodes.outByOurDoing().filter(it -> it.place(kind).equals(place)).count();
  }

  public int takenOutSince(Instant since) {
    return nodes.takenOutSince(since);
  }

  /** What happened to a node, as far as it is remembered. */
  public NodeHistory history(String node) {
    return histories.of(node);
  }

  public Map<String, List<Remark>> remarks() {
    return nodes.remarks();
  }

  public Optional<FindingView> finding(FindingKey key) {
    return findings.get(key);
  }

  public Collection<FindingView> findings() {
    return findings.all();
  }

  public Collection<FindingView> findingsOf(String node) {
    return findings.of(node);
  }

  /** Outside faults that are over some day by themselves. */
  public List<FindingView> expiring() {
    return findings.expiring();
  }

  public Optional<IncidentView> incident(String id) {
    return incidents.get(id);
  }

  public Collection<IncidentView> incidents() {
    return incidents.all();
  }

  public Collection<IncidentView> openIncidents() {
    return incidents.open();
  }

  public Collection<IncidentView> newestOpenIncidents() {
    return incidents.newestOpen();
  }

  /** The open incidents with a finding at a place, see {@link FindingKey#place}. */
  public Set<String> incidentsAt(String place) {
    return incidents.openAt(place);
  }

  /** The open incident of a cause. */
  public Optional<String> incidentOf(Cause cause) {
    return incidents.of(cause);
  }

  public Optional<DecisionView> decision(String id) {
    return decisions.get(id);
  }

  public Collection<DecisionView> decisions() {
    return decisions.all();
  }

  /** All decisions about a node or a part of it, the oldest first. */
  public List<DecisionView> decisionsAbout(String node) {
    return decisions.about(node);
  }

  public List<DecisionView> openDecisions() {
    return decisions.open();
  }

  public Optional<ActionView> action(String id) {
    return decisions.action(id);
  }

  public List<ActionView> openActions() {
    return decisions.openActions();
  }

  /** What is asked of a source and not answered yet. */
  public List<ActionView> openActions(String source) {
    return decisions.openActions(source);
  }

  /** Whether the checks that failed were run again already for that incident. */
  public boolean verified(String node, String incident) {
    return decisionsAbout(node).stream()
        .filter(it -> it.made().incident().equals(incident))
        .flatMap(it -> it.actions().stream())
        .flatMap(id -> action(id).stream())
        .anyMatch(it -> it.request().kind() == Request.Kind.VERIFY);
  }

  public Optional<JobView> job(String id) {
    return jobs.get(id);
  }

  public Collection<JobView> jobs() {
    return jobs.all();
  }

  /** The job that runs on a node, if one does; the first by name where nodes are shared. */
  public Optional<JobView> jobOn(String node) {
    return jobs.on(node).stream().findFirst();
  }

  /** All jobs that run on a node. */
  public List<JobView> jobsOn(String node) {
    return jobs.on(node);
  }

  /** The time jobs lost since then, to the hour and for a month at most. */
  public List<LostTime> lostSince(Instant since) {
    return jobs.lostSince(since);
  }

  /** Faults since then that took a node out or met a job, the newest first. */
  public List<Strike> strikes(Instant since) {
    return strikes.since(since);
  }

  public List<Strike> strikes(String node) {
    return strikes.of(node);
  }

  /** What was done without a person, and how much of it was wrong. */
  public Trust trust() {
    return trust;
  }

  /** For how long nodes were looked after, all added up. */
  public double nodeDays(Instant now) {
    double millis = 0;
    for (NodeView node : nodes.all()) {
      millis += Math.max(0, Duration.between(node.first(), now).toMillis());
    }
    return millis / Duration.ofDays(1).toMillis();
  }

  public Cursor cursor(String source) {
    return sources.cursor(source);
  }

  /** How many faults a source from outside may still tell. */
  public Allowance allowance(String source) {
    return sources.allowance(source);
  }

  /** Whether it is one of the things we know of; links and sources are not kept on a list. */
  public boolean knows(Subject subject) {
    return switch (subject) {
      case Subject.Node it -> node(it.node()).isPresent();
      case Subject.Part it -> node(it.node()).isPresent();
      case Subject.Switch it -> !sharing(new Cause("leaf", it.name())).isEmpty();
      case Subject.Volume it -> !sharing(new Cause("volume", it.name())).isEmpty();
      case Subject.Job it -> job(it.job()).isPresent();
      case Subject.Link _, Subject.Source _ -> true;
    };
  }

  public Map<String, Cursor> cursors() {
    return sources.cursors();
  }

  public Optional<Stop> paused() {
    return pause;
  }

  public Optional<Stop> tripped() {
    return trip;
  }

  public Optional<String> policy() {
    return policy;
  }

  /** How many reports were of a kind this version does not know. */
  public long reportsStrange() {
    return sources.reportsStrange();
  }

  public long reportsLost() {
    return sources.reportsLost();
  }

  /** The number of the next incident, decision and action: names count up for ever. */
  public long incidentCount() {
    return incidents.count();
  }

  public long decisionCount() {
    return decisions.count();
  }

  public long actionCount() {
    return decisions.actionCount();
  }

  /** When the last entry was decided. */
  public Instant time() {
    return time;
  }
}
