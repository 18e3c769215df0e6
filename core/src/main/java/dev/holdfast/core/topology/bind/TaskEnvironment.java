package dev.holdfast.core.topology.bind;

import dev.holdfast.core.topology.Device;
import dev.holdfast.core.topology.Topology;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The variables that tell a task of its binding: OpenMP's, and the one by which its GPU runtime
 * hides other tasks' GPUs.
 */
public final class TaskEnvironment {
  private static final String NVIDIA = "10de";
  private static final String AMD = "1002";
  private static final String CUDA = "CUDA_VISIBLE_DEVICES";

  private TaskEnvironment() {}

  /** Exactly what mpibind sets. */
  public static Map<String, String> of(Topology machine, TaskBinding task) {
    Map<String, String> variables = new LinkedHashMap<>();
    variables.put("OMP_NUM_THREADS", Integer.toString(task.threads()));
    variables.put("OMP_PLACES", "threads");
    variables.put("OMP_PROC_BIND", "spread");
    variables.put(visibility(machine), ids(task.gpus()));
    return variables;
  }

  /**
   * What mpibind sets, and the order of GPUs its numbers are meant in: CUDA's own default is the
   * fastest first.
   */
  static Map<String, String> memoryFirst(Topology machine, TaskBinding task) {
    Map<String, String> variables = of(machine, task);
    if (variables.containsKey(CUDA)) {
      variables.put("CUDA_DEVICE_ORDER", "PCI_BUS_ID");
    }
    return variables;
  }

  /**
   * For a training rank. With one GPU a rank all GPUs stay visible, in the order of the ranks: the
   * script's {@code cuda:LOCAL_RANK} is then right and peers can still map each other's memory.
   * Threads are not pinned one by one (OMP_PROC_BIND): data loaders would inherit the single core
   * of the thread that forks them.
   */
  static Map<String, String> rail(Topology machine, RailPlan plan, TaskBinding task) {
    Map<String, String> variables = new LinkedHashMap<>();
    variables.put("LOCAL_RANK", Integer.toString(task.number()));
    variables.put("LOCAL_WORLD_SIZE", Integer.toString(plan.tasks().size()));
    variables.put("OMP_NUM_THREADS", Integer.toString(task.threads()));
    String visibility = visibility(machine);
    boolean onePerRank = plan.tasks().stream().allMatch(rank -> rank.gpus().size() == 1);
    boolean shared = plan.tasks().size() != machine.gpus().size();
    if (onePerRank && !shared) {
      List<Device> all = plan.tasks().stream().flatMap(rank -> rank.gpus().stream()).toList();
      variables.put(visibility, ids(all));
    } else {
      variables.put(visibility, ids(task.gpus()));
    }
    if (visibility.equals(CUDA)) {
      variables.put("CUDA_DEVICE_ORDER", "PCI_BUS_ID");
    }
    plan.ncclIbHca().ifPresent(list -> variables.put("NCCL_IB_HCA", list));
    plan.ucxNetDevices(task).ifPresent(list -> variables.put("UCX_NET_DEVICES", list));
    return variables;
  }

  /** The variable the runtime of this machine's GPUs looks at. */
  public static String visibility(Topology machine) {
    String vendor = machine.gpus().stream().map(Device::vendor).findFirst().orElse("");
    return switch (vendor) {
      case NVIDIA -> CUDA;
      case AMD -> "ROCR_VISIBLE_DEVICES";
      default -> "VISIBLE_DEVICES";
    };
  }

  static String ids(List<Device> devices) {
    return devices.stream().map(Device::id).collect(Collectors.joining(","));
  }
}
