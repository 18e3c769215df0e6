package dev.holdfast.doctor.compare;

import dev.holdfast.core.text.Style;
import dev.holdfast.core.text.Wrap;
import dev.holdfast.doctor.compare.Difference.Group;
import java.util.List;

/** The comparison for a person: the verdict, the odd nodes, the facts, what could not be judged. */
public final class CompareTable {
  private static final int MOST_NODES = 20;
  private static final int MOST_FACTS = 6;
  private static final int MOST_NAMES = 8;
  private static final int MOST_DIFFERENCES = 40;

  private final Style style;
  private final int width;
  private final StringBuilder out = new StringBuilder();

  public CompareTable(Style style, int width) {
    this.style = style;
    this.width = Math.max(60, width);
  }

  public String write(Comparison comparison) {
    int nodes = comparison.nodes().size();
    int odd = comparison.odd().size();
    out.append(style.bold(nodes + " nodes, " + comparison.facts() + " facts"))
        .append("  ")
        .append(verdict(comparison, odd))
        .append('\n');
    comparison.odd().stream().limit(MOST_NODES).forEach(this::odd);
    more(odd - MOST_NODES, "odd nodes; --format json names them all");
    if (!comparison.differences().isEmpty()) {
      heading("Facts on which most agree");
      comparison.differences().stream().limit(MOST_DIFFERENCES).forEach(this::difference);
      more(comparison.differences().size() - MOST_DIFFERENCES, "facts");
    }
    if (!comparison.undecided().isEmpty()) {
      heading("No majority, so nobody is odd");
      comparison.undecided().stream().limit(MOST_DIFFERENCES).forEach(this::undecided);
      more(comparison.undecided().size() - MOST_DIFFERENCES, "facts");
    }
    if (!comparison.unreadable().isEmpty()) {
      heading(comparison.unreadable().size() + " left out");
      comparison.unreadable().stream()
          .limit(MOST_NODES)
          .forEach(left -> line("  " + left.code() + " " + left.reason()));
      more(comparison.unreadable().size() - MOST_NODES, "left out");
    }
    return out.toString();
  }

  private String verdict(Comparison comparison, int odd) {
    if (odd > 0) {
      return style.red(odd == 1 ? "one is odd" : odd + " are odd");
    }
    return comparison.undecided().isEmpty()
        ? style.green("all alike")
        : style.yellow("none is odd, but " + comparison.undecided().size() + " facts differ");
  }

  private void odd(OddNode node) {
    out.append('\n')
        .append(style.bold(node.node()))
        .append(style.dim("  score %.1f  %s".formatted(node.score(), node.place())))
        .append('\n');
    for (OddNode.Trait trait : node.traits().stream().limit(MOST_FACTS).toList()) {
      line(
          "  %-9s %s = %s, most have %s%s"
              .formatted(
                  trait.severity().word(),
                  trait.fact(),
                  value(trait.value()),
                  value(trait.majority()),
                  trait.sharedBy() == 1 ? "" : " (" + trait.sharedBy() + " nodes like this)"));
    }
    more(node.traits().size() - MOST_FACTS, "facts");
  }

  private void difference(Difference difference) {
    Group majority = difference.groups().getFirst();
    line(
        "  %-9s %s = %s on %d of %d"
            .formatted(
                difference.severity().word(),
                difference.fact(),
                value(majority.value()),
                majority.nodes().size(),
                difference.nodes()));
    difference.odd().stream().limit(MOST_NAMES).forEach(group -> group(group));
    more(difference.odd().size() - MOST_NAMES, "values");
  }

  private void undecided(Difference difference) {
    line("  %-9s %s".formatted(difference.severity().word(), difference.fact()));
    difference.groups().stream().limit(MOST_NAMES).forEach(group -> group(group));
    more(difference.groups().size() - MOST_NAMES, "values");
  }

  private void group(Group group) {
    List<String> names = group.nodes();
    String shown = String.join(", ", names.subList(0, Math.min(MOST_NAMES, names.size())));
    String rest = names.size() > MOST_NAMES ? " and " + (names.size() - MOST_NAMES) + " more" : "";
    line("            %s on %s%s".formatted(value(group.value()), shown, rest));
  }

  private void heading(String text) {
    out.append('\n').append(style.bold(text)).append('\n');
  }

  private void more(int count, String what) {
    if (count > 0) {
      line("  and " + count + " more " + what);
    }
  }

  private void line(String text) {
    out.append(Wrap.cut(text.replaceAll("\\p{Cntrl}", " "), Math.max(width, 120))).append('\n');
  }

  private static String value(String value) {
    return Wrap.cut(value, 60);
  }
}
