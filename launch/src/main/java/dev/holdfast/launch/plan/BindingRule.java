package dev.holdfast.launch.plan;

import dev.holdfast.core.topology.Device;
import dev.holdfast.core.topology.Topology;
import dev.holdfast.core.topology.bind.BindingPlan;
import dev.holdfast.core.topology.bind.RailMatch;
import dev.holdfast.core.topology.bind.RailRequest;
import dev.holdfast.core.topology.bind.TaskBinding;
import dev.holdfast.core.topology.bind.TaskRequest;
import dev.holdfast.launch.job.Binding;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Where do so many ranks run on this machine? {@code numa} is mpibind's mapping of CPUs and leaves
 * devices alone, because programs take {@code cuda:LOCAL_RANK}; {@code rail} also says which GPU
 * and adapter a rank has. A machine that cannot be bound as asked is not bound, and that is noted:
 * a job that runs slower is better than one that does not run.
 */
public final class BindingRule {
  private BindingRule() {}

  public static Binding of(String policy, Topology machine, int ranks) {
    try {
      return policy.equals("rail") ? rail(machine, ranks) : numa(machine, ranks);
    } catch (IllegalArgumentException impossible) {
      return Binding.none("ranks are not bound: " + impossible.getMessage());
    }
  }

  private static Binding rail(Topology machine, int ranks) {
    BindingPlan plan =
        BindingPlan.rail(
            machine, RailMatch.plan(machine, RailRequest.of(ranks), Optional.empty()), "");
    return binding("rail", plan, plan.tasks());
  }

  private static Binding numa(Topology machine, int ranks) {
    BindingPlan plan = BindingPlan.memoryFirst(machine, TaskRequest.of(ranks));
    List<TaskBinding> tasks = plan.tasks();
    if (tasks.stream().noneMatch(task -> task.gpus().isEmpty())) {
      // mpibind goes along memory; the rank that will use GPU 0 belongs where GPU 0 is.
      tasks = tasks.stream().sorted(Comparator.comparingInt(BindingRule::lowest)).toList();
    }
    return binding("numa", plan, tasks);
  }

  /** Programs count GPUs by their number, topologies list them along the machine. */
  private static int lowest(TaskBinding task) {
    return task.gpus().stream()
        .map(Device::id)
        .mapToInt(id -> id.matches("[0-9]{1,6}") ? Integer.parseInt(id) : Integer.MAX_VALUE)
        .min()
        .orElse(0);
  }

  private static Binding binding(String policy, BindingPlan plan, List<TaskBinding> tasks) {
    boolean rail = policy.equals("rail");
    return new Binding(
        policy,
        tasks.stream()
            .map(
                task ->
                    new Binding.Place(
                        task.cpus().toString(),
                        task.memory().toString(),
                        ids(task.gpus()),
                        task.nics().stream().map(Device::name).collect(Collectors.joining(",")),
                        environment(plan.environment(task), rail)))
            .toList(),
        plan.notes());
  }

  /** What the plan sets, without what the launcher knows better and what would hide devices. */
  private static Map<String, String> environment(Map<String, String> planned, boolean rail) {
    Map<String, String> variables = new LinkedHashMap<>();
    planned.forEach(
        (name, value) -> {
          boolean threads = name.equals("OMP_NUM_THREADS");
          boolean own = name.equals("LOCAL_RANK") || name.equals("LOCAL_WORLD_SIZE");
          if (threads || rail && !own && !value.isEmpty()) {
            variables.put(name, value);
          }
        });
    return variables;
  }

  private static String ids(List<Device> devices) {
    return devices.stream().map(Device::id).collect(Collectors.joining(","));
  }
}
