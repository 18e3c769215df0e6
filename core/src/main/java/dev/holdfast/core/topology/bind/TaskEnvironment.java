package dev.holdfast.core.topology.bind;

import dev.holdfast.core.topology.Device;
import dev.holdfast.core.topology.Topology;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The variables that tell the tasks of a plan of their bindings: OpenMP's, the one by which a GPU
 * runtime hides other tasks' GPUs, and for ranks those of launcher, NCCL and UCX.
 */
final class TaskEnvironment {
  private static final String NVIDIA = "10de";
  private static final String AMD = "1002";
  private static final String CUDA = "CUDA_VISIBLE_DEVICES";

  private final String visibility;
  private final int count;
  private final Optional<RailPlan> rails;
  private final Optional<String> everyRanksGpu;
  private final Optional<String> adapters;

  TaskEnvironment(Topology machine, List<TaskBinding> tasks, Optional<RailPlan> rails) {
    this.visibility = visibility(machine);
    this.count = tasks.size();
    this.rails = rails;
    this.everyRanksGpu =
        oneEach(machine, tasks)
            ? Optional.of(ids(tasks.stream().map(task -> task.gpus().getFirst()).toList()))
            : Optional.empty();
    this.adapters = rails.flatMap(RailPlan::ncclIbHca);
  }

  /** Whether each task has a GPU of its own and none is left over. */
  static boolean oneEach(Topology machine, List<TaskBinding> tasks) {
    return tasks.size() == machine.gpus().size()
        && tasks.stream().allMatch(task -> task.gpus().size() == 1);
  }

  Map<String, String> of(TaskBinding task) {
    Map<String, String> variables = rails.isPresent() ? rank(task, rails.get()) : mpibind(task);
    if (visibility.equals(CUDA)) {
      // The order our numbers are meant in; CUDA's own default is the fastest first.
      variables.put("CUDA_DEVICE_ORDER", "PCI_BUS_ID");
    }
    return variables;
  }

  /** Exactly what mpibind sets. */
  Map<String, String> mpibind(TaskBinding task) {
    Map<String, String> variables = new LinkedHashMap<>();
    variables.put("OMP_NUM_THREADS", Integer.toString(task.threads()));
    variables.put("OMP_PLACES", "threads");
    variables.put("OMP_PROC_BIND", "spread");
    variables.put(visibility, ids(task.gpus()));
    return variables;
  }

  /**
   * For a training rank. With one GPU a rank all GPUs stay visible, in the order of the ranks: the
   * script's {@code cuda:LOCAL_RANK} is then right and peers can still map each other's memory.
   * Threads are not pinned one by one (OMP_PROC_BIND): data loaders would inherit the single core
   * of the thread that forks them.
   */
  private Map<String, String> rank(TaskBinding task, RailPlan plan) {
    Map<String, String> variables = new LinkedHashMap<>();
    variables.put("LOCAL_RANK", Integer.toString(task.number()));
    variables.put("LOCAL_WORLD_SIZE", Integer.toString(count));
    variables.put("OMP_NUM_THREADS", Integer.toString(task.threads()));
    variables.put(visibility, everyRanksGpu.orElseGet(() -> ids(task.gpus())));
    adapters.ifPresent(list -> variables.put("NCCL_IB_HCA", list));
    plan.ucxNetDevices(task).ifPresent(list -> variables.put("UCX_NET_DEVICES", list));
    return variables;
  }

  /** The variable the runtime of this machine's GPUs looks at. */
  private static String visibility(Topology machine) {
    String vendor = machine.gpus().stream().map(Device::vendor).findFirst().orElse("");
    return switch (vendor) {
      case NVIDIA -> CUDA;
      case AMD -> "ROCR_VISIBLE_DEVICES";
      default -> "VISIBLE_DEVICES";
    };
  }

  private static String ids(List<Device> devices) {
    return devices.stream().map(Device::id).collect(Collectors.joining(","));
  }
}
