package dev.holdfast.control.state;

import dev.holdfast.control.entry.Batch;
import dev.holdfast.control.entry.Cause;
import dev.holdfast.control.entry.DecisionEntry;
import dev.holdfast.control.entry.Entry;
import dev.holdfast.control.entry.FindingEntry;
import dev.holdfast.control.entry.IncidentEntry;
import dev.holdfast.control.entry.JobEntry;
import dev.holdfast.control.entry.NodeEntry;
import dev.holdfast.control.entry.RuleEntry;
import dev.holdfast.control.entry.Service;
import dev.holdfast.control.entry.SourceEntry;
import dev.holdfast.control.entry.Stand;
import dev.holdfast.core.cluster.NodeDescription;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.policy.Rung;
import dev.holdfast.core.report.Request;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Stream;

/**
 * All that is known of the cluster. {@link #apply} is the only way to change it and belongs to one
 * thread; every value in it is immutable, so anybody may read at any time and sees each of them as
 * it was at some moment.
 */
public final class ClusterState {
  private final ConcurrentMap<String, NodeView> nodes =
      new ConcurrentSkipListMap<>(Subject.NATURAL);
  private final ConcurrentMap<FindingKey, FindingView> findings = new ConcurrentHashMap<>();
  private final ConcurrentMap<String, Set<FindingKey>> findingsOfNode = new ConcurrentHashMap<>();
  private final ConcurrentMap<String, IncidentView> incidents =
      new ConcurrentSkipListMap<>(Subject.NATURAL);
  private final ConcurrentSkipListMap<String, IncidentView> openIncidents =
      new ConcurrentSkipListMap<>(Subject.NATURAL);
  private final ConcurrentMap<Cause, String> openByCause = new ConcurrentHashMap<>();
  private final ConcurrentMap<Cause, Integer> sharing = new ConcurrentHashMap<>();
  private final ConcurrentMap<String, DecisionView> decisions =
      new ConcurrentSkipListMap<>(Subject.NATURAL);
  private final ConcurrentMap<String, ActionView> actions = new ConcurrentHashMap<>();
  private final ConcurrentMap<String, Set<String>> openActions = new ConcurrentHashMap<>();
  private final ConcurrentMap<String, JobView> jobs = new ConcurrentSkipListMap<>(Subject.NATURAL);
  private final ConcurrentMap<String, Cursor> sources = new ConcurrentHashMap<>();
  private final ConcurrentMap<String, List<Remark>> remarks = new ConcurrentHashMap<>();
  private final Set<FindingKey> expiring = ConcurrentHashMap.newKeySet();
  private final Set<String> notInService = new ConcurrentSkipListSet<>(Subject.NATURAL);
  private final ConcurrentLinkedDeque<Instant> takenOut = new ConcurrentLinkedDeque<>();
  private final Set<String> openDecisions = new ConcurrentSkipListSet<>(Subject.NATURAL);
  private final ConcurrentMap<String, List<String>> decisionsOfNode = new ConcurrentHashMap<>();
  private volatile Optional<Stop> pause = Optional.empty();
  private volatile Optional<Stop> trip = Optional.empty();
  private volatile Optional<String> policy = Optional.empty();
  private volatile long reportsLost;
  private volatile long incidentCount;
  private volatile long decisionCount;
  private volatile long actionCount;
  private volatile Instant time = Instant.EPOCH;

  /** As many moments are remembered at which a node was taken out. */
  private static final int TAKEN_OUT = 10_000;

  /** Who stopped all acting, when and why. */
  public record Stop(String actor, String why, Instant since) {}

  /** What a person wrote about a subject. */
  public record Remark(String actor, String text, Instant at) {}

  public void apply(Batch batch) {
    batch.entries().forEach(entry -> apply(entry, batch.at()));
  }

  /** Takes one change in. */
  public void apply(Entry entry, Instant at) {
    time = at;
    switch (entry) {
      case SourceEntry of -> source(of);
      case NodeEntry of -> node(of, at);
      case FindingEntry of -> finding(of, at);
      case IncidentEntry of -> incident(of, at);
      case DecisionEntry of -> decision(of, at);
      case JobEntry of -> job(of, at);
      case RuleEntry of -> rule(of, at);
    }
  }

  private void source(SourceEntry entry) {
    switch (entry) {
      case SourceEntry.Heard heard -> {
        sources.put(heard.source(), new Cursor(heard.epoch(), heard.sequence()));
        if (heard.source().startsWith("node/")) {
          nodes.computeIfAbsent(
              heard.source().substring("node/".length()), name -> NodeView.unknown(name, time));
        }
      }
      case SourceEntry.Lost lost -> reportsLost += lost.count();
    }
  }

  private void node(NodeEntry entry, Instant at) {
    switch (entry) {
      case NodeEntry.Described(var node) -> {
        NodeView before = nodeOrNew(node.node(), at);
        before.description().ifPresent(it -> share(it, -1));
        share(node, 1);
        nodes.put(node.node(), before.described(node));
      }
      case NodeEntry.Silent silent ->
          nodes.put(
              silent.node(),
              nodeOrNew(silent.node(), at)
                  .silent(silent.silent() ? Optional.of(silent.since()) : Optional.empty()));
      case NodeEntry.Moved moved -> move(moved, at);
      case NodeEntry.Noted noted ->
          remarks.merge(
              noted.subject(),
              List.of(new Remark(noted.actor(), noted.text(), at)),
              (old, more) -> {
                List<Remark> all = new ArrayList<>(old);
                all.addAll(more);
                return List.copyOf(all);
              });
    }
  }

  private void move(NodeEntry.Moved moved, Instant at) {
    NodeView before = nodeOrNew(moved.node(), at);
    if (before.service().takesJobs() && !moved.to().takesJobs()) {
      takenOut.add(at);
      if (takenOut.size() > TAKEN_OUT) {
        takenOut.removeFirst();
      }
    }
    if (moved.to() == Service.IN) {
      notInService.remove(moved.node());
    } else {
      notInService.add(moved.node());
    }
    nodes.put(
        moved.node(), before.moved(moved.to(), at, moved.incident(), moved.actor(), moved.why()));
  }

  private void share(NodeDescription node, int one) {
    node.place().forEach((kind, name) -> sharing.merge(new Cause(kind, name), one, Integer::sum));
    node.versions()
        .forEach((kind, name) -> sharing.merge(new Cause(kind, name), one, Integer::sum));
  }

  private NodeView nodeOrNew(String name, Instant at) {
    NodeView known = nodes.get(name);
    return known == null ? NodeView.unknown(name, at) : known;
  }

  private void finding(FindingEntry entry, Instant at) {
    switch (entry) {
      case FindingEntry.Raised raised -> {
        FindingView fresh =
            new FindingView(
                raised.finding(),
                raised.source(),
                at,
                at,
                raised.count(),
                Optional.empty(),
                "",
                raised.external(),
                raised.affects(),
                raised.expires(),
                List.of(new FindingView.Raise(at, raised.count())));
        if (raised.expires().isPresent()) {
          expiring.add(fresh.key());
        }
        FindingKey key = fresh.key();
        findings.merge(key, fresh, FindingView::again);
        String node = key.node();
        if (!node.isEmpty()) {
          findingsOfNode.computeIfAbsent(node, _ -> ConcurrentHashMap.newKeySet()).add(key);
        }
      }
      case FindingEntry.Cleared cleared -> {
        FindingKey key = new FindingKey(cleared.check(), cleared.subject());
        findings.computeIfPresent(key, (_, view) -> view.clearedAt(at));
        expiring.remove(key);
      }
    }
  }

  private void incident(IncidentEntry entry, Instant at) {
    switch (entry) {
      case IncidentEntry.Opened opened -> {
        incidentCount++;
        put(
            new IncidentView(
                opened.incident(),
                opened.cause(),
                opened.title(),
                at,
                Optional.empty(),
                "",
                "",
                List.of(),
                List.of()));
      }
      case IncidentEntry.Joined joined -> {
        FindingKey key = new FindingKey(joined.check(), joined.subject());
        change(joined.incident(), it -> it.joined(key));
        findings.computeIfPresent(key, (_, view) -> view.in(joined.incident()));
        if (!key.node().isEmpty()) {
          nodes.computeIfPresent(key.node(), (_, node) -> node.oneMoreIncident());
        }
      }
      case IncidentEntry.Widened widened -> {
        Set<FindingKey> all = new LinkedHashSet<>();
        incident(widened.incident()).ifPresent(it -> all.addAll(it.findings()));
        for (String other : widened.absorbed()) {
          incident(other).ifPresent(it -> all.addAll(it.findings()));
          change(other, it -> it.partOf(widened.incident()));
        }
        all.forEach(
            key -> findings.computeIfPresent(key, (_, view) -> view.in(widened.incident())));
        change(
            widened.incident(),
            it -> it.widened(widened.cause(), widened.title(), List.copyOf(all)));
      }
      case IncidentEntry.Closed closed ->
          change(closed.incident(), it -> it.closedAt(at, closed.why()));
    }
  }

  private void change(String id, java.util.function.UnaryOperator<IncidentView> how) {
    IncidentView known = incidents.get(id);
    if (known != null) {
      put(how.apply(known));
    }
  }

  private void put(IncidentView incident) {
    IncidentView before = incidents.put(incident.id(), incident);
    if (before != null) {
      openByCause.remove(before.cause(), before.id());
    }
    if (incident.open()) {
      openIncidents.put(incident.id(), incident);
      openByCause.put(incident.cause(), incident.id());
    } else {
      openIncidents.remove(incident.id());
    }
  }

  private void decision(DecisionEntry entry, Instant at) {
    switch (entry) {
      case DecisionEntry.Decided made -> {
        decisionCount++;
        decisions.put(
            made.decision(),
            new DecisionView(made, at, made.stand(), at, made.actor(), "", "", List.of()));
        change(made.incident(), it -> it.decided(made.decision()));
        stands(made.decision(), made.stand());
        String node = FindingKey.nodeOf(Subject.parse(made.subject()));
        if (!node.isEmpty()) {
          decisionsOfNode.merge(
              node,
              List.of(made.decision()),
              (old, more) -> {
                List<String> all = new ArrayList<>(old);
                all.addAll(more);
                return List.copyOf(all);
              });
        }
      }
      case DecisionEntry.Settled settled -> {
        decisions.computeIfPresent(
            settled.decision(),
            (_, it) -> it.settled(settled.stand(), at, settled.actor(), settled.why()));
        stands(settled.decision(), settled.stand());
      }
      case DecisionEntry.Wrong wrong ->
          decisions.computeIfPresent(
              wrong.decision(), (_, it) -> it.calledWrong(wrong.actor() + ": " + wrong.why()));
      case DecisionEntry.Intended intended -> {
        actionCount++;
        String id = intended.request().id();
        actions.put(
            id,
            new ActionView(
                intended.decision(),
                intended.target(),
                intended.request(),
                at,
                Optional.empty(),
                "",
                Optional.empty()));
        openActions.computeIfAbsent(intended.target(), _ -> ConcurrentHashMap.newKeySet()).add(id);
        decisions.computeIfPresent(intended.decision(), (_, it) -> it.with(id));
      }
      case DecisionEntry.Ended ended -> {
        ActionView known = actions.get(ended.action());
        if (known != null) {
          actions.put(ended.action(), known.answered(ended.answer(), ended.detail(), at));
          openActions.getOrDefault(known.target(), Set.of()).remove(ended.action());
        }
      }
    }
  }

  private void stands(String decision, Stand stand) {
    if (stand.over()) {
      openDecisions.remove(decision);
    } else {
      openDecisions.add(decision);
    }
  }

  private void job(JobEntry entry, Instant at) {
    switch (entry) {
      case JobEntry.Told told ->
          jobs.put(told.job().job(), new JobView(told.job(), told.source(), at));
      case JobEntry.Decided decided ->
          decisions.put(
              decided.job() + "-" + decided.attempt(),
              new DecisionView(
                  new DecisionEntry.Decided(
                      decided.job() + "-" + decided.attempt(),
                      "",
                      "",
                      Rung.NOTE,
                      "job/" + decided.job(),
                      Stand.DONE,
                      decided.choice() + ": " + decided.why(),
                      "",
                      List.of(),
                      "run/" + decided.job()),
                  at,
                  Stand.DONE,
                  at,
                  "run/" + decided.job(),
                  "",
                  "",
                  List.of()));
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

  // What is known; any thread may ask.

  public Optional<NodeView> node(String name) {
    return Optional.ofNullable(nodes.get(name));
  }

  public Collection<NodeView> nodes() {
    return nodes.values();
  }

  public int nodeCount() {
    return nodes.size();
  }

  public Optional<FindingView> finding(FindingKey key) {
    return Optional.ofNullable(findings.get(key));
  }

  public Collection<FindingView> findings() {
    return findings.values();
  }

  public List<FindingView> findingsOf(String node) {
    return findingsOfNode.getOrDefault(node, Set.of()).stream()
        .flatMap(key -> finding(key).stream())
        .toList();
  }

  public Optional<IncidentView> incident(String id) {
    return Optional.ofNullable(incidents.get(id));
  }

  public Collection<IncidentView> incidents() {
    return incidents.values();
  }

  public Collection<IncidentView> openIncidents() {
    return openIncidents.values();
  }

  public Collection<IncidentView> newestOpenIncidents() {
    return openIncidents.descendingMap().values();
  }

  /** The open incident of a cause. */
  public Optional<String> incidentOf(Cause cause) {
    return Optional.ofNullable(openByCause.get(cause));
  }

  /** How many nodes share that. */
  public int sharing(Cause cause) {
    return sharing.getOrDefault(cause, 0);
  }

  public Optional<DecisionView> decision(String id) {
    return Optional.ofNullable(decisions.get(id));
  }

  public Collection<DecisionView> decisions() {
    return decisions.values();
  }

  public Optional<ActionView> action(String id) {
    return Optional.ofNullable(actions.get(id));
  }

  /** All decisions about a node or a part of it, the oldest first. */
  public List<DecisionView> decisionsAbout(String node) {
    return decisionsOfNode.getOrDefault(node, List.of()).stream()
        .flatMap(id -> decision(id).stream())
        .toList();
  }

  public List<DecisionView> openDecisions() {
    return openDecisions.stream().flatMap(id -> decision(id).stream()).toList();
  }

  /** Outside faults that are over some day by themselves. */
  public List<FindingView> expiring() {
    return expiring.stream().flatMap(key -> finding(key).stream()).toList();
  }

  /** Nodes on their way out or back, those only watched too. */
  public List<NodeView> notInService() {
    return notInService.stream().flatMap(name -> node(name).stream()).toList();
  }

  /** How many nodes take no jobs by our doing. */
  public int outOfService() {
    return (int) ourDoing().count();
  }

  public int outOfService(String kind, String place) {
    return (int) ourDoing().filter(it -> it.place(kind).equals(place)).count();
  }

  private Stream<NodeView> ourDoing() {
    return notInService.stream()
        .flatMap(name -> node(name).stream())
        .filter(it -> !it.service().takesJobs() && it.actor().equals("holdfast"));
  }

  public int takenOutSince(Instant since) {
    return (int) takenOut.stream().filter(it -> !it.isBefore(since)).count();
  }

  /** Whether the checks that failed were run again already for that incident. */
  public boolean verified(String node, String incident) {
    return decisionsAbout(node).stream()
        .filter(it -> it.made().incident().equals(incident))
        .flatMap(it -> it.actions().stream())
        .flatMap(id -> action(id).stream())
        .anyMatch(it -> it.request().kind() == Request.Kind.VERIFY);
  }

  public List<ActionView> openActions() {
    return openActions.values().stream()
        .flatMap(Set::stream)
        .flatMap(id -> action(id).stream())
        .toList();
  }

  /** What is asked of a source and not answered yet. */
  public List<ActionView> openActions(String source) {
    return openActions.getOrDefault(source, Set.of()).stream()
        .flatMap(id -> action(id).stream())
        .toList();
  }

  public Optional<JobView> job(String id) {
    return Optional.ofNullable(jobs.get(id));
  }

  public Collection<JobView> jobs() {
    return jobs.values();
  }

  /** The job that runs on a node, if one does. */
  public Optional<JobView> jobOn(String node) {
    return jobs.values().stream()
        .filter(it -> !it.job().state().over() && it.job().uses(node))
        .findFirst();
  }

  public Cursor cursor(String source) {
    return sources.getOrDefault(source, Cursor.NOTHING);
  }

  public Map<String, List<Remark>> remarks() {
    return java.util.Collections.unmodifiableMap(remarks);
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

  public long reportsLost() {
    return reportsLost;
  }

  /** The number of the next incident, decision and action: names count up for ever. */
  public long incidentCount() {
    return incidentCount;
  }

  public long decisionCount() {
    return decisionCount;
  }

  public long actionCount() {
    return actionCount;
  }

  /** When the last entry was decided. */
  public Instant time() {
    return time;
  }
}
