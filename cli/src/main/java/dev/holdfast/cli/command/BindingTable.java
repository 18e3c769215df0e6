package dev.holdfast.cli.command;

import dev.holdfast.core.text.Style;
import dev.holdfast.core.text.Wrap;
import dev.holdfast.core.topology.Device;
import dev.holdfast.core.topology.bind.BindingPlan;
import dev.holdfast.core.topology.bind.RailText;
import dev.holdfast.core.topology.bind.TaskBinding;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A binding for people: a line for each task, then what is worth knowing about it. */
final class BindingTable {
  private BindingTable() {}

  static String of(BindingPlan plan, List<Integer> wanted, Style style, int width) {
    List<List<String>> rows = new ArrayList<>();
    boolean nics = plan.rails().isPresent();
    rows.add(new ArrayList<>(List.of(nics ? "rank" : "task", "CPUs", "threads", "memory", "GPU")));
    if (nics) {
      rows.getFirst().add("NIC");
    }
    for (int number : wanted) {
      rows.add(row(plan.tasks().get(number), nics));
    }
    StringBuilder out = new StringBuilder();
    int[] widths = widths(rows);
    for (int i = 0; i < rows.size(); i++) {
      String line = line(rows.get(i), widths);
      out.append(i == 0 ? style.dim(line) : line).append('\n');
    }
    plan.rails()
        .ifPresent(
            rails -> out.append('\n').append(RailText.lines(rails, plan.before(), style, width)));
    if (!plan.notes().isEmpty()) {
      out.append('\n');
      plan.notes()
          .forEach(note -> out.append(Wrap.hanging("note: " + note, 6, width)).append('\n'));
    }
    return out.toString();
  }

  private static List<String> row(TaskBinding task, boolean nics) {
    List<String> cells = new ArrayList<>();
    cells.add(Integer.toString(task.number()));
    cells.add(orDash(task.cpus().toString()));
    cells.add(Integer.toString(task.threads()));
    cells.add(task.memory().isEmpty() ? "-" : "node " + task.memory());
    cells.add(names(task.gpus(), Device::id));
    if (nics) {
      cells.add(names(task.nics(), Device::name));
    }
    return cells;
  }

  private static String names(List<Device> devices, Function<Device, String> form) {
    return orDash(devices.stream().map(form).collect(Collectors.joining(",")));
  }

  private static String orDash(String text) {
    return text.isEmpty() ? "-" : text;
  }

  private static int[] widths(List<List<String>> rows) {
    int[] widths = new int[rows.getFirst().size()];
    for (List<String> row : rows) {
      for (int i = 0; i < row.size(); i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    return widths;
  }

  /** Numbers to the right, names to the left. */
  private static String line(List<String> cells, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < cells.size(); i++) {
      String blanks = " ".repeat(widths[i] - cells.get(i).length());
      boolean right = i == 0 || i == 2;
      line.append(i == 0 ? "" : "  ").append(right ? blanks : "").append(cells.get(i));
      line.append(right ? "" : blanks);
    }
    return line.toString().stripTrailing();
  }
}
