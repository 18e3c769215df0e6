package dev.holdfast.testing.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The cluster the Slurm tests stand on: is it what they take it for? */
final class SlurmClusterIT {

  @Test
  void jobsRunOnEveryNodeWithGpusAndNamesOfItsOwn() throws Exception {
    SlurmCluster cluster =
        SlurmPlan.of(4).program("Prolog", "touch \"$SLURM_CONF.$SLURMD_NODENAME\"").start();
    try (cluster) {
      List<String> lines =
          cluster
              .run(
                  "srun",
                  "-N4",
                  "--gres=gpu:2",
                  "sh",
                  "-c",
                  "echo $SLURMD_NODENAME $(hostname) $CUDA_VISIBLE_DEVICES")
              .orFail()
              .lines()
              .sorted()
              .toList();
      assertThat(lines)
          .containsExactly(
              "node1 node1 0,1", "node2 node2 0,1", "node3 node3 0,1", "node4 node4 0,1");
      assertThat(cluster.folder().resolve("etc/slurm.conf.node3")).exists();
    }
    assertThat(cluster.folder()).doesNotExist();
    assertThat(ProcessHandle.allProcesses().map(ProcessHandle::info))
        .noneMatch(it -> it.commandLine().orElse("").contains(cluster.folder().toString()));
  }

  @Test
  void nodesOnHostsOfTheirOwnHaveCablesThatCanBeCut() throws Exception {
    try (SlurmCluster cluster = SlurmPlan.of(2).onOwnHosts().start()) {
      String both = "test $(hostname) = $SLURMD_NODENAME && getent hosts $SLURMD_NODENAME";
      assertThat(cluster.run("srun", "-N2", "sh", "-c", both).orFail())
          .contains("10.77.0.1", "10.77.0.2");
      List<String> card = new ArrayList<>(cluster.at(2));
      card.addAll(List.of("ip", "link", "show", "eth0"));
      cluster.cutCable(2);
      assertThat(Said.by(card).orFail()).contains("NO-CARRIER");
      cluster.plugCable(2);
      assertThat(Said.by(card).orFail()).doesNotContain("NO-CARRIER");
    }
  }
}
