package dev.holdfast.core.topology.bind;

/**
 * What is to be placed on a node.
 *
 * @param tasks how many tasks, at least one
 * @param threads threads a task; 0: as many as its share of cores
 * @param smt hardware threads a core to use; 0: as many as needed
 * @param greedy with fewer tasks than NUMA nodes, whether tasks take the whole machine
 * @param gpuOptimised whether tasks go where the GPUs are rather than where the CPUs are
 */
public record TaskRequest(int tasks, int threads, int smt, boolean greedy, boolean gpuOptimised) {
  /** More tasks than this on one node are a slip of the pen. */
  public static final int MAX_TASKS = 1 << 16;

  public TaskRequest {
    if (tasks < 1 || tasks > MAX_TASKS) {
      throw new IllegalArgumentException("tasks: " + tasks + " is not in 1-" + MAX_TASKS);
    }
    if (threads < 0 || threads > MAX_TASKS) {
      throw new IllegalArgumentException("threads: " + threads + " is not in 0-" + MAX_TASKS);
    }
    if (smt < 0) {
      throw new IllegalArgumentException("smt: " + smt + " is below 0");
    }
  }

  public static TaskRequest of(int tasks) {
    return new TaskRequest(tasks, 0, 0, true, true);
  }
}
