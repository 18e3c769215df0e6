package dev.holdfast.control.state;

import dev.holdfast.control.entry.Batch;
import dev.holdfast.control.entry.Cause;
import dev.holdfast.control.entry.Entry;
import dev.holdfast.control.entry.JobEntry;
import dev.holdfast.core.cluster.JobMembers;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.report.Request;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
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
  /** Who decides when no person does. */
  public static final String SELF = "holdfast";

  private final Tables tables = new Tables();

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
    tables.apply(entry, at);
  }

  /**
   * All of it, thing by thing: applied to an empty state they make an equal one. To be called by
   * the thread that applies; what is given is immutable and can be written down elsewhere.
   */
  public List<Entry> kept() {
    return Keeping.all(tables);
  }

  /** Whether something that is over is older than that; it may still be needed. */
  public boolean remembersBefore(Instant before) {
    return Keeping.remembersBefore(before, tables);
  }

  // What is known; any thread may ask.

  public Optional<NodeView> node(String name) {
    return tables.nodes.get(name);
  }

  public Collection<NodeView> nodes() {
    return tables.nodes.all();
  }

  /** The names of all nodes, in no order. */
  public Set<String> nodeNames() {
    return tables.nodes.names();
  }

  public int nodeCount() {
    return tables.nodes.count();
  }

  /** The nodes that share that. */
  public Set<String> sharing(Cause cause) {
    return tables.nodes.sharing(cause);
  }

  /** How many nodes in service have at least so many devices, and nobody uses them. */
  public int spares(int devices) {
    return tables.spares.count(devices);
  }

  /** Nodes on their way out or back, those only watched too. */
  public List<NodeView> notInService() {
    return tables.nodes.notInService();
  }

  /** How many nodes take no jobs by our doing. */
  public int outOfService() {
    return (int) tables.nodes.outByOurDoing().count();
  }

  public int outOfService(String kind, String place) {
    return (int) tables.nodes.outByOurDoing().filter(it -> it.place(kind).equals(place)).count();
  }

  public int takenOutSince(Instant since) {
    return tables.nodes.takenOutSince(since);
  }

  /** What happened to a node, as far as it is remembered. */
  public NodeHistory history(String node) {
    return tables.histories.of(node);
  }

  public Map<String, List<Remark>> remarks() {
    return tables.nodes.remarks();
  }

  public Optional<FindingView> finding(FindingKey key) {
    return tables.findings.get(key);
  }

  public Collection<FindingView> findings() {
    return tables.findings.all();
  }

  public Collection<FindingView> findingsOf(String node) {
    return tables.findings.of(node);
  }

  /** The nodes something was ever found on, in no order. */
  public Set<String> nodesWithFindings() {
    return tables.findings.nodes();
  }

  /** Outside faults that are over some day by themselves. */
  public List<FindingView> expiring() {
    return tables.findings.expiring();
  }

  public Optional<IncidentView> incident(String id) {
    return tables.incidents.get(id);
  }

  public Collection<IncidentView> incidents() {
    return tables.incidents.all();
  }

  public Collection<IncidentView> openIncidents() {
    return tables.incidents.open();
  }

  public Collection<IncidentView> newestOpenIncidents() {
    return tables.incidents.newestOpen();
  }

  /** The open incidents with a finding at a place, see {@link FindingKey#place}. */
  public Set<String> incidentsAt(String place) {
    return tables.incidents.openAt(place);
  }

  /** The open incident of a cause. */
  public Optional<String> incidentOf(Cause cause) {
    return tables.incidents.of(cause);
  }

  public Optional<DecisionView> decision(String id) {
    return tables.decisions.get(id);
  }

  public Collection<DecisionView> decisions() {
    return tables.decisions.all();
  }

  /** All decisions about a node or a part of it, the oldest first. */
  public List<DecisionView> decisionsAbout(String node) {
    return tables.decisions.about(node);
  }

  public List<DecisionView> openDecisions() {
    return tables.decisions.open();
  }

  public Optional<ActionView> action(String id) {
    return tables.decisions.action(id);
  }

  public List<ActionView> openActions() {
    return tables.decisions.openActions();
  }

  /** What is asked of a source and not answered yet. */
  public List<ActionView> openActions(String source) {
    return tables.decisions.openActions(source);
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
    return tables.jobs.get(id);
  }

  public Collection<JobView> jobs() {
    return tables.jobs.all();
  }

  /** How many jobs of a source run on the fullest of these nodes at least. */
  public int jobsOnFullest(JobMembers members, String source) {
    return tables.jobs.most(members, source);
  }

  /** The job that runs on a node, if one does; the first by name where nodes are shared. */
  public Optional<JobView> jobOn(String node) {
    return jobsOn(node).stream().findFirst();
  }

  /** All jobs that run on a node, as the node or one who must know says. */
  public List<JobView> jobsOn(String node) {
    return tables.jobsOn(node);
  }

  /** The jobs of which another node says that they are on it, and nobody else. */
  public List<JobView> claimedOn(String node) {
    return tables.claimedOn(node);
  }

  /** Whether it is what the node said before. */
  public boolean knows(JobEntry.Here here) {
    return tables.presences.knows(here);
  }

  /** How many jobs a node says are there. */
  public int presenceCount(String node) {
    return tables.presences.count(node);
  }

  /** The name under which a source's job is known that it tells of under this one. */
  public String jobName(String source, String name) {
    return tables.jobs.known(source, name);
  }

  /** The time jobs lost since then, to the hour and for a month at most. */
  public List<LostTime> lostSince(Instant since) {
    return tables.jobs.lostSince(since);
  }

  /** Faults since then that took a node out or met a job, the newest first. */
  public List<Strike> strikes(Instant since) {
    return tables.strikes.since(since);
  }

  public List<Strike> strikes(String node) {
    return tables.strikes.of(node);
  }

  /** What was done without a person, and how much of it was wrong. */
  public Trust trust() {
    return tables.trust;
  }

  /** For how long nodes were looked after, all added up. */
  public double nodeDays(Instant now) {
    double millis = 0;
    for (NodeView node : tables.nodes.all()) {
      millis += Math.max(0, Duration.between(node.first(), now).toMillis());
    }
    return millis / Duration.ofDays(1).toMillis();
  }

  public Cursor cursor(String source) {
    return tables.sources.cursor(source);
  }

  /** How many faults a source from outside may still tell. */
  public Allowance allowance(String source) {
    return tables.sources.allowance(source);
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

  /** What it said and was not taken in, if there was anything. */
  public Optional<Refusals> refusals(String source) {
    return tables.sources.refusals(source);
  }

  /** The same of all sources. */
  public Map<String, Refusals> refusals() {
    return tables.sources.refusals();
  }

  /** How many statements were refused, ever, on which ground. */
  public List<Refusals.OfGround> refused() {
    return tables.sources.refused();
  }

  /** Which programs speak for it, where they said so. */
  public Optional<Speakers> speakers(String source) {
    return tables.sources.speakers(source);
  }

  /** How many findings of a source are remembered. */
  public int findingCount(String source) {
    return tables.findings.count(source);
  }

  /** How many characters those have together. */
  public long findingText(String source) {
    return tables.findings.text(source);
  }

  /** How many incidents are remembered that findings of a source opened. */
  public int incidentCount(String source) {
    return tables.incidents.count(source);
  }

  /** How many of those are open. */
  public int openIncidentCount(String source) {
    return tables.incidents.openCount(source);
  }

  public List<FindingView> toldBy(String source) {
    return tables.findings.toldBy(source);
  }

  /** How many jobs of a source are remembered. */
  public int jobCount(String source) {
    return tables.jobs.share(source).jobs();
  }

  /** How many characters those have together, without their members. */
  public long jobText(String source) {
    return tables.jobs.share(source).text();
  }

  /** How many members those have together. */
  public long memberCount(String source) {
    return tables.jobs.share(source).members();
  }

  public Map<String, Cursor> cursors() {
    return tables.sources.cursors();
  }

  public Optional<Stop> paused() {
    return tables.pause;
  }

  public Optional<Stop> tripped() {
    return tables.trip;
  }

  public Optional<String> policy() {
    return tables.policy;
  }

  /** How many reports were of a kind this version does not know. */
  public long reportsStrange() {
    return tables.sources.reportsStrange();
  }

  public long reportsLost() {
    return tables.sources.reportsLost();
  }

  /** The number of the next incident, decision and action: names count up for ever. */
  public long incidentCount() {
    return tables.incidents.count();
  }

  public long decisionCount() {
    return tables.decisions.count();
  }

  public long actionCount() {
    return tables.decisions.actionCount();
  }

  /** When the last entry was decided. */
  public Instant time() {
    return tables.time;
  }
}
