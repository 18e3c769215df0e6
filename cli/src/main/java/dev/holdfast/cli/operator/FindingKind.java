package dev.holdfast.cli.operator;

import dev.holdfast.core.text.Fields;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** Findings: what agents and others have seen. */
public final class FindingKind implements Kind {
  @Override
  public String plural() {
    return "findings";
  }

  @Override
  public Collection<String> nodes(Fields item) {
    return List.of(Kind.nodeOf(item.text("subject")));
  }

  @Override
  public Comparator<Fields> order() {
    return Comparator.comparing((Fields it) -> !it.flag("holds"))
        .thenComparing(Worst.bySeverity())
        .thenComparing(Worst.newest("last"));
  }

  @Override
  public String table(List<Fields> items, List<Fields> all, View view) {
    if (items.isEmpty()) {
      return "no findings hold\n";
    }
    Rows rows = new Rows("SUBJECT", "SEVERITY", "CHECK", "LAST", "INCIDENT", "WHAT");
    for (Fields finding : items) {
      rows.add(
          Kind.shortly(finding.text("subject")),
          finding.text("severity"),
          finding.text("check"),
          Ages.age(finding, "last", view.now()),
          finding.text("incident", ""),
          (finding.has("cleared") ? "(cleared) " : "") + finding.text("summary"));
    }
    return rows.text(view.style(), view.width());
  }

  @Override
  public String page(Fields item, View view) {
    Page page = new Page(view);
    page.finding(item, true);
    return page.text();
  }
}
