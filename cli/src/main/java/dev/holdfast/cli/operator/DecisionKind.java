package dev.holdfast.cli.operator;

import dev.holdfast.core.text.Fields;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** Decisions: what was chosen, where it stands, what holds it back. */
public final class DecisionKind implements Kind {
  @Override
  public String plural() {
    return "decisions";
  }

  @Override
  public Collection<String> nodes(Fields item) {
    return List.of(Kind.nodeOf(item.text("subject")));
  }

  @Override
  public Comparator<Fields> order() {
    return Worst.byStand().thenComparing(Worst.newest("at"));
  }

  @Override
  public String table(List<Fields> items, List<Fields> all, View view) {
    if (items.isEmpty()) {
      return "no open decisions\n";
    }
    Rows rows = new Rows("ID", "STANDS", "FOR", "WHAT", "SUBJECT", "INCIDENT", "WHY");
    for (Fields decision : items) {
      rows.add(
          decision.text("decision"),
          decision.text("stand"),
          Ages.age(decision, "standSince", view.now()),
          decision.text("rung"),
          Kind.shortly(decision.text("subject")),
          decision.text("incident", ""),
          decision.text("held", decision.text("reason")));
    }
    return rows.text(view.style(), view.width());
  }

  @Override
  public String page(Fields decision, View view) {
    Page page = new Page(view);
    page.decision(decision);
    page.fact("incident", decision.text("incident", ""));
    page.fact("decided by", decision.text("actor"));
    String stand = decision.text("stand");
    String id = decision.text("decision");
    if (stand.equals("asking") || stand.equals("recommended") || stand.equals("held")) {
      page.heading("Waits for you", 1);
      page.line("holdfast approve " + id + " --why \"…\"");
      page.line("holdfast reject " + id + " --why \"…\"");
    }
    return page.text();
  }
}
