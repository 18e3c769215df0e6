package dev.holdfast.launch.plan;

import dev.holdfast.launch.job.Assignment;
import dev.holdfast.launch.job.Binding;
import dev.holdfast.launch.job.EndPlan;
import dev.holdfast.launch.job.Here;
import dev.holdfast.launch.job.JobSpec;
import dev.holdfast.launch.job.Member;
import dev.holdfast.launch.job.OnHang;
import dev.holdfast.launch.job.OutputPlan;
import dev.holdfast.launch.job.PortRange;
import dev.holdfast.launch.job.Program;
import dev.holdfast.launch.job.StreamChoice;
import dev.holdfast.launch.job.Team;
import dev.holdfast.launch.job.WatchPlan;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Jobs for tests. */
final class Specs {
  private Specs() {}

  /** Two processes on n2, the second of two nodes. */
  static JobSpec of(Binding binding, boolean virtualLocalRank, Map<String, String> environment) {
    return new JobSpec(
        "slurm-4711",
        "night",
        new Team(2, 2, 0, List.of(), List.of("n1", "n2"), "n1", 29400, false),
        new Here("n2", 1, "", 2, "slurm", List.of(), binding),
        new Program(
            List.of("python3", "-u", "train.py"), true, "default", virtualLocalRank, environment),
        new OutputPlan(
            "/logs",
            StreamChoice.BOTH,
            StreamChoice.BOTH,
            List.of(1),
            "[${role_name}${local_rank}/${rank}]:"),
        new WatchPlan("auto", OnHang.DUMP, "", "", "/ckpt", "kill:rank=1"),
        new EndPlan(3, Duration.ofSeconds(30), List.of(), false, true),
        PortRange.DEFAULT);
  }

  static Assignment assignment(int attempt) {
    return new Assignment(
        "slurm-4711",
        attempt,
        attempt,
        List.of(
            new Member("n1", 1, "10.0.0.1", 29400, 4, 0),
            new Member("n2", 1, "10.0.0.2", 29400, 2, 1)),
        "n1",
        29512);
  }
}
