package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.testing.slurm.Said;
import dev.holdfast.testing.slurm.SlurmCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * Holdfast on a real Slurm: nodes with networks and host names of their own. One cluster for all,
 * and what takes long is begun at the beginning, each on nodes of its own: node3 is bad from the
 * start, node4 loses its slurmd, the jobs on node5 to node7 are to be requeued.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SlurmIT {
  @TempDir static Path folder;

  private static SlurmSite site;
  private static SlurmCluster cluster;
  private static String abandoned;
  private static String refused;
  private static String limited;
  private static String blamed;

  @BeforeAll
  static void start() throws Exception {
    site = SlurmSite.start(folder, 7);
    cluster = site.cluster;
    abandoned =
        cluster.submit(
            "srun sh -c 'trap \"\" TERM; echo here; sleep 600'",
            "--nodelist=node4",
            "--requeue",
            "--open-mode=append",
            "--output=" + folder + "/%j.out");
    cluster.await("the job on node4", () -> site.output(abandoned).contains("here"));
    cluster.killNode(4);
    site.plant(3);
    site.prolog(3);
    refused = refusedJob();
    limited =
        site.submit(
            List.of("--nodes=1", "--gpus=0", "--ranks=1", "--time=1", "--notice=58"),
            "--nodelist=node7",
            "sh",
            "-c",
            "at=$HOLDFAST_CHECKPOINT_DIR/step; if [ -e \"$at\" ]; then echo resumed from $(cat"
                + " \"$at\"); exit 0; fi; trap 'echo 17 > \"$at\"; exit 0' TERM; echo begun; while"
                + " :; do sleep 0.1; done");
    blamed =
        site.submit(
            List.of("--nodes=2", "--gpus=0", "--ranks=1"),
            "--exclude=node[1-4]",
            "sh",
            "-c",
            "if [ $(hostname) = node6 ]; then echo 'RuntimeError: CUDA error: GPU has fallen off"
                + " the bus' >&2; exit 1; fi; echo fine on $(hostname); sleep 1");
  }

  /** A check that is late on a busy machine lets a job through, as it should: then the next one. */
  private static String refusedJob() throws Exception {
    for (int tries = 0; tries < 10; tries++) {
      String job =
          cluster.submit(
              "echo ran on $SLURMD_NODENAME",
              "--nodelist=node3",
              "--requeue",
              "--open-mode=append",
              "--output=" + folder + "/%j.out");
      cluster.await(
          "the prolog's answer",
          () ->
              cluster.nodeState(3).startsWith("drain")
                  || cluster.jobState(job).equals("COMPLETED"));
      if (!cluster.jobState(job).equals("COMPLETED")) {
        return job;
      }
    }
    throw new AssertionError("no job was refused" + cluster.logs());
  }

  @AfterAll
  static void stop() throws Exception {
    if (site != null) {
      site.close();
    }
  }

  @Test
  @Order(1)
  void srunStartsOneLauncherANodeAndEachStartsARankForEachOfItsGpus() {
    Said said =
        cluster.run(
            Duration.ofSeconds(90),
            "srun",
            "--nodes=2",
            "--ntasks-per-node=1",
            "--gres=gpu:2",
            site.program(),
            "run",
            "--log-dir=" + folder.resolve("logs"),
            "sh",
            "-c",
            "echo rank $RANK of $WORLD_SIZE on $(hostname) sees $CUDA_VISIBLE_DEVICES");
    assertThat(said.code()).as(said.text()).isZero();
    assertThat(said.output().lines().map(it -> it.replaceFirst("^.*?rank ", "rank ")))
        .contains(
            "rank 0 of 4 on node1 sees 0,1",
            "rank 1 of 4 on node1 sees 0,1",
            "rank 2 of 4 on node2 sees 0,1",
            "rank 3 of 4 on node2 sees 0,1");
  }

  @Test
  @Order(2)
  void doctorAndSnapshotsReachNodesThroughSrun() throws Exception {
    site.plant(2);
    Said said = site.holdfast("doctor", "-w", "node[1-2]", "--only", "site", "--format", "json");
    site.mend(2);
    assertThat(said.code()).as(said.text()).isEqualTo(1);
    Fields fleet = Fields.of("fleet", Json.read(said.output()));
    assertThat(fleet.objects("groups"))
        .anySatisfy(
            group -> {
              assertThat(group.text("check")).isEqualTo("site.planted");
              assertThat(group.texts("nodes")).containsExactly("node2");
            });
    Path all = Files.createDirectory(folder.resolve("snapshots"));
    Said recorded = site.holdfast("snapshot", "-w", "node2", "-o", all.toString());
    assertThat(recorded.code()).as(recorded.text()).isZero();
    assertThat(recorded.output()).contains("1 of 1 nodes recorded");
    assertThat(all.resolve("holdfast-node2.zip")).exists();
  }

  /** The launchers of a job that runs are asked on its own nodes, which have no room for others. */
  @Test
  @Order(2)
  void stacksOfAJobComeFromItsNodesThroughSrun() throws Exception {
    Path ranks = Files.createDirectory(folder.resolve("asked"));
    String job =
        cluster.submit(
            "exec srun --ntasks-per-node=1 %s run --nproc-per-node=1 --log-dir=%s sh -c '%s'"
                .formatted(
                    site.program(),
                    folder.resolve("asked-logs"),
                    "touch %s/$RANK; exec sleep 600".formatted(ranks)),
            "--nodes=2",
            "--exclusive",
            "--nodelist=node[1-2]",
            "--output=" + folder + "/%j.out");
    cluster.await(
        "both ranks",
        Duration.ofSeconds(60),
        () -> Files.exists(ranks.resolve("0")) && Files.exists(ranks.resolve("1")));
    Said said =
        site.holdfast("stacks", "--job", "slurm-" + job, "-w", "node[1-2]", "--format", "json");
    Said wrong = site.holdfast("stacks", "--job", "slurm-" + job + ".9", "-w", "node1");
    cluster.run("scancel", job).orFail();
    assertThat(said.code()).as(said.text() + site.output(job)).isZero();
    Fields stacks = Fields.of("stacks", Json.read(said.output()));
    assertThat(stacks.text("ranks")).isEqualTo("[0-1]");
    assertThat(stacks.texts("notAsked")).isEmpty();
    assertThat(stacks.objects("processes"))
        .hasSize(2)
        .allSatisfy(process -> assertThat(process.text("state")).isIn("S", "R", "D"));
    assertThat(wrong.code()).as(wrong.text()).isEqualTo(2);
    assertThat(wrong.text()).contains("node1: HF-1601 no run named");
    site.awaitState(job, "CANCELLED");
  }

  @Test
  @Order(3)
  void aPrologKeepsAJobFromABadNodeAndTheJobRunsWhenTheNodeIsGoodAgain() throws Exception {
    cluster.await("node3 to be drained", () -> cluster.nodeState(3).startsWith("drain"));
    assertThat(cluster.nodeReason(3)).startsWith("holdfast: site.planted");
    cluster.await("the job to wait", () -> cluster.jobState(refused).equals("PENDING"));
    assertThat(cluster.jobField(refused, "Priority")).as("not held").isNotEqualTo("0");
    site.mend(3);
    site.look(3);
    site.awaitState(refused, "COMPLETED");
    assertThat(site.output(refused)).contains("ran on node3");
    site.lookAway(3);
  }

  @Test
  @Order(4)
  void theHealthProgramWorksWithNothingInItsEnvironmentAndLeavesOthersDrainsAlone()
      throws Exception {
    site.plant(1);
    site.look(1);
    cluster.await("node1 to be drained", () -> cluster.nodeState(1).startsWith("drain"));
    assertThat(cluster.nodeReason(1)).startsWith("holdfast: site.planted");
    assertThat(folder.resolve("environment-node1"))
        .content()
        .contains("SLURMD_NODENAME=node1")
        .doesNotContain("SLURM_CONF")
        .doesNotContain("HOME=", "SLURM_JOB_ID");
    cluster.run("scontrol", "update", "nodename=node1", "state=resume").orFail();
    cluster.run("scontrol", "update", "nodename=node1", "state=drain", "reason=fan").orFail();
    site.mend(1);
    Files.delete(folder.resolve("environment-node1"));
    for (int looks = 0; looks < 2; looks++) {
      cluster.await("another look", () -> Files.exists(folder.resolve("environment-node1")));
      Files.delete(folder.resolve("environment-node1"));
    }
    assertThat(cluster.nodeReason(1)).isEqualTo("fan");
    site.lookAway(1);
    cluster.run("scontrol", "update", "nodename=node1", "state=resume").orFail();
    cluster.await("node1 to be idle", () -> cluster.nodeState(1).equals("idle"));
  }

  @Test
  @Order(5)
  void aJobThatIsCancelledIsAskedToEndAndDoesNotQueueAgain() throws Exception {
    String job =
        site.submit(
            List.of("--nodes=1", "--gpus=0", "--ranks=1"),
            "--nodelist=node1",
            "sh",
            "-c",
            "trap 'echo asked to end; exit 0' TERM; echo begun; while :; do sleep 0.1; done");
    cluster.await("the rank", () -> site.output(job).contains("begun"));
    cluster.run("scancel", job).orFail();
    site.awaitState(job, "CANCELLED");
    cluster.await("its end", () -> site.output(job).contains("asked to end"));
    assertThat(cluster.jobField(job, "Restarts")).isEqualTo("0");
    cluster.await("nothing to be left", () -> cluster.tasks(job, 1).isEmpty());
  }

  @Test
  @Order(6)
  void beforeItsTimeLimitAJobWritesACheckpointAndGoesOnFromItAfterARequeue() throws Exception {
    site.awaitState(limited, "COMPLETED");
    assertThat(site.output(limited)).contains("begun").contains("resumed from 17");
    assertThat(cluster.jobField(limited, "Restarts")).isEqualTo("1");
  }

  @Test
  @Order(7)
  void aNodeThatWasToBlameIsLeftOutAfterARequeue() throws Exception {
    site.awaitState(blamed, "COMPLETED");
    assertThat(site.output(blamed))
        .contains("queued again, without node6")
        .contains("fine on node7");
    assertThat(cluster.jobField(blamed, "ExcNodeList")).isEqualTo("node[1-4],node6");
  }

  @Test
  @Order(8)
  void ranksThatSomebodyElseStartedAreWatchedByTheirJob() throws Exception {
    String job =
        cluster.submit("srun --ntasks=2 sh -c 'sleep 60'", "--nodelist=node2", "--ntasks=2");
    cluster.await("its ranks", () -> cluster.tasks(job, 2).size() >= 2);
    Said said =
        site.holdfast("watch", "--slurm-job", job, "--hang", "5s", "--once", "--format", "json");
    assertThat(said.code()).as(said.text()).isEqualTo(1);
    assertThat(said.error()).contains("rank 0 (", "rank 1 (");
    assertThat(said.output()).contains("\"class\":\"hang\"");
    cluster.run("scancel", job).orFail();
  }

  @Test
  @Order(9)
  void benchmarksRunOnTheNodesOfAnAllocation() {
    Said said =
        cluster.run(
            Duration.ofSeconds(90),
            "salloc",
            "--nodes=2",
            "--ntasks-per-node=1",
            site.program(),
            "bench",
            "net",
            "all_reduce",
            "--slurm",
            "--min-bytes=64KiB",
            "--max-bytes=64KiB",
            "--rounds=1",
            "--no-repeat",
            "--format=json");
    assertThat(said.code()).as(said.text()).isZero();
    assertThat(Fields.of("run", Json.read(said.output())).object("manifest").texts("hosts"))
        .hasSize(2)
        .allMatch(it -> it.matches("node[1-7]"));
  }

  @Test
  @Order(10)
  void whatADeadSlurmdLeftBehindIsFoundAndEnded() throws Exception {
    cluster.await("node4 to be given up", () -> cluster.nodeState(4).startsWith("down"));
    cluster.await("its job elsewhere", () -> !cluster.jobState(abandoned).equals("COMPLETING"));
    assertThat(cluster.tasks(abandoned, 4)).as("they live on").isNotEmpty();
    assertThat(site.holdfast("slurm", "orphans", "--node=node3").code()).isZero();
    Said found = site.holdfast("slurm", "orphans", "--node=node4", "--format=json");
    assertThat(found.code()).as(found.text()).isEqualTo(1);
    assertThat(found.output()).contains("slurm-" + abandoned);
    assertThat(cluster.tasks(abandoned, 4)).as("only looked at").isNotEmpty();
    Said ended = site.holdfast("slurm", "orphans", "--node=node4", "--end");
    assertThat(ended.code()).as(ended.text()).isZero();
    assertThat(cluster.tasks(abandoned, 4)).isEmpty();
    cluster.startNode(4);
    cluster.await("node4 to be back", () -> cluster.nodeState(4).equals("idle"));
  }

  @Test
  @Order(11)
  void anEpilogThatFindsTheNodeBrokenKeepsTheNextJobFromIt() throws Exception {
    site.plant(2);
    site.epilog(2);
    // A check that is late on a busy machine drains nothing, as it should: then the next one does.
    for (int tries = 0; tries < 10 && !cluster.nodeState(2).startsWith("drain"); tries++) {
      String job = cluster.submit("true", "--nodelist=node2", "--output=/dev/null", "--no-requeue");
      site.awaitState(job, "COMPLETED");
    }
    assertThat(cluster.nodeState(2)).startsWith("drain");
    assertThat(cluster.nodeReason(2)).startsWith("holdfast: site.planted");
    String next =
        cluster.submit(
            "echo ran on $SLURMD_NODENAME", "--nodelist=node2", "--output=" + folder + "/%j.out");
    site.mend(2);
    assertThat(cluster.jobState(next)).isEqualTo("PENDING");
    site.look(2);
    site.awaitState(next, "COMPLETED");
    assertThat(site.output(next)).contains("ran on node2");
    site.lookAway(2);
  }
}
