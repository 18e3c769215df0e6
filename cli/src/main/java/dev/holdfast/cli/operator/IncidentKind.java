package dev.holdfast.cli.operator;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Hostlist;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** Incidents: what is broken, whom it hurts, what is done about it. */
public final class IncidentKind implements Kind {
  private static final int FINDINGS_SHOWN = 12;

  @Override
  public String plural() {
    return "incidents";
  }

  @Override
  public Collection<String> nodes(Fields item) {
    return item.texts("nodes");
  }

  @Override
  public Comparator<Fields> order() {
    return Comparator.comparing((Fields it) -> it.has("closed") || it.has("into"))
        .thenComparing(Worst.bySeverity())
        .thenComparing(Worst.newest("opened"));
  }

  @Override
  public String table(List<Fields> items, List<Fields> all, View view) {
    if (items.isEmpty()) {
      return "no open incidents\n";
    }
    Rows rows = new Rows("ID", "SEVERITY", "OPEN FOR", "NODES", "DECISION", "JOBS", "WHAT");
    for (Fields incident : items) {
      rows.add(
          incident.text("incident"),
          incident.text("severity", ""),
          incident.has("closed") ? "closed" : Ages.age(incident, "opened", view.now()),
          few(incident.texts("nodes")),
          decided(incident),
          few(incident.texts("jobs")),
          incident.text("title"));
    }
    return rows.text(view.style(), view.width());
  }

  private static String few(List<String> names) {
    return names.size() > 1 ? names.getFirst() + " +" + (names.size() - 1) : String.join("", names);
  }

  private static String decided(Fields incident) {
    if (!incident.has("decision")) {
      return "";
    }
    Fields decision = incident.object("decision");
    return decision.text("decision") + " " + decision.text("stand");
  }

  @Override
  public String page(Fields incident, View view) {
    Page page = new Page(view);
    String severity = incident.text("severity", "");
    page.title(
        incident.text("incident"),
        (severity.isEmpty() ? "" : Worst.coloured(severity, view.style()) + "  ")
            + incident.text("title"));
    Fields cause = incident.object("cause");
    page.fact("cause", cause.text("kind") + " " + cause.text("name"));
    page.fact(
        "opened",
        Ages.hour(incident.text("opened"))
            + " UTC, "
            + Ages.age(incident, "opened", view.now())
            + " ago");
    page.fact(
        "closed",
        incident
            .optionalText("closed")
            .map(it -> Ages.hour(it) + " UTC: " + incident.text("closedWhy", ""))
            .orElse(""));
    page.fact("part of", incident.text("into", ""));
    List<String> nodes = incident.texts("nodes");
    page.fact("nodes", nodes.isEmpty() ? "" : Hostlist.compress(nodes));
    page.fact("jobs", String.join(", ", incident.texts("jobs")));
    List<Fields> findings = new ArrayList<>(incident.objects("findingList"));
    findings.sort(Worst.bySeverity().thenComparing(Worst.newest("last")));
    page.heading("Evidence", findings.size());
    findings.stream().limit(FINDINGS_SHOWN).forEach(it -> page.finding(it, true));
    page.more(findings.size() - FINDINGS_SHOWN, "--format json");
    List<Fields> decisions = incident.objects("decisions");
    page.heading("Decisions", decisions.size());
    decisions.forEach(page::decision);
    List<Timeline.Moment> moments = Timeline.of(incident);
    page.heading("Timeline (UTC)", 1);
    moments.forEach(it -> page.line(Ages.hour(it.at()) + "  " + it.what()));
    page.remarks(incident.objects("remarks"));
    if (!incident.has("closed")) {
      hints(incident, page);
    }
    return page.text();
  }

  /** What can be typed next. */
  private static void hints(Fields incident, Page page) {
    for (Fields decision : incident.objects("decisions")) {
      String stand = decision.text("stand");
      if (stand.equals("asking") || stand.equals("recommended") || stand.equals("held")) {
        String id = decision.text("decision");
        page.heading("Waits for you", 1);
        page.line("holdfast approve " + id + " --why \"…\"");
        page.line("holdfast reject " + id + " --why \"…\"");
        return;
      }
    }
  }
}
