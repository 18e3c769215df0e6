package dev.holdfast.core.topology.bind;

import dev.holdfast.core.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A binding of every task of a node, with the variables each is to be started with. */
public final class BindingPlan {
  private final Topology machine;
  private final List<TaskBinding> tasks;
  private final List<String> notes;
  private final Optional<RailPlan> rails;
  private final String before;
  private final TaskEnvironment environment;

  private BindingPlan(
      Topology machine,
      List<TaskBinding> tasks,
      List<String> notes,
      Optional<RailPlan> rails,
      String before) {
    this.machine = machine;
    this.tasks = List.copyOf(tasks);
    this.notes = List.copyOf(notes);
    this.rails = rails;
    this.before = before;
    this.environment = new TaskEnvironment(machine, tasks, rails);
  }

  /** The mapping of mpibind. */
  public static BindingPlan memoryFirst(Topology machine, TaskRequest request) {
    List<TaskBinding> tasks = MemoryFirst.map(machine, request);
    List<String> notes = new ArrayList<>(machine.details().notes());
    emptyTasks(machine, tasks).ifPresent(notes::add);
    return new BindingPlan(machine, tasks, notes, Optional.empty(), "");
  }

  /**
   * The mapping for training ranks: a GPU with its adapter, cores and memory.
   *
   * @param before what the plan's first score is of, in a few words
   */
  public static BindingPlan rail(Topology machine, RailPlan plan, String before) {
    List<String> notes = new ArrayList<>(machine.details().notes());
    notes.addAll(plan.notes());
    if (!TaskEnvironment.oneEach(machine, plan.tasks())) {
      notes.add(
          "a rank sees only its own GPUs, numbered from 0: scripts must use cuda:0, not cuda:LOCAL_RANK");
    }
    return new BindingPlan(machine, plan.tasks(), notes, Optional.of(plan), before);
  }

  /** {@code mpibind} or {@code rail}. */
  public String policy() {
    return rails.isPresent() ? "rail" : "mpibind";
  }

  public Topology machine() {
    return machine;
  }

  public List<TaskBinding> tasks() {
    return tasks;
  }

  /** The variables to start a task with. */
  public Map<String, String> environment(TaskBinding task) {
    return environment.of(task);
  }

  /** What is odd about it and what to do, for people. */
  public List<String> notes() {
    return notes;
  }

  /** What the rail policy knows beside the binding itself. */
  public Optional<RailPlan> rails() {
    return rails;
  }

  /** What {@link #rails} compares with, in a few words. */
  public String before() {
    return before;
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
