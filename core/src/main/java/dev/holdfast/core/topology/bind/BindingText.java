package dev.holdfast.core.topology.bind;

import dev.holdfast.core.text.Json;
import dev.holdfast.core.topology.Device;
import dev.holdfast.core.topology.IdSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A binding for programs: JSON, shell variables, options of srun. */
public final class BindingText {
  private BindingText() {}

  /** {@code "schema":"holdfast.binding/1"}, as docs/schema/binding.json says. */
  public static Map<String, @Nullable Object> json(BindingPlan plan, List<Integer> wanted) {
    List<Object> tasks = new ArrayList<>();
    for (int number : wanted) {
      TaskBinding task = plan.tasks().get(number);
      tasks.add(task(task, plan.environment(task)));
    }
    Map<String, @Nullable Object> json =
        Json.map(
            "schema",
            "holdfast.binding/1",
            "policy",
            plan.policy(),
            "source",
            plan.machine().details().source(),
            "host",
            plan.machine().details().host().isEmpty() ? null : plan.machine().details().host(),
            "tasks",
            tasks,
            "notes",
            plan.notes());
    plan.rails().ifPresent(rails -> json.putAll(RailText.json(rails)));
    return json;
  }

  private static Map<String, @Nullable Object> task(
      TaskBinding task, Map<String, String> environment) {
    return Json.map(
        "task",
        task.number(),
        "cpus",
        task.cpus().toString(),
        "threads",
        task.threads(),
        "memory",
        task.memory().toString(),
        "gpus",
        names(task.gpus(), Device::id),
        "gpusPci",
        names(task.gpus(), Device::pci),
        "nics",
        names(task.nics(), Device::name),
        "env",
        environment);
  }

  private static List<String> names(List<Device> devices, Function<Device, String> form) {
    return devices.stream().map(form).toList();
  }

  /** Lines a shell can evaluate, a block for each task. */
  public static String environment(BindingPlan plan, List<Integer> wanted) {
    StringBuilder out = new StringBuilder();
    for (int number : wanted) {
      TaskBinding task = plan.tasks().get(number);
      out.append("# task ").append(number).append('\n');
      line(out, "HOLDFAST_TASK", Integer.toString(number));
      line(out, "HOLDFAST_CPUS", task.cpus().toString());
      line(out, "HOLDFAST_MEMORY", task.memory().toString());
      plan.environment(task).forEach((name, value) -> line(out, name, value));
    }
    return out.toString();
  }

  private static void line(StringBuilder out, String name, String value) {
    String quoted = "'" + value.replace("'", "'\\''") + "'";
    boolean plain = value.matches("[A-Za-z0-9_.:/=,+-]*");
    out.append("export ").append(name).append('=').append(plain ? value : quoted).append('\n');
  }

  /** Options of srun that give each of the node's tasks its binding, on one line. */
  public static String slurm(BindingPlan plan) {
    List<TaskBinding> tasks = plan.tasks();
    for (TaskBinding task : tasks) {
      if (task.cpus().isEmpty()) {
        throw new IllegalArgumentException(
            "task %d has no CPU, and srun takes no empty mask. %s"
                .formatted(task.number(), String.join(". ", plan.notes())));
      }
    }
    List<String> words = new ArrayList<>();
    words.add("--ntasks-per-node=" + tasks.size());
    words.add("--cpu-bind=mask_cpu:" + join(tasks, task -> task.cpus().toMask()));
    if (tasks.stream().allMatch(task -> task.memory().count() == 1)) {
      words.add("--mem-bind=prefer,map_mem:" + join(tasks, task -> task.memory().toString()));
    }
    if (tasks.stream().noneMatch(task -> task.gpus().isEmpty())) {
      boolean one = tasks.stream().allMatch(task -> task.gpus().size() == 1);
      words.add(
          one
              ? "--gpu-bind=map_gpu:" + join(tasks, task -> task.gpus().getFirst().id())
              : "--gpu-bind=mask_gpu:" + join(tasks, task -> gpuMask(task).toMask()));
    }
    return String.join(" ", words) + "\n";
  }

  private static IdSet gpuMask(TaskBinding task) {
    return IdSet.of(task.gpus().stream().mapToInt(gpu -> Integer.parseInt(gpu.id())).toArray());
  }

  private static String join(List<TaskBinding> tasks, Function<TaskBinding, String> form) {
    Stream<String> words = tasks.stream().map(form);
    return words.collect(Collectors.joining(","));
  }
}
