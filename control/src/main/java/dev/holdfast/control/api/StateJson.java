package dev.holdfast.control.api;

import dev.holdfast.control.state.ActionView;
import dev.holdfast.control.state.ClusterState;
import dev.holdfast.control.state.DecisionView;
import dev.holdfast.control.state.FindingView;
import dev.holdfast.control.state.IncidentView;
import dev.holdfast.control.state.JobView;
import dev.holdfast.control.state.NodeView;
import dev.holdfast.control.state.Refusals;
import dev.holdfast.control.state.Scheduling;
import dev.holdfast.core.health.FindingForm;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Times;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** What is known, as JSON: the same forms in answers, in events and in evidence. */
public final class StateJson {
  private static final int MOST_NODES = 10_000;

  /** Of the parts of one thing so many are shown with it. */
  private static final int MOST_CLAIMED = 10;

  private static final int MOST_PARTS = 200;

  private StateJson() {}

  /** A line of the list of nodes. */
  public static Map<String, @Nullable Object> node(ClusterState state, NodeView node) {
    int holding = 0;
    Optional<Severity> worst = Optional.empty();
    for (FindingView finding : state.findingsOf(node.name())) {
      Severity severity = finding.finding().severity();
      if (finding.holds()) {
        holding++;
        worst = worst.filter(it -> it.atLeast(severity)).or(() -> Optional.of(severity));
      }
    }
    return Json.map(
        "node",
        node.name(),
        "service",
        node.service().word(),
        "since",
        Times.show(node.serviceSince()),
        "why",
        some(node.why()),
        "actor",
        node.why().isEmpty() ? null : node.actor(),
        "incident",
        some(node.incident()),
        "silentSince",
        node.silentSince().map(Times::show).orElse(null),
        "severity",
        worst.map(Severity::word).orElse(null),
        "findings",
        holding,
        "incidents",
        node.incidents(),
        "refused",
        state.refusals("node/" + node.name()).map(Refusals::count).orElse(null),
        "job",
        state.jobOn(node.name()).map(it -> it.job().job()).orElse(null),
        "claimed",
        claimed(state.claimedOn(node.name())),
        "devices",
        node.devices(),
        "scheduler",
        node.scheduling().map(StateJson::scheduling).orElse(null),
        "place",
        node.description().map(it -> it.place()).orElse(null));
  }

  /** Jobs that another node says are here, and nobody else. */
  private static @Nullable List<String> claimed(List<JobView> jobs) {
    return jobs.isEmpty()
        ? null
        : jobs.stream().limit(MOST_CLAIMED).map(it -> it.source() + " " + it.id()).toList();
  }

  private static Map<String, @Nullable Object> scheduling(Scheduling scheduling) {
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    tree.put("name", scheduling.scheduler());
    tree.putAll(scheduling.node().json());
    tree.remove("node");
    return tree;
  }

  /** A node with all its parts. */
  public static Map<String, @Nullable Object> nodeWhole(ClusterState state, NodeView node) {
    Map<String, @Nullable Object> tree = new LinkedHashMap<>(node(state, node));
    tree.put("description", node.description().map(it -> it.json()).orElse(null));
    findings(tree, state.findingsOf(node.name()));
    decisions(tree, state, state.decisionsAbout(node.name()));
    tree.put("remarks", remarks(state, "node/" + node.name()));
    state.refusals("node/" + node.name()).ifPresent(it -> tree.put("refusals", refusals(it)));
    return tree;
  }

  /** What holds, then what was found last; the rest is asked for in pages. */
  private static void findings(Map<String, @Nullable Object> tree, Collection<FindingView> all) {
    Comparator<FindingView> order =
        Comparator.comparing((FindingView it) -> !it.holds())
            .thenComparing(FindingView::last, Comparator.reverseOrder());
    PriorityQueue<FindingView> first = new PriorityQueue<>(order.reversed());
    for (FindingView one : all) {
      first.add(one);
      if (first.size() > MOST_PARTS) {
        first.remove();
      }
    }
    tree.put("findingList", first.stream().sorted(order).map(StateJson::finding).toList());
    leftOut(tree, "findingsLeftOut", all.size() - first.size());
  }

  /** The newest. */
  private static void decisions(
      Map<String, @Nullable Object> tree, ClusterState state, List<DecisionView> all) {
    int over = Math.max(0, all.size() - MOST_PARTS);
    tree.put(
        "decisions",
        all.subList(over, all.size()).stream().map(it -> decision(state, it)).toList());
    leftOut(tree, "decisionsLeftOut", over);
  }

  private static void leftOut(Map<String, @Nullable Object> tree, String name, int count) {
    if (count > 0) {
      tree.put(name, count);
    }
  }

  private static List<Map<String, @Nullable Object>> remarks(ClusterState state, String subject) {
    return state.remarks().getOrDefault(subject, List.of()).stream()
        .map(it -> Json.map("actor", it.actor(), "text", it.text(), "at", Times.show(it.at())))
        .toList();
  }

  /** What a source said and was not taken in. */
  private static Map<String, @Nullable Object> refusals(Refusals refusals) {
    Map<String, @Nullable Object> counts = new LinkedHashMap<>();
    refusals.counts().forEach(it -> counts.put(it.ground().word(), it.count()));
    return Json.map(
        "counts",
        counts,
        "reason",
        refusals.ground().word(),
        "why",
        refusals.why(),
        "last",
        Times.show(refusals.last()));
  }

  public static Map<String, @Nullable Object> finding(FindingView view) {
    Map<String, @Nullable Object> tree = new LinkedHashMap<>(FindingForm.json(view.finding()));
    tree.putAll(
        Json.map(
            "source",
            view.source(),
            "first",
            Times.show(view.first()),
            "last",
            Times.show(view.last()),
            "times",
            view.times(),
            "holds",
            view.holds(),
            "cleared",
            view.cleared().map(Times::show).orElse(null),
            "incident",
            some(view.incident()),
            "external",
            some(view.external()),
            "expires",
            view.expires().map(Times::show).orElse(null)));
    return tree;
  }

  /** A line of the list of incidents. */
  public static Map<String, @Nullable Object> incident(ClusterState state, IncidentView view) {
    List<FindingView> findings =
        view.findings().stream().flatMap(key -> state.finding(key).stream()).toList();
    List<String> nodes =
        view.findings().stream()
            .map(it -> it.node())
            .filter(it -> !it.isEmpty())
            .distinct()
            .toList();
    return Json.map(
        "incident",
        view.id(),
        "title",
        view.title(),
        "cause",
        Json.map("kind", view.cause().kind(), "name", view.cause().name()),
        "opened",
        Times.show(view.opened()),
        "closed",
        view.closed().map(Times::show).orElse(null),
        "closedWhy",
        some(view.closedWhy()),
        "into",
        some(view.into()),
        "severity",
        findings.stream()
            .map(it -> it.finding().severity())
            .max(Severity::compareTo)
            .map(Severity::word)
            .orElse(null),
        "nodes",
        nodes.subList(0, Math.min(MOST_NODES, nodes.size())),
        "nodesLeftOut",
        nodes.size() > MOST_NODES ? nodes.size() - MOST_NODES : null,
        "findings",
        view.findings().size(),
        "jobs",
        view.jobs(),
        "decision",
        view.decisions().isEmpty()
            ? null
            : state
                .decision(view.decisions().getLast())
                .map(it -> decision(state, it))
                .orElse(null));
  }

  public static Map<String, @Nullable Object> incidentWhole(ClusterState state, IncidentView view) {
    Map<String, @Nullable Object> tree = new LinkedHashMap<>(incident(state, view));
    findings(tree, view.findings().stream().flatMap(key -> state.finding(key).stream()).toList());
    decisions(
        tree, state, view.decisions().stream().flatMap(it -> state.decision(it).stream()).toList());
    tree.put("remarks", remarks(state, "incident/" + view.id()));
    return tree;
  }

  public static Map<String, @Nullable Object> decision(ClusterState state, DecisionView view) {
    return Json.map(
        "decision",
        view.id(),
        "at",
        Times.show(view.at()),
        "incident",
        some(view.made().incident()),
        "rule",
        some(view.made().rule()),
        "rung",
        view.made().rung().word(),
        "subject",
        view.made().subject(),
        "stand",
        view.stand().word(),
        "standSince",
        Times.show(view.standSince()),
        "reason",
        view.made().reason(),
        "held",
        some(view.made().held()),
        "alternatives",
        view.made().alternatives(),
        "actor",
        view.made().actor(),
        "settledBy",
        view.settledWhy().isEmpty() ? null : view.settledBy(),
        "settledWhy",
        some(view.settledWhy()),
        "wrong",
        some(view.wrong()),
        "actions",
        view.actions().stream()
            .flatMap(it -> state.action(it).stream())
            .map(StateJson::action)
            .toList());
  }

  private static Map<String, @Nullable Object> action(ActionView view) {
    return Json.map(
        "action",
        view.request().id(),
        "kind",
        view.request().kind().word(),
        "target",
        view.target(),
        "at",
        Times.show(view.at()),
        "answer",
        view.answer().map(it -> it.word()).orElse(null),
        "detail",
        some(view.detail()),
        "ended",
        view.ended().map(Times::show).orElse(null));
  }

  public static Map<String, @Nullable Object> job(JobView view) {
    Map<String, @Nullable Object> tree = new LinkedHashMap<>(view.job().json());
    tree.put("nodes", view.job().members().size());
    tree.put("told", Times.show(view.told()));
    tree.put("source", view.source());
    return tree;
  }

  /** The page's first look: numbers, nothing long. */
  public static Map<String, @Nullable Object> overview(ClusterState state, Instant now) {
    Map<String, Integer> services = new LinkedHashMap<>();
    int devices = 0;
    int silent = 0;
    for (NodeView node : state.nodes()) {
      services.merge(node.service().word(), 1, Integer::sum);
      devices += node.devices();
      silent += node.silentSince().isPresent() ? 1 : 0;
    }
    long running = state.jobs().stream().filter(it -> !it.job().state().over()).count();
    return Json.map(
        "time",
        Times.show(now),
        "nodes",
        state.nodeCount(),
        "devices",
        devices,
        "services",
        services,
        "silent",
        silent,
        "openIncidents",
        state.openIncidents().size(),
        "openDecisions",
        state.openDecisions().size(),
        "jobs",
        running,
        "paused",
        state.paused().map(StateJson::stop).orElse(null),
        "tripped",
        state.tripped().map(StateJson::stop).orElse(null),
        "reportsLost",
        state.reportsLost(),
        "reportsRefused",
        state.refused().stream().mapToLong(Refusals.OfGround::count).sum(),
        "unknownSubjects",
        state.expiring().stream().filter(it -> !state.knows(it.finding().subject())).count());
  }

  private static Map<String, @Nullable Object> stop(ClusterState.Stop stop) {
    return Json.map("actor", stop.actor(), "why", stop.why(), "since", Times.show(stop.since()));
  }

  private static @Nullable Object some(String text) {
    return text.isEmpty() ? null : text;
  }
}
