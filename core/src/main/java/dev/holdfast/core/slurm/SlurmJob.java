package dev.holdfast.core.slurm;

import dev.holdfast.core.cluster.JobDescription;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A job as Slurm has it; of an array each task that runs is one.
 *
 * @param id the number Slurm gave it, {@code SLURM_JOB_ID} in its processes
 * @param handle by which Slurm is asked about it: {@code 4711}, or {@code 4700_3} in an array,
 *     whose own number is also that of one of its tasks and would mean all of them
 * @param reason why it waits or ended, empty: none
 * @param restarts how often it was put back into the queue
 * @param requeue whether it may be put back
 * @param tasks 0: not known
 * @param nodes where it runs, in Slurm's order; none while it waits
 * @param excluded the nodes it will not be given
 */
public record SlurmJob(
    long id,
    String handle,
    String user,
    Set<String> states,
    String reason,
    int restarts,
    boolean requeue,
    int tasks,
    List<String> nodes,
    List<String> excluded,
    Optional<Instant> submitted,
    Optional<Instant> started) {
  private static final Set<String> ENDED_BADLY =
      Set.of(
          "CANCELLED",
          "FAILED",
          "TIMEOUT",
          "NODE_FAIL",
          "PREEMPTED",
          "BOOT_FAIL",
          "DEADLINE",
          "OUT_OF_MEMORY",
          "LAUNCH_FAILED",
          "RECONFIG_FAIL",
          "REVOKED");

  private static final Set<String> WAITING =
      Set.of("PENDING", "REQUEUED", "REQUEUE_HOLD", "REQUEUE_FED", "SPECIAL_EXIT", "RESV_DEL_HOLD");

  private static final Set<String> RUNNING =
      Set.of(
          "RUNNING",
          "SUSPENDED",
          "STOPPED",
          "CONFIGURING",
          "RESIZING",
          "SIGNALING",
          "STAGE_OUT",
          "POWER_UP_NODE");

  public SlurmJob {
    states = Set.copyOf(states);
    nodes = List.copyOf(nodes);
    excluded = List.copyOf(excluded);
    if (id <= 0 || restarts < 0 || tasks < 0) {
      throw new IllegalArgumentException("a number of the job is below what can be");
    }
  }

  /** Its name in Holdfast. */
  public String name() {
    return "slurm-" + id;
  }

  /** Whether it can be spoken of alone; tasks of an array that wait share one record. */
  public boolean single() {
    return handle.chars().allMatch(it -> it >= '0' && it <= '9' || it == '_');
  }

  /** How a task of an array is called; of no array: by its number. */
  static String handle(long id, long array, String task) {
    return array <= 0 || task.isEmpty() ? Long.toString(id) : array + "_" + task;
  }

  /** Where it stands. A word of a release we do not know says nothing; having nodes does. */
  public JobDescription.State state() {
    if (states.contains("COMPLETING")) {
      return JobDescription.State.STOPPING;
    } else if (has(WAITING)) {
      return JobDescription.State.WAITING;
    } else if (has(RUNNING)) {
      return JobDescription.State.RUNNING;
    } else if (states.contains("COMPLETED")) {
      return JobDescription.State.FINISHED;
    } else if (has(ENDED_BADLY)) {
      return JobDescription.State.FAILED;
    }
    return nodes.isEmpty() ? JobDescription.State.WAITING : JobDescription.State.RUNNING;
  }

  private boolean has(Set<String> any) {
    return states.stream().anyMatch(any::contains);
  }
}
