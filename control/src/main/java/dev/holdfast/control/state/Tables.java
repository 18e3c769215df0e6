package dev.holdfast.control.state;

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
import dev.holdfast.control.state.ClusterState.Stop;
import dev.holdfast.core.cluster.JobMembers;
import dev.holdfast.core.health.Severity;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a {@link ClusterState} is made of, and what each entry changes in it. One thread writes, any
 * may read.
 */
final class Tables {
  private static final String NODE = "node/";

  final NodeTable nodes = new NodeTable();
  final FindingTable findings = new FindingTable();
  final IncidentTable incidents = new IncidentTable();
  final DecisionTable decisions = new DecisionTable();
  final JobTable jobs = new JobTable();
  final PresenceTable presences = new PresenceTable();
  final SourceTable sources = new SourceTable();
  final StrikeTable strikes = new StrikeTable();
  final SpareTable spares = new SpareTable();
  final HistoryTable histories = new HistoryTable();
  volatile Trust trust = Trust.NEW;
  volatile Optional<Stop> pause = Optional.empty();
  volatile Optional<Stop> trip = Optional.empty();
  volatile Optional<String> policy = Optional.empty();
  volatile Instant time = Instant.EPOCH;

  /** Takes one change in. */
  void apply(Entry entry, Instant at) {
    time = at;
    switch (entry) {
      case SourceEntry of -> {
        sources.apply(of, at);
        if (of instanceof SourceEntry.Trimmed trimmed) {
          Keeping.trim(trimmed, this);
        }
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
      case JobEntry.Told told -> {
        moved(jobs.told(told, at));
        if (told.job().state().over()) {
          presences.over(told.job());
        }
      }
      case JobEntry.Here here -> {
        presences.apply(here, at);
        lookForSpares(here.node());
      }
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
      case KeptEntry.Thing thing -> Keeping.restore(thing, this);
      case KeptEntry.Forgotten forgotten -> Keeping.forget(forgotten.before(), this);
    }
  }

  private void hear(String node, Instant at) {
    if (nodes.get(node).isEmpty()) {
      nodes.heard(node, at);
      lookForSpares(node);
    }
  }

  /** A job was on these nodes, and is on those. */
  void moved(List<JobMembers> places) {
    places.forEach(it -> it.among(nodes.names()).forEach(this::lookForSpares));
  }

  void lookForSpares(String node) {
    nodes.get(node).ifPresent(it -> spares.look(it, used(node)));
  }

  /** Whether a job is there, as far as that does not change with time alone. */
  boolean used(String node) {
    Membership membership = new Membership(this);
    return jobs.on(node).stream()
        .anyMatch(it -> membership.sure(it, node) || membership.perhaps(it, node));
  }

  /** The jobs on a node: first those of which it is sure. */
  List<JobView> jobsOn(String node) {
    Membership membership = new Membership(this);
    List<JobView> all = jobs.on(node);
    return Stream.concat(
            all.stream().filter(it -> membership.sure(it, node)),
            all.stream()
                .filter(it -> !membership.sure(it, node))
                .filter(it -> membership.believed(it, node, time)))
        .toList();
  }

  /** What is only claimed of a node, by one that is heard. */
  List<JobView> claimedOn(String node) {
    Membership membership = new Membership(this);
    List<JobView> counted = jobsOn(node);
    return jobs.on(node).stream()
        .filter(it -> membership.heard(it) && !counted.contains(it))
        .toList();
  }

  private void moving(NodeEntry.Moved moved, Instant at) {
    Service from = nodes.get(moved.node()).map(NodeView::service).orElse(Service.IN);
    histories.moved(from, moved, at);
    if (from.takesJobs() && !moved.to().takesJobs()) {
      strikes.add(moved.node(), moved.incident(), at);
      if (moved.actor().equals(ClusterState.SELF)) {
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
}
