package dev.holdfast.cli.operator;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Style;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Nodes: where each stands in service, and why. */
public final class NodeKind implements Kind {
  private static final int CLEARED_SHOWN = 5;
  private static final int DECISIONS_SHOWN = 5;

  @Override
  public String plural() {
    return "nodes";
  }

  @Override
  public Collection<String> nodes(Fields item) {
    return List.of(item.text("node"));
  }

  @Override
  public boolean shown(Fields item) {
    return !item.text("service").equals("in") || item.has("silentSince") || item.has("severity");
  }

  @Override
  public Comparator<Fields> order() {
    return Comparator.comparing((Fields it) -> !it.has("silentSince"))
        .thenComparing(Worst.bySeverity())
        .thenComparing(Worst.byService())
        .thenComparing(Worst.natural("node"));
  }

  @Override
  public String table(List<Fields> items, List<Fields> all, View view) {
    String summary = summary(all, view.style());
    if (items.isEmpty()) {
      return summary;
    }
    Rows rows = new Rows("NODE", "SERVICE", "FOR", "WORST", "INCIDENT", "JOB", "WHY");
    for (Fields node : items) {
      rows.add(
          node.text("node"),
          node.text("service"),
          Ages.age(node, "since", view.now()),
          node.text("severity", ""),
          node.text("incident", ""),
          node.text("job", ""),
          why(node, view));
    }
    return summary + rows.text(view.style(), view.width());
  }

  private static String why(Fields node, View view) {
    return node.has("silentSince")
        ? "silent for " + Ages.age(node, "silentSince", view.now())
        : node.text("why", "");
  }

  private static String summary(List<Fields> all, Style style) {
    if (all.isEmpty()) {
      return "no nodes have reported yet\n";
    }
    Map<String, Integer> services = new TreeMap<>(Comparator.reverseOrder());
    long silent = 0;
    for (Fields node : all) {
      services.merge(node.text("service"), 1, Integer::sum);
      silent += node.has("silentSince") ? 1 : 0;
    }
    List<String> parts = new ArrayList<>();
    Map<String, Integer> ordered = new LinkedHashMap<>();
    List.of("in", "suspect", "draining", "drained", "verifying", "out")
        .forEach(it -> ordered.put(it, services.getOrDefault(it, 0)));
    ordered.forEach(
        (service, count) -> {
          if (count > 0) {
            parts.add(count + " " + (service.equals("in") ? "in service" : service));
          }
        });
    if (silent > 0) {
      parts.add(silent + " silent");
    }
    return style.bold(all.size() + (all.size() == 1 ? " node" : " nodes"))
        + ": "
        + String.join(", ", parts)
        + "\n";
  }

  @Override
  public String page(Fields node, View view) {
    Page page = new Page(view);
    page.title(
        node.text("node"),
        Worst.coloured(node.text("service"), view.style())
            + (node.text("service").equals("in") ? " service for " : " for ")
            + Ages.age(node, "since", view.now()));
    page.fact(
        "silent",
        node.has("silentSince") ? "for " + Ages.age(node, "silentSince", view.now()) : "");
    page.fact("why", node.text("why", ""));
    page.fact("by", node.text("actor", ""));
    page.fact("incident", node.text("incident", ""));
    page.fact("job", node.text("job", ""));
    page.fact("claimed", claimed(node.texts("claimed")));
    if (node.has("refusals")) {
      Fields refusals = node.object("refusals");
      page.fact(
          "refused",
          "%,d of its statements, %s ago: %s"
              .formatted(
                  node.number("refused", 0),
                  Ages.age(refusals, "last", view.now()),
                  refusals.text("why", "")));
    }
    page.fact("place", words(node.textMap("place")));
    if (node.has("description")) {
      Fields description = node.object("description");
      page.fact("agent", description.text("agent", ""));
      page.fact("versions", words(description.textMap("versions")));
      page.fact("devices", devices(description.objects("devices")));
    }
    List<Fields> holding = new ArrayList<>();
    List<Fields> over = new ArrayList<>();
    node.objects("findingList").forEach(it -> (it.flag("holds") ? holding : over).add(it));
    holding.sort(Worst.bySeverity());
    over.sort(Worst.newest("last"));
    page.heading("Findings that hold", holding.size());
    holding.forEach(it -> page.finding(it, true));
    page.heading("Events and cleared findings", over.size());
    over.stream().limit(CLEARED_SHOWN).forEach(it -> page.finding(it, false));
    page.more(over.size() - CLEARED_SHOWN, "holdfast findings --all -w " + node.text("node"));
    List<Fields> decisions = new ArrayList<>(node.objects("decisions"));
    decisions.sort(Worst.newest("at"));
    page.heading("Decisions", decisions.size());
    decisions.stream().limit(DECISIONS_SHOWN).forEach(page::decision);
    page.more(
        decisions.size() - DECISIONS_SHOWN, "holdfast decisions --all -w " + node.text("node"));
    page.remarks(node.objects("remarks"));
    return page.text();
  }

  /** Jobs that others say are here, which it does not say itself. */
  private static String claimed(List<String> claims) {
    return claims.isEmpty()
        ? ""
        : String.join(", ", claims) + " (said by that node only, and counts for nothing)";
  }

  private static String words(Map<String, String> named) {
    return String.join(
        ", ", named.entrySet().stream().map(it -> it.getKey() + " " + it.getValue()).toList());
  }

  private static String devices(List<Fields> devices) {
    Map<String, Integer> counts = new LinkedHashMap<>();
    devices.forEach(
        it ->
            counts.merge(
                (it.text("kind") + " " + it.text("product", "")).strip(), 1, Integer::sum));
    return String.join(
        ", ", counts.entrySet().stream().map(it -> it.getValue() + " × " + it.getKey()).toList());
  }
}
