package dev.holdfast.cli.operator;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Style;
import dev.holdfast.core.text.Visible;
import dev.holdfast.core.text.Wrap;
import java.util.List;

/** One thing on one page: a title, facts, parts with headings; nothing that is empty is shown. */
final class Page {
  private static final int NAME = 11;

  private final View view;
  private final Style style;
  private final StringBuilder out = new StringBuilder();

  Page(View view) {
    this.view = view;
    this.style = view.style();
  }

  void title(String name, String rest) {
    out.append(style.bold(Visible.line(name))).append("  ");
    out.append(Visible.line(rest)).append('\n');
  }

  void fact(String name, String value) {
    if (!value.isEmpty()) {
      out.append("  ")
          .append(style.dim(name))
          .append(" ".repeat(Math.max(1, NAME - name.length())));
      out.append(Wrap.hanging(value, NAME + 2, view.width())).append('\n');
    }
  }

  void heading(String what, int count) {
    if (count > 0) {
      out.append('\n').append(style.bold(what));
      out.append(count > 1 ? " (" + count + ")" : "").append('\n');
    }
  }

  void line(String text) {
    out.append("  ").append(Wrap.hanging(text, 4, view.width())).append('\n');
  }

  void more(int count, String command) {
    if (count > 0) {
      line(style.dim("and " + count + " more: " + command));
    }
  }

  /** {@code whole}: with its evidence, meaning and remedy. */
  void finding(Fields it, boolean whole) {
    String when = it.flag("holds") ? "for " + age(it, "first") : age(it, "last") + " ago";
    out.append("  ").append(Worst.coloured(it.text("severity"), style)).append("  ");
    out.append(subject(it)).append("  ").append(Visible.line(it.text("check")));
    out.append("  ").append(style.dim(when + times(it))).append('\n');
    deeper(it.text("summary"));
    if (whole) {
      it.objects("evidence").forEach(e -> deeper(e.text("source") + ": " + e.text("value")));
      deeper("→ " + it.text("remedy"));
    }
  }

  private static String subject(Fields it) {
    return Visible.line(Kind.shortly(it.text("subject")));
  }

  private static String times(Fields finding) {
    long times = finding.number("times", 1);
    return times > 1 ? ", " + times + " times" : "";
  }

  /** A decision with its reason, what else was weighed, and what came of it. */
  void decision(Fields it) {
    out.append("  ").append(style.bold(Visible.line(it.text("decision")))).append("  ");
    out.append(Visible.line(it.text("rung"))).append(" ").append(subject(it)).append("  ");
    out.append(Worst.coloured(it.text("stand"), style));
    out.append("  ").append(style.dim(age(it, "at") + " ago")).append('\n');
    decisionFacts(it);
  }

  void decisionFacts(Fields it) {
    deeper("because " + it.text("reason"));
    it.optionalText("rule").ifPresent(rule -> deeper("rule " + rule));
    it.optionalText("held").ifPresent(held -> deeper("held back: " + held));
    it.texts("alternatives").forEach(other -> deeper("instead of " + other));
    it.optionalText("settledWhy")
        .ifPresent(
            why -> deeper(it.text("stand") + " by " + it.text("settledBy", "") + ": " + why));
    it.optionalText("wrong").ifPresent(why -> deeper(style.red("called wrong") + ": " + why));
    for (Fields action : it.objects("actions")) {
      deeper(
          "action %s %s on %s: %s"
              .formatted(
                  action.text("action"),
                  action.text("kind"),
                  action.text("target"),
                  answer(action)));
    }
  }

  private static String answer(Fields action) {
    String answer = action.text("answer", "no answer yet");
    String detail = action.text("detail", "");
    return detail.isEmpty() || detail.equals(answer) ? answer : answer + ", " + detail;
  }

  void remarks(List<Fields> remarks) {
    heading("Notes", remarks.size());
    remarks.forEach(
        it -> line(Ages.hour(it.text("at")) + "  " + it.text("actor") + ": " + it.text("text")));
  }

  private void deeper(String text) {
    out.append("      ").append(Wrap.hanging(text, 8, view.width())).append('\n');
  }

  private String age(Fields fields, String name) {
    return Ages.age(fields, name, view.now());
  }

  String text() {
    return out.toString();
  }
}
