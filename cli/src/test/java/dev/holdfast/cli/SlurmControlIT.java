package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.control.entry.Service;
import dev.holdfast.control.state.ActionView;
import dev.holdfast.control.state.IncidentView;
import dev.holdfast.control.state.NodeView;
import dev.holdfast.core.cluster.JobDescription;
import dev.holdfast.core.report.Request;
import dev.holdfast.core.report.Statement.Answer;
import dev.holdfast.testing.slurm.SlurmPlan;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The control plane beside a real Slurm: faults, an operator with other plans, a controller killed.
 */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(900)
class SlurmControlIT {
  /** How often the whole loop is gone through; more by hand, for figures. */
  private static final int LOOPS = Integer.getInteger("holdfast.slurm.loops", 1);

  private static final System.Logger LOG = System.getLogger("slurm");

  private Path folder;
  private SlurmStage stage;

  @BeforeAll
  void start(@TempDir Path temporary) throws Exception {
    folder = temporary;
    stage = new SlurmStage(folder, SlurmPlan.of(5).gpus(1));
  }

  @AfterAll
  void stop() throws Exception {
    if (stage != null) {
      stage.close();
    }
  }

  @AfterEach
  void nothingIsLeft() throws Exception {
    stage.cluster.run("scancel", "--user=root").orFail();
    await("no job", () -> stage.cluster.run("squeue", "-h").output().isBlank());
  }

  private void await(String what, java.util.function.BooleanSupplier condition)
      throws InterruptedException {
    stage.await(what, condition);
  }

  private NodeView node(int number) {
    return stage.state.node("node" + number).orElseThrow();
  }

  private Optional<ActionView> last(int node, Request.Kind kind) {
    return stage.state.decisionsAbout("node" + node).stream()
        .flatMap(it -> it.actions().stream())
        .flatMap(it -> stage.state.action(it).stream())
        .filter(it -> it.request().kind() == kind)
        .reduce((_, later) -> later);
  }

  private boolean known(String job, JobDescription.State state, int attempt) {
    return stage
        .state
        .job("slurm-" + job)
        .map(it -> it.job())
        .filter(it -> it.state() == state && it.attempt() == attempt)
        .isPresent();
  }

  /** A phase of the loop, and when it was reached. */
  private record Phase(String name, Instant at) {}

  @Test
  void aFaultTakesTheNodeOutTheJobGoesOnElsewhereAndTheNodeComesBackVerified() throws Exception {
    List<Double> drained = new ArrayList<>();
    List<Double> running = new ArrayList<>();
    double own = slurmAlone();
    for (int loop = 0; loop < LOOPS; loop++) {
      List<Phase> phases = loop(loop);
      phases.forEach(
          it ->
              LOG.log(
                  System.Logger.Level.INFO,
                  "{0} {1} s",
                  it.name(),
                  seconds(phases.getFirst(), it)));
      drained.add(seconds(phases.getFirst(), phases.get(3)));
      running.add(seconds(phases.getFirst(), phases.get(5)));
    }
    drained.sort(null);
    running.sort(null);
    LOG.log(
        System.Logger.Level.INFO,
        "{0} loops: drained after {1} s, running again after {2} s (Slurm alone {3} s)",
        LOOPS,
        drained,
        running,
        own);
    assertThat(drained.get((int) Math.ceil(LOOPS * 0.95) - 1)).isLessThan(5);
    assertThat(running.get((int) Math.ceil(LOOPS * 0.95) - 1)).isLessThan(own + 5);
  }

  private List<Phase> loop(int number) throws Exception {
    Path log = folder.resolve("train-" + number + ".log");
    String job = stage.train(log, "--nodes=4");
    await("the job, known", () -> known(job, JobDescription.State.RUNNING, 0));
    assertThat(stage.state.job("slurm-" + job).orElseThrow().job().uses("node2")).isTrue();
    await("a checkpoint", () -> Files.exists(Path.of(log + ".step")));

    List<Phase> phases = new ArrayList<>();
    phases.add(new Phase("planted", Instant.now()));
    stage.breakGpu(2);
    await("a drained node", () -> stage.cluster.nodeState(2).startsWith("dra"));
    await(
        "the job, elsewhere",
        () ->
            stage.cluster.jobField(job, "Restarts").equals("1")
                && stage.cluster.jobState(job).equals("RUNNING"));
    Instant again = Instant.now();
    assertThat(stage.cluster.jobField(job, "NodeList")).doesNotContain("node2").contains("5");
    await("its second attempt, known", () -> known(job, JobDescription.State.RUNNING, 1));
    assertThat(node(2).service()).isEqualTo(Service.DRAINED);
    stage.mendGpu(2);
    Instant mended = Instant.now();
    await("the node, verified", () -> node(2).service() == Service.IN);
    await(
        "the node, resumed",
        () -> last(2, Request.Kind.UNCORDON).flatMap(it -> it.ended()).isPresent());
    await("the node, idle", () -> stage.cluster.nodeState(2).equals("idle"));

    IncidentView incident =
        stage.state.incidents().stream().reduce((_, later) -> later).orElseThrow();
    assertThat(incident.closedWhy()).startsWith("verified: passed: gpu.count");
    assertThat(incident.jobs()).containsExactly("slurm-" + job);
    assertThat(stage.state.openIncidents()).isEmpty();
    List<String> lines = Files.readAllLines(log);
    assertThat(lines).hasSize(2);
    assertThat(lines.getFirst()).startsWith("attempt 0 from 0 on ");
    assertThat(lines.getLast()).startsWith("attempt 1 from ").doesNotContain(" from 0 ");

    ActionView cordon = last(2, Request.Kind.CORDON).orElseThrow();
    ActionView requeue = last(2, Request.Kind.RESTART_JOB).orElseThrow();
    ActionView resume = last(2, Request.Kind.UNCORDON).orElseThrow();
    assertThat(cordon.answer()).contains(Answer.DONE);
    assertThat(requeue.detail()).contains("requeued job " + job).contains("excluded node2");
    assertThat(resume.detail()).isEqualTo("resumed");
    phases.add(new Phase("incident opened", incident.opened()));
    phases.add(new Phase("decided, durable", cordon.at()));
    phases.add(new Phase("drained in Slurm", cordon.ended().orElseThrow()));
    phases.add(new Phase("job requeued", requeue.ended().orElseThrow()));
    phases.add(new Phase("job running again", again));
    phases.add(new Phase("node mended", mended));
    phases.add(new Phase("node verified", node(2).serviceSince()));
    phases.add(new Phase("node resumed", resume.ended().orElseThrow()));
    stage.cluster.run("scancel", job).orFail();
    return phases;
  }

  /** How long Slurm itself takes from a requeue to the job's next start. */
  private double slurmAlone() throws Exception {
    String job = stage.cluster.submit("sleep 1000", "--nodes=4", "--output=/dev/null");
    await("a job", () -> stage.cluster.jobState(job).equals("RUNNING"));
    Instant from = Instant.now();
    stage.cluster.run("scontrol", "requeue", job).orFail();
    await(
        "its next attempt",
        () ->
            stage.cluster.jobField(job, "Restarts").equals("1")
                && stage.cluster.jobState(job).equals("RUNNING"));
    double seconds = Duration.between(from, Instant.now()).toMillis() / 1000.0;
    stage.cluster.run("scancel", job).orFail();
    return seconds;
  }

  private static double seconds(Phase from, Phase to) {
    return Duration.between(from.at(), to.at()).toMillis() / 1000.0;
  }

  @Test
  void aNodeAnOperatorDrainedIsNeverTouched() throws Exception {
    stage
        .cluster
        .run("scontrol", "update", "nodename=node3", "state=drain", "reason=new fans on Friday")
        .orFail();
    await("the drain, known", () -> !node(3).scheduling().orElseThrow().node().takesJobs());
    stage.breakGpu(3);
    await("no job there", () -> node(3).service() == Service.DRAINED);
    stage.mendGpu(3);
    await("an answer", () -> last(3, Request.Kind.UNCORDON).flatMap(it -> it.answer()).isPresent());

    assertThat(last(3, Request.Kind.CORDON).orElseThrow().detail())
        .isEqualTo("drained already by root (new fans on Friday), who is to resume it");
    assertThat(last(3, Request.Kind.UNCORDON).orElseThrow())
        .satisfies(it -> assertThat(it.answer()).contains(Answer.REFUSED))
        .satisfies(it -> assertThat(it.detail()).contains("new fans on Friday"));
    assertThat(stage.cluster.nodeState(3)).isEqualTo("drained");
    assertThat(stage.cluster.nodeReason(3)).isEqualTo("new fans on Friday");

    stage.cluster.run("scontrol", "update", "nodename=node3", "state=resume").orFail();
    await("the node, idle", () -> stage.cluster.nodeState(3).equals("idle"));
  }

  @Test
  void aControllerKilledDuringADecisionIsWaitedForAndNothingIsDoneTwice() throws Exception {
    Path log = folder.resolve("killed.log");
    Instant submitted = Instant.now();
    String job = stage.train(log, "--nodes=4");
    await("the job, known", () -> known(job, JobDescription.State.RUNNING, 0));
    stage.cluster.awaitSaved(submitted.plusSeconds(1));
    stage.cluster.killController();
    stage.breakGpu(4);
    await("a decision", () -> node(4).service() == Service.DRAINING);
    await(
        "that Slurm is away, shown",
        () -> !stage.control.link().orElseThrow().status().problem().isEmpty());
    assertThat(stage.state.job("slurm-" + job).orElseThrow().job().state())
        .as("the last good state")
        .isEqualTo(JobDescription.State.RUNNING);
    stage.cluster.startController();

    await(
        "the job, elsewhere or waiting", () -> stage.cluster.jobField(job, "Restarts").equals("1"));
    await("no job there", () -> node(4).service() == Service.DRAINED);
    stage.mendGpu(4);
    await("the node, verified", () -> node(4).service() == Service.IN);
    await(
        "the node, resumed",
        () -> last(4, Request.Kind.UNCORDON).flatMap(it -> it.ended()).isPresent());
    await("the job, again", () -> known(job, JobDescription.State.RUNNING, 1));
    assertThat(stage.cluster.jobField(job, "Restarts")).as("requeued once").isEqualTo("1");
    assertThat(Files.readAllLines(log)).hasSize(2);
    assertThat(last(4, Request.Kind.CORDON).orElseThrow().answer()).contains(Answer.DONE);
    assertThat(last(4, Request.Kind.RESTART_JOB).orElseThrow().answer()).contains(Answer.DONE);
  }
}
