package dev.holdfast.control.api;

import dev.holdfast.control.entry.Ground;
import dev.holdfast.control.entry.Service;
import dev.holdfast.control.state.ActionView;
import dev.holdfast.control.state.ClusterState;
import dev.holdfast.control.state.DecisionView;
import dev.holdfast.control.state.FindingView;
import dev.holdfast.control.state.IncidentView;
import dev.holdfast.control.state.NodeView;
import dev.holdfast.control.state.Trust;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.MetricsText;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What is known of the cluster, in Prometheus's form; every series is bounded by kinds, not by
 * names.
 */
final class ClusterMetrics {
  private static final double DAY_SECONDS = 86_400;

  private final ClusterState state;
  private final MetricsText text;

  ClusterMetrics(ClusterState state, MetricsText text) {
    this.state = state;
    this.text = text;
  }

  void write(Instant now) {
    nodes();
    findings();
    incidents();
    decisions();
    actions();
    jobs(now);
    trust(now);
    flag("holdfast_paused", "1 while a person has paused all acting.", state.paused().isPresent());
    flag(
        "holdfast_guard_tripped",
        "1 while the guard keeps nodes from being taken out.",
        state.tripped().isPresent());
    text.one(
        "holdfast_reports_lost_total",
        "counter",
        "Reports that sources could not keep until they were sent.",
        state.reportsLost());
    text.one(
        "holdfast_reports_strange_total",
        "counter",
        "Reports of a kind that this version does not know.",
        state.reportsStrange());
    Map<String, Long> refused = new LinkedHashMap<>();
    for (Ground ground : Ground.values()) {
      refused.put(ground.word(), 0L);
    }
    state.refused().forEach(it -> refused.put(it.ground().word(), it.count()));
    text.each(
        "holdfast_reports_refused_total",
        "counter",
        "Statements that were acknowledged and not taken in, by reason.",
        "reason",
        refused);
  }

  private void trust(Instant now) {
    Trust trust = state.trust();
    text.one(
        "holdfast_node_seconds_total",
        "counter",
        "For how long nodes were looked after, all added up.",
        state.nodeDays(now) * DAY_SECONDS);
    text.one(
        "holdfast_drains_total",
        "counter",
        "Nodes taken out of service without a person.",
        trust.drains());
    text.one(
        "holdfast_interruptions_total",
        "counter",
        "Jobs interrupted without a person.",
        trust.interruptions());
    Map<String, Long> wrong = new LinkedHashMap<>();
    wrong.put("drain", trust.wrongDrains());
    wrong.put("kill", trust.wrongKills());
    wrong.put("advice", trust.wrongAdvice());
    text.each("holdfast_wrong_total", "counter", "Decisions people called wrong.", "what", wrong);
  }

  private void nodes() {
    Map<String, Integer> services = new LinkedHashMap<>();
    for (Service service : Service.values()) {
      services.put(service.word(), 0);
    }
    int silent = 0;
    int devices = 0;
    for (NodeView node : state.nodes()) {
      services.merge(node.service().word(), 1, Integer::sum);
      silent += node.silentSince().isPresent() ? 1 : 0;
      devices += node.devices();
    }
    text.each("holdfast_nodes", "gauge", "Nodes by where they stand.", "service", services);
    text.one("holdfast_agents_silent", "gauge", "Nodes nothing is heard of.", silent);
    text.one("holdfast_agents_heard", "gauge", "Nodes that report.", state.nodeCount() - silent);
    text.one("holdfast_devices", "gauge", "Devices of all nodes.", devices);
  }

  private void findings() {
    Map<String, Integer> severities = severities();
    for (FindingView finding : state.findings()) {
      if (finding.holds()) {
        severities.merge(finding.finding().severity().word(), 1, Integer::sum);
      }
    }
    text.each(
        "holdfast_findings", "gauge", "Findings that hold, by severity.", "severity", severities);
  }

  private void incidents() {
    Map<String, Integer> severities = severities();
    for (IncidentView incident : state.openIncidents()) {
      Optional<Severity> worst =
          incident.findings().stream()
              .flatMap(it -> state.finding(it).stream())
              .map(it -> it.finding().severity())
              .max(Severity::compareTo);
      severities.merge(worst.orElse(Severity.INFO).word(), 1, Integer::sum);
    }
    text.each(
        "holdfast_incidents_open",
        "gauge",
        "Open incidents by the worst of their findings.",
        "severity",
        severities);
    text.one(
        "holdfast_incidents_total", "counter", "Incidents ever opened.", state.incidentCount());
  }

  private static Map<String, Integer> severities() {
    Map<String, Integer> severities = new LinkedHashMap<>();
    for (Severity severity : Severity.values()) {
      severities.put(severity.word(), 0);
    }
    return severities;
  }

  private record Kept(String rule, String stand) implements Comparable<Kept> {
    @Override
    public int compareTo(Kept other) {
      int rules = rule.compareTo(other.rule);
      return rules != 0 ? rules : stand.compareTo(other.stand);
    }
  }

  private void decisions() {
    Map<Kept, Integer> kept = new TreeMap<>();
    int wrong = 0;
    for (DecisionView decision : state.decisions()) {
      kept.merge(new Kept(rule(decision), decision.stand().word()), 1, Integer::sum);
      wrong += decision.wrong().isEmpty() ? 0 : 1;
    }
    text.metric(
        "holdfast_decisions", "gauge", "Decisions in the journal by rule and where they stand.");
    kept.forEach(
        (key, count) ->
            text.value("holdfast_decisions", count, "rule", key.rule(), "stand", key.stand()));
    text.one("holdfast_decisions_total", "counter", "Decisions ever made.", state.decisionCount());
    text.one(
        "holdfast_decisions_wrong",
        "gauge",
        "Decisions in the journal that a person called wrong.",
        wrong);
  }

  /** Without a rule it is the kind of whoever decided: a person, a launcher. */
  private static String rule(DecisionView decision) {
    String rule = decision.made().rule();
    return rule.isEmpty() ? decision.made().actor().split("/", 2)[0] : rule;
  }

  private void actions() {
    Map<String, Integer> open = new TreeMap<>();
    for (ActionView action : state.openActions()) {
      open.merge(action.request().kind().word(), 1, Integer::sum);
    }
    text.each(
        "holdfast_actions_open", "gauge", "Actions without an answer yet, by kind.", "kind", open);
    text.one("holdfast_actions_total", "counter", "Actions ever asked for.", state.actionCount());
  }

  private void jobs(Instant now) {
    Map<String, Integer> states = new TreeMap<>();
    state.jobs().forEach(it -> states.merge(it.job().state().word(), 1, Integer::sum));
    text.each("holdfast_jobs", "gauge", "Jobs that launchers told of, by state.", "state", states);
    Fields goodput = Fields.of("goodput", GoodputJson.of(state, now));
    if (goodput.has("goodput")) {
      text.one(
          "holdfast_goodput_ratio",
          "gauge",
          "Share of the time of running jobs that was not lost, weighted by their processes.",
          goodput.decimal("goodput", 0));
    }
    text.metric(
        "holdfast_job_lost_process_seconds",
        "gauge",
        "Time running jobs have lost, times their processes, by phase and cause.");
    for (Fields loss : goodput.objects("losses")) {
      text.value(
          "holdfast_job_lost_process_seconds",
          loss.decimal("processSeconds", 0),
          "phase",
          loss.text("phase"),
          "cause",
          loss.text("cause"));
    }
  }

  private void flag(String name, String help, boolean set) {
    text.one(name, "gauge", help, set ? 1 : 0);
  }
}
