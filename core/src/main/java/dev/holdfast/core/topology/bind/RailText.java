package dev.holdfast.core.topology.bind;

import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Style;
import dev.holdfast.core.text.Wrap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What the rail policy has to say beside the table: scores, problems, adapters left out. */
public final class RailText {
  private static final int INDENT = 10;

  private RailText() {}

  /**
   * The lines below the table of ranks.
   *
   * @param before what the binding is that the plan is compared with, in a few words
   */
  public static String lines(RailPlan plan, String before, Style style, int width) {
    StringBuilder out = new StringBuilder();
    score(out, plan, before, style);
    for (String problem : plan.problems()) {
      line(out, "present", problem, width);
    }
    plan.ncclIbHca().ifPresent(list -> line(out, "NCCL", "NCCL_IB_HCA=" + list, width));
    plan.nics().stream()
        .filter(nic -> !nic.usable())
        .collect(
            Collectors.groupingBy(RailNic::why, java.util.LinkedHashMap::new, Collectors.toList()))
        .forEach((why, nics) -> line(out, "not used", names(nics) + ": " + why, width));
    return out.toString();
  }

  /** Points before and after, mark by mark, then the whole. */
  private static void score(StringBuilder out, RailPlan plan, String before, Style style) {
    Map<String, Integer> old =
        plan.before().marks().stream()
            .collect(Collectors.toMap(Score.Mark::name, Score.Mark::points));
    int wide = plan.after().marks().stream().mapToInt(mark -> mark.name().length()).max().orElse(0);
    out.append("score     of 100, ").append(before).append(" → as above\n");
    String form = " ".repeat(INDENT) + "%-" + wide + "s  %4s → %d\n";
    for (Score.Mark mark : plan.after().marks()) {
      Object points = old.containsKey(mark.name()) ? old.get(mark.name()) : "?";
      out.append(form.formatted(mark.name(), points, mark.points()));
    }
    String all = form.formatted("in all", plan.before().points(), plan.after().points());
    out.append(style.bold(all.stripTrailing())).append('\n');
  }

  private static String names(List<RailNic> nics) {
    return nics.stream().map(RailNic::name).collect(Collectors.joining(", "));
  }

  private static void line(StringBuilder out, String head, String text, int width) {
    out.append(head).append(" ".repeat(INDENT - head.length()));
    out.append(Wrap.hanging(text, INDENT, width)).append('\n');
  }

  static Map<String, @Nullable Object> json(RailPlan plan) {
    return Json.map(
        "score",
        Json.map("before", score(plan.before()), "after", score(plan.after())),
        "problems",
        plan.problems(),
        "ncclIbHca",
        plan.ncclIbHca().orElse(null),
        "adapters",
        plan.nics().stream()
            .map(
                nic ->
                    Json.map(
                        "name",
                        nic.name(),
                        "pci",
                        nic.device().pci(),
                        "usable",
                        nic.usable(),
                        "why",
                        nic.why().isEmpty() ? null : nic.why()))
            .toList());
  }

  private static Map<String, @Nullable Object> score(Score score) {
    Map<String, @Nullable Object> marks = new java.util.LinkedHashMap<>();
    score.marks().forEach(mark -> marks.put(mark.name(), mark.points()));
    return Json.map("points", score.points(), "marks", marks);
  }
}
