package dev.holdfast.cli.command;

import dev.holdfast.bench.score.Score;
import dev.holdfast.cli.console.Console;
import dev.holdfast.core.text.Columns;
import dev.holdfast.core.text.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Shows how often an answer is right, by fault.
 *
 * @param classes whether it was judged if the class that was answered fits, too
 */
record ScoreTable(Score score, boolean classes) {
  private static final int CLASS_COLUMN = 4;

  String text(Console console) {
    List<String> titles =
        List.of("fault", "cases", "can be told", "exact", "class fits", "innocent", "right");
    Columns table = new Columns(Set.of(1, 2, 3, 4, 5, 6), shown(titles).toArray(String[]::new));
    for (Score.Row row : score.rows()) {
      table.add(
          shown(
              List.of(
                  row.fault(),
                  String.valueOf(row.cases()),
                  String.valueOf(row.decidable()),
                  percent(row.exact(), row.decidable()),
                  percent(row.classed(), row.decidable()),
                  percent(row.innocent(), row.cases()),
                  percent(row.right(), row.cases()))));
    }
    StringBuilder text = new StringBuilder(table.text(console.style()));
    score.mistakes().forEach(one -> text.append("  not right: ").append(one).append('\n'));
    return text.toString();
  }

  List<Map<String, @Nullable Object>> rows() {
    List<Map<String, @Nullable Object>> rows = new ArrayList<>();
    for (Score.Row row : score.rows()) {
      rows.add(
          Json.map(
              "fault",
              row.fault(),
              "cases",
              row.cases(),
              "decidable",
              row.decidable(),
              "exact",
              row.exact(),
              "classed",
              classes ? row.classed() : null,
              "innocent",
              row.innocent(),
              "right",
              row.right()));
    }
    return rows;
  }

  private List<String> shown(List<String> cells) {
    List<String> shown = new ArrayList<>(cells);
    if (!classes) {
      shown.remove(CLASS_COLUMN);
    }
    return shown;
  }

  private static String percent(int part, int all) {
    return all == 0 ? "" : "%.1f %%".formatted(100.0 * part / all);
  }
}
