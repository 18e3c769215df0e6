package dev.holdfast.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TaskChoiceTest {
  @Test
  void withoutTheOptionEveryTaskIsMeantWhateverTheEnvironmentSays() {
    assertThat(TaskChoice.of(null, 4, Map.of("SLURM_LOCALID", "0", "LOCAL_RANK", "1")))
        .isEqualTo(new TaskChoice(Optional.empty(), Optional.of(4)));
  }

  @Test
  void slurmTellsWhichTaskOfHowMany() {
    Map<String, String> environment =
        Map.of("SLURM_LOCALID", "3", "SLURM_STEP_TASKS_PER_NODE", "8(x2)");
    assertThat(TaskChoice.of("auto", null, environment))
        .isEqualTo(new TaskChoice(Optional.of(3), Optional.of(8)));
  }

  @Test
  void openMpiAndTorchrunTellItToo() {
    assertThat(
            TaskChoice.of(
                "auto",
                null,
                Map.of("OMPI_COMM_WORLD_LOCAL_RANK", "1", "OMPI_COMM_WORLD_LOCAL_SIZE", "2")))
        .isEqualTo(new TaskChoice(Optional.of(1), Optional.of(2)));
    assertThat(TaskChoice.of("auto", null, Map.of("LOCAL_RANK", "7", "LOCAL_WORLD_SIZE", "8")))
        .isEqualTo(new TaskChoice(Optional.of(7), Optional.of(8)));
  }

  @Test
  void anExplicitNumberOfTasksIsBelievedBeforeTheLaunchers() {
    assertThat(TaskChoice.of("auto", 6, Map.of("SLURM_LOCALID", "5", "SLURM_NTASKS_PER_NODE", "8")))
        .isEqualTo(new TaskChoice(Optional.of(5), Optional.of(6)));
  }

  @Test
  void nodesWithDifferentNumbersOfTasksAreNotGuessedAt() {
    assertThatThrownBy(
            () ->
                TaskChoice.of(
                    "auto",
                    null,
                    Map.of("SLURM_LOCALID", "0", "SLURM_STEP_TASKS_PER_NODE", "8(x2),4")))
        .hasMessageContaining("different numbers of tasks; give --tasks N");
  }

  @Test
  void mpirunInsideABatchScriptIsBelievedBeforeTheScriptsOwnVariables() {
    Map<String, String> environment =
        Map.of(
            "SLURM_LOCALID", "0",
            "SLURM_NTASKS_PER_NODE", "8",
            "OMPI_COMM_WORLD_LOCAL_RANK", "5",
            "OMPI_COMM_WORLD_LOCAL_SIZE", "8");
    assertThat(TaskChoice.of("auto", null, environment))
        .isEqualTo(new TaskChoice(Optional.of(5), Optional.of(8)));
  }

  @Test
  void aLauncherThatTellsHalfIsNotCalledMissing() {
    assertThatThrownBy(() -> TaskChoice.of("auto", null, Map.of("SLURM_LOCALID", "1")))
        .hasMessageContaining("does not tell how many tasks the node has: give --tasks N");
    assertThatThrownBy(() -> TaskChoice.of("auto", 3, Map.of()))
        .hasMessageContaining("no launcher's variable is set")
        .hasMessageNotContaining("--tasks N");
  }

  @Test
  void noTasksAtAllIsTold() {
    assertThatThrownBy(
            () -> TaskChoice.of("auto", null, Map.of("LOCAL_RANK", "1", "LOCAL_WORLD_SIZE", "0")))
        .hasMessage("tasks: 0 is not 1 or more");
  }

  @Test
  void outsideOfALauncherAutoSaysWhatIsMissing() {
    assertThatThrownBy(() -> TaskChoice.of("auto", null, Map.of()))
        .hasMessageContaining("no launcher's variable is set (SLURM_LOCALID");
  }

  @Test
  void aTaskBeyondTheLastIsRefused() {
    assertThatThrownBy(() -> TaskChoice.of("4", 4, Map.of()))
        .hasMessage("task 4 is not one of 0-3");
    assertThatThrownBy(() -> TaskChoice.of("-1", null, Map.of())).hasMessageContaining("task -1");
    assertThatThrownBy(() -> TaskChoice.of("x", 4, Map.of())).hasMessageContaining("'x' is not");
  }
}
