package dev.holdfast.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.text.Fields;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A job on several machines, as far as network and host name make a machine: whichever of them is
 * lost, the job goes on elsewhere, ends with the weights of a run that was left alone, and at no
 * moment do two of its attempts run.
 */
class NodesIT {
  /** The weights after 60 steps on 4 ranks; found once. */
  private static String undisturbed = "";

  private final List<NodesJob> jobs = new ArrayList<>();

  @TempDir Path folder;

  @BeforeEach
  void leaveOneAlone() throws Exception {
    if (undisturbed.isEmpty()) {
      NodesJob job = start("alone", 3, 0.02, "--nnodes=2", "--spares=1");
      undisturbed = job.weights(1, 2, 3);
      assertThat(job.attempts()).isEqualTo(1);
    }
  }

  @AfterEach
  void endAll() {
    jobs.forEach(NodesJob::close);
  }

  /** Two jobs in one test, because a launcher that was cut off waits a minute for the others. */
  @Test
  void aNodeThatIsCutOffIsReplacedByTheSpare() throws Exception {
    NodesJob second = start("second", 3, 0.1, "--nnodes=2", "--spares=1");
    second.awaitStep(1, 15);
    second.hosts().cut(2);
    NodesJob first = start("first", 3, 0.1, "--nnodes=2", "--spares=1");
    first.awaitStep(1, 15);
    first.hosts().cut(1);

    assertThat(second.weights(1, 3)).isEqualTo(undisturbed);
    second.assertMembers(1, "n1", "n3");
    second.assertOneAttemptAtATime();
    assertThat(second.output(1)).contains("no sign of life from n2");

    assertThat(first.weights(2, 3)).isEqualTo(undisturbed);
    first.assertMembers(1, "n2", "n3");
    first.assertOneAttemptAtATime();
    assertThat(first.output(2) + first.output(3)).contains("leads from now on");

    second.assertEndsWith(2, 75);
    first.assertEndsWith(1, 75);
    second.awaitNothingOn(2);
    first.awaitNothingOn(1);
  }

  /** The watcher sees the ranks end and says so: nobody waits for a lease to run out. */
  @Test
  void aNodeWhoseLauncherIsKilledIsReplacedAtOnce() throws Exception {
    NodesJob second = start("second", 3, 0.1, "--nnodes=2", "--spares=1");
    second.awaitStep(1, 15);
    second.launcher(2).destroyForcibly();
    NodesJob first = start("first", 3, 0.1, "--nnodes=2", "--spares=1");
    first.awaitStep(1, 15);
    first.launcher(1).destroyForcibly();

    assertThat(second.weights(1, 3)).isEqualTo(undisturbed);
    second.assertMembers(1, "n1", "n3");
    second.assertOneAttemptAtATime();
    assertThat(second.output(1)).contains("n2 left").doesNotContain("its lease ran out");
    second.awaitNothingOn(2);

    assertThat(first.weights(2, 3)).isEqualTo(undisturbed);
    first.assertMembers(1, "n2", "n3");
    first.assertOneAttemptAtATime();
    assertThat(first.output(2) + first.output(3))
        .contains("n1 left")
        .doesNotContain("its lease ran out");
    first.awaitNothingOn(1);
  }

  /**
   * A rank fails under the first leader, then that one is lost, then a rank fails under the next:
   * its budget says so, and its page tells of all, also of what only the first one knew.
   */
  @Test
  void theNextLeaderGoesOnWithTheStoryAndTheBudget() throws Exception {
    NodesJob job = start("story", 3, 0.2, "--nnodes=2", "--spares=1");
    job.awaitStep(1, 10);
    job.killRank(2);
    job.await(() -> job.output(1).contains("attempt 1: 4 ranks"), "attempt 1");
    job.awaitStep(1, 20);
    job.launcher(1).destroyForcibly();
    job.await(() -> job.output(2).contains("attempt 2: 4 ranks"), "attempt 2");
    job.awaitStep(2, 35);
    job.killRank(3);
    assertThat(job.weights(2, 3)).isEqualTo(undisturbed);
    job.assertOneAttemptAtATime();

    int leader = job.output(2).contains("n2 leads from now on") ? 2 : 3;
    assertThat(job.output(leader)).contains("Restart 3 of at most 3");
    Fields report = job.report(leader);
    assertThat(report.objects("attempts")).hasSize(4);
    assertThat(report.objects("attempts").getFirst().texts("nodes")).containsExactly("n1", "n2");
    assertThat(report.objects("attempts").getFirst().number("toStep")).isPositive();
    List<Fields> interruptions = report.objects("interruptions");
    assertThat(interruptions).hasSize(3);
    assertThat(interruptions.get(0).object("diagnosis").integers("ranks")).containsAnyOf(2, 3);
    assertThat(interruptions.get(0).object("decision").text("why"))
        .isEqualTo("Restart 1 of at most 3 on the same nodes.");
    assertThat(interruptions.get(1).object("diagnosis").text("node")).isEqualTo("n1");
  }

  /**
   * Each half has a node that trains and one that waits, enough to go on alone. Only the one with
   * more votes may; the other half comes back as spares.
   */
  @Test
  void ofTwoHalvesOnlyOneGoesOn() throws Exception {
    NodesJob job = start("halves", 4, 0.2, "--nnodes=2", "--spares=2");
    job.awaitStep(1, 15);
    job.hosts().part(Set.of(2, 4));
    job.await(() -> job.attempts() > 1, "a second attempt");
    job.hosts().join();
    assertThat(job.weights(1, 2, 3, 4)).isEqualTo(undisturbed);
    assertThat(job.attempts()).isEqualTo(2);
    job.assertMembers(1, "n1", "n3");
    job.assertOneAttemptAtATime();
    assertThat(job.output(2)).contains("this node's ranks were killed");
  }

  private NodesJob start(String name, int hosts, double stepSeconds, String... options)
      throws Exception {
    NodesJob job = NodesJob.prepare(name, folder, hosts);
    jobs.add(job);
    job.start(stepSeconds, options);
    return job;
  }
}
