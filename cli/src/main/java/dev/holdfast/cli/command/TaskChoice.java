package dev.holdfast.cli.command;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How many tasks the node has, and which one this process is to be, if it is to be one.
 *
 * <p>Launchers tell it in variables of their own. They are looked at only when asked for: inside
 * {@code srun --pty bash} they are set too, and mean the shell.
 */
record TaskChoice(Optional<Integer> number, Optional<Integer> count) {
  /** Slurm last: a batch script has its variables too, and hands them to what mpirun starts. */
  private static final List<Launcher> LAUNCHERS =
      List.of(
          new Launcher("LOCAL_RANK", "LOCAL_WORLD_SIZE"),
          new Launcher("OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE"),
          new Launcher("MPI_LOCALRANKID", "MPI_LOCALNRANKS"),
          new Launcher("PALS_LOCAL_RANKID", "PALS_LOCAL_SIZE"),
          new Launcher("FLUX_TASK_LOCAL_ID", "FLUX_LOCAL_SIZE"),
          new Launcher("SLURM_LOCALID", "SLURM_STEP_TASKS_PER_NODE"),
          new Launcher("SLURM_LOCALID", "SLURM_NTASKS_PER_NODE"));

  private record Launcher(String number, String count) {}

  static TaskChoice of(
      @Nullable String task, @Nullable Integer tasks, Map<String, String> environment) {
    if (task == null) {
      return new TaskChoice(Optional.empty(), Optional.ofNullable(tasks));
    }
    if (!task.equals("auto")) {
      return checked(number(task, "--task"), Optional.ofNullable(tasks));
    }
    for (Launcher launcher : LAUNCHERS) {
      String own = environment.get(launcher.number);
      String all = environment.get(launcher.count);
      if (own != null && (tasks != null || all != null)) {
        int count = tasks != null ? tasks : perNode(all == null ? "" : all, launcher.count);
        return checked(number(own, launcher.number), Optional.of(count));
      }
    }
    boolean known = LAUNCHERS.stream().anyMatch(one -> environment.containsKey(one.number));
    throw new IllegalArgumentException(
        known
            ? "--task auto: the launcher does not tell how many tasks the node has: give --tasks N"
            : "--task auto, but no launcher's variable is set (SLURM_LOCALID,"
                + " OMPI_COMM_WORLD_LOCAL_RANK, LOCAL_RANK, …): start it by srun, mpirun or"
                + " torchrun, or give --task K");
  }

  private static TaskChoice checked(int number, Optional<Integer> count) {
    if (count.isPresent() && count.get() < 1) {
      throw new IllegalArgumentException("tasks: " + count.get() + " is not 1 or more");
    }
    if (number < 0 || count.isPresent() && number >= count.get()) {
      throw new IllegalArgumentException(
          "task "
              + number
              + " is not one of "
              + count.map(tasks -> "0-" + (tasks - 1)).orElse("0 and up"));
    }
    return new TaskChoice(Optional.of(number), count);
  }

  /**
   * Slurm writes {@code 8} or {@code 8(x2)} or {@code 8(x2),4}; only the same everywhere will do.
   */
  private static int perNode(String text, String variable) {
    String plain = text.replaceAll("\\(x[0-9]+\\)", "");
    if (plain.contains(",")) {
      throw new IllegalArgumentException(
          variable + "=" + text + ": nodes have different numbers of tasks; give --tasks N");
    }
    return number(plain, variable);
  }

  private static int number(String text, String name) {
    try {
      return Integer.parseInt(text.strip());
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(name + ": '" + text + "' is not a number", e);
    }
  }
}
