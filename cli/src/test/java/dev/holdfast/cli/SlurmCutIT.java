package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.cluster.JobDescription;
import dev.holdfast.core.cluster.SchedulerNode;
import dev.holdfast.testing.slurm.SlurmPlan;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node whose cable is cut: Slurm deals with it, and the control plane follows and keeps out. */
class SlurmCutIT {
  @TempDir Path folder;

  @Test
  @Timeout(240)
  void aNodeCutOffAndBackIsFollowedAndNothingIsDoneToIt() throws Exception {
    try (SlurmStage stage = new SlurmStage(folder, SlurmPlan.of(3).gpus(1).onOwnHosts())) {
      String job = stage.train(folder.resolve("cut.log"), "--nodes=2");
      stage.await("the job, known", () -> known(stage, job, 0));
      assertThat(stage.state.job("slurm-" + job).orElseThrow().job().uses("node1")).isTrue();

      stage.cluster.cutCable(1);
      stage.await("node1 closed", () -> !slurm(stage).takesJobs());
      stage.await("node1 down", () -> slurm(stage).state().contains("down"));
      stage.await("the job elsewhere, known", () -> known(stage, job, 1));
      assertThat(stage.state.job("slurm-" + job).orElseThrow().job().uses("node1")).isFalse();

      stage.cluster.plugCable(1);
      stage.await("node1 back", () -> slurm(stage).takesJobs());
      assertThat(stage.state.decisions()).isEmpty();
      assertThat(stage.cluster.nodeReason(1)).doesNotStartWith("holdfast");
    }
  }

  private static SchedulerNode slurm(SlurmStage stage) {
    return stage.state.node("node1").orElseThrow().scheduling().orElseThrow().node();
  }

  private static boolean known(SlurmStage stage, String job, int attempt) {
    return stage
        .state
        .job("slurm-" + job)
        .map(it -> it.job())
        .filter(it -> it.state() == JobDescription.State.RUNNING && it.attempt() == attempt)
        .isPresent();
  }
}
