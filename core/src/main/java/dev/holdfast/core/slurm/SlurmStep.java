package dev.holdfast.core.slurm;

import java.util.List;

/**
 * A step of a job: what one {@code srun} started.
 *
 * @param job as Slurm writes it in a step's name, {@code 4711} or {@code 4700_3} in an array
 * @param step its number, or {@code batch}, {@code extern}, {@code interactive}
 */
public record SlurmStep(String job, String step, int tasks, List<String> nodes) {
  public SlurmStep {
    nodes = List.copyOf(nodes);
  }

  /** Whether it is a person's, not one Slurm keeps for itself. */
  public boolean started() {
    return !step.isEmpty() && Character.isDigit(step.charAt(0));
  }
}
