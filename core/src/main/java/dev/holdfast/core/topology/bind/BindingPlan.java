package dev.holdfast.core.topology.bind;

import dev.holdfast.core.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A binding of every task of a node, with the variables each is to be started with.
 *
 * @param policy {@code mpibind} or {@code rail}
 * @param environments the variables of each task, in the order of the tasks
 * @param notes what is odd about it and what to do, for people
 * @param rails what the rail policy knows beside the binding itself
 * @param before what {@code rails} compares with, in a few words
 */
public record BindingPlan(
    String policy,
    Topology machine,
    List<TaskBinding> tasks,
    List<Map<String, String>> environments,
    List<String> notes,
    Optional<RailPlan> rails,
    String before) {
  public BindingPlan {
    tasks = List.copyOf(tasks);
    environments = List.copyOf(environments);
    notes = List.copyOf(notes);
    if (tasks.size() != environments.size()) {
      throw new IllegalArgumentException("an environment for each task is needed");
    }
  }

  /** The mapping of mpibind. */
  public static BindingPlan memoryFirst(Topology machine, TaskRequest request) {
    List<TaskBinding> tasks = MemoryFirst.map(machine, request);
    List<String> notes = new ArrayList<>(machine.details().notes());
    emptyTasks(machine, tasks).ifPresent(notes::add);
    return new BindingPlan(
        "mpibind",
        machine,
        tasks,
        tasks.stream().map(task -> TaskEnvironment.memoryFirst(machine, task)).toList(),
        notes,
        Optional.empty(),
        "");
  }

  /** The mapping for training ranks: a GPU with its adapter, cores and memory. */
  public static BindingPlan rail(Topology machine, RailPlan plan, String before) {
    return new BindingPlan(
        "rail",
        machine,
        plan.tasks(),
        plan.tasks().stream().map(task -> TaskEnvironment.rail(machine, plan, task)).toList(),
        plan.notes(),
        Optional.of(plan),
        before);
  }

  /** The rule deals NUMA nodes without CPUs like any other; a task that gets only such has none. */
  private static Optional<String> emptyTasks(Topology machine, List<TaskBinding> tasks) {
    List<String> empty =
        tasks.stream()
            .filter(task -> task.cpus().isEmpty())
            .map(task -> Integer.toString(task.number()))
            .toList();
    if (empty.isEmpty()) {
      return Optional.empty();
    }
    String nodes =
        String.join(
            ",",
            machine.numaNodes().stream()
                .filter(node -> !node.cpus().isEmpty())
                .map(node -> Integer.toString(node.number()))
                .toList());
    return Optional.of(
        "task %s gets no CPU: mpibind's rule also deals NUMA nodes that have none; leave those out with --restrict nodeset:%s"
            .formatted(String.join(", ", empty), nodes));
  }
}
