package dev.holdfast.cli.command;

import dev.holdfast.core.text.Columns;
import dev.holdfast.core.text.Style;
import dev.holdfast.core.text.Wrap;
import dev.holdfast.core.topology.Device;
import dev.holdfast.core.topology.bind.BindingPlan;
import dev.holdfast.core.topology.bind.RailText;
import dev.holdfast.core.topology.bind.TaskBinding;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A binding for people: a line for each task, then what is worth knowing about it. */
final class BindingTable {
  private BindingTable() {}

  static String of(BindingPlan plan, List<Integer> wanted, Style style, int width) {
    boolean nics = plan.rails().isPresent();
    List<String> heading = List.of(nics ? "rank" : "task", "CPUs", "threads", "memory", "GPU");
    Columns columns =
        new Columns(
            Set.of(0, 2),
            Stream.concat(heading.stream(), nics ? Stream.of("NIC") : Stream.empty())
                .toArray(String[]::new));
    for (int number : wanted) {
      columns.add(row(plan.tasks().get(number), nics));
    }
    StringBuilder out = new StringBuilder(columns.text(style));
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
    cells.add(task.cpus().toString());
    cells.add(Integer.toString(task.threads()));
    cells.add(task.memory().isEmpty() ? "-" : "node " + task.memory());
    cells.add(names(task.gpus(), Device::id));
    if (nics) {
      cells.add(names(task.nics(), Device::name));
    }
    return cells;
  }

  private static String names(List<Device> devices, Function<Device, String> form) {
    return devices.stream().map(form).collect(Collectors.joining(","));
  }
}
