package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.control.entry.Service;
import dev.holdfast.control.slurm.SlurmStatus;
import dev.holdfast.control.state.ActionView;
import dev.holdfast.control.state.IncidentView;
import dev.holdfast.control.state.NodeView;
import dev.holdfast.core.cluster.JobDescription;
import dev.holdfast.core.report.Request;
import dev.holdfast.core.report.Statement.Answer;
import dev.holdfast.testing.slurm.SlurmPlan;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

  private static List<String> lines(Path log) {
    try {
      return Files.readAllLines(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
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
        () ->
            last(2, Request.Kind.UNCORDON)
                .filter(it -> it.at().isAfter(mended)) // not the one of the loop before
                .flatMap(it -> it.ended())
                .isPresent());
    await("the node, idle", () -> stage.cluster.nodeState(2).equals("idle"));

    IncidentView incident =
        stage.state.incidents().stream().reduce((_, later) -> later).orElseThrow();
    assertThat(incident.closedWhy()).startsWith("verified: passed: gpu.count");
    assertThat(incident.jobs()).containsExactly("slurm-" + job);
    assertThat(stage.state.openIncidents()).isEmpty();
    List<String> lines = lines(log);
    assertThat(lines).hasSize(2);
    assertThat(lines.getFirst()).startsWith("attempt 0 from 0 on ");
    assertThat(lines.getLast()).startsWith("attempt 1 from ").doesNotContain(" from 0 ");

    ActionView cordon = last(2, Request.Kind.CORDON).orElseThrow();
    ActionView requeue = last(2, Request.Kind.RESTART_JOB).orElseThrow();
    ActionView resume = last(2, Request.Kind.UNCORDON).orElseThrow();
    assertThat(cordon.answer()).contains(Answer.DONE);
    assertThat(requeue.detail()).contains("requeued job " + job).contains("excluded node2");
    assertThat(resume.detail()).isEqualTo("resumed");
    ActionView reserve = last(2, Request.Kind.RESERVE).orElseThrow();
    assertThat(reserve.detail()).isEqualTo("reserved as holdfast-verify-node2");
    assertThat(reserve.ended().orElseThrow())
        .isBeforeOrEqualTo(last(2, Request.Kind.VERIFY).orElseThrow().at());
    assertThat(last(2, Request.Kind.RELEASE).orElseThrow().detail())
        .isEqualTo("removed reservation holdfast-verify-node2");
    assertThat(stage.cluster.run("scontrol", "show", "reservation").text())
        .contains("No reservations");
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
  void aJobThatMayNotBeRequeuedIsCancelledAndHealthStandsInTheComment() throws Exception {
    String job =
        stage.cluster.submit(
            "sleep 1000", "--no-requeue", "--nodelist=node1", "--output=/dev/null");
    await("the job, known", () -> known(job, JobDescription.State.RUNNING, 0));
    await("health", () -> comment(1).equals("holdfast: health 100"));
    stage.breakGpu(1);
    await("its end", () -> stage.cluster.jobState(job).equals("CANCELLED"));
    await("the node, drained", () -> node(1).service() == Service.DRAINED);
    assertThat(last(1, Request.Kind.RESTART_JOB).orElseThrow())
        .satisfies(it -> assertThat(it.answer()).contains(Answer.DONE))
        .satisfies(it -> assertThat(it.detail()).startsWith("cancelled job " + job));
    assertThat(stage.cluster.jobField(job, "Restarts")).isEqualTo("0");
    await("worse health", () -> comment(1).equals("holdfast: health 0 (gpu.count)"));
    back(1);
    await("health again", () -> comment(1).equals("holdfast: health 100"));
  }

  private String comment(int node) {
    return stage
        .cluster
        .run("scontrol", "show", "node", "node" + node)
        .orFail()
        .lines()
        .map(String::strip)
        .filter(it -> it.startsWith("Comment="))
        .map(it -> it.substring("Comment=".length()))
        .findFirst()
        .orElse("");
  }

  private void back(int node) throws Exception {
    stage.mendGpu(node);
    await("the node, verified", () -> node(node).service() == Service.IN);
    await(
        "the node, resumed",
        () -> last(node, Request.Kind.UNCORDON).flatMap(it -> it.ended()).isPresent());
  }

  /** The number of an array is that of one of its tasks, too. */
  @Test
  void ofAnArrayOnlyTheTaskOnTheBrokenNodeIsRequeued() throws Exception {
    String array =
        stage.cluster.submit(
            "sleep 1000",
            "--array=1-2",
            "--nodes=1",
            "--exclusive",
            "--requeue",
            "--exclude=node" + SlurmStage.REAL,
            "--output=/dev/null");
    await("its tasks", () -> tasks(array).stream().filter(it -> it.contains("|R|0|")).count() == 2);
    List<String> tasks = tasks(array);
    String first =
        tasks.stream().filter(it -> it.startsWith(array + "|")).findFirst().orElseThrow();
    String other = tasks.stream().filter(it -> !it.equals(first)).findFirst().orElseThrow();
    await("the task, known", () -> known(array, JobDescription.State.RUNNING, 0));
    int node = Integer.parseInt(first.replaceFirst(".*\\|node(\\d+)\\|$", "$1"));
    stage.breakGpu(node);
    await("its requeue", () -> tasks(array).stream().anyMatch(it -> it.contains("|1|")));
    assertThat(last(node, Request.Kind.RESTART_JOB).orElseThrow().request().job())
        .isEqualTo("slurm-" + array);
    await(
        "an answer",
        () -> last(node, Request.Kind.RESTART_JOB).flatMap(it -> it.answer()).isPresent());
    assertThat(last(node, Request.Kind.RESTART_JOB).orElseThrow().detail())
        .startsWith("requeued job " + array + "_");
    assertThat(tasks(array)).as("the other task goes on").contains(other);
    back(node);
  }

  /** Number, state, restarts and node of each task. */
  private List<String> tasks(String array) {
    return stage
        .cluster
        .run(
            "squeue",
            "--noheader",
            "--array",
            "--states=all",
            "--jobs=" + array,
            "--Format=JobID:|,StateCompact:|,RestartCnt:|,NodeList:|")
        .output()
        .lines()
        .map(String::strip)
        .toList();
  }

  /** What a look asks of slurmctld, counted there; more looks by hand, for figures. */
  @Test
  void aLookAtSlurmIsThreeProgramsAndSoManyRequestsToTheController() throws Exception {
    int looks = Integer.getInteger("holdfast.slurm.looks", 3);
    String job = stage.train(folder.resolve("cost.log"), "--nodes=2");
    await("the job, known", () -> known(job, JobDescription.State.RUNNING, 0));
    await("no request", () -> stage.state.openActions().isEmpty());
    SlurmStatus before = looked(1);
    stage.cluster.run("sdiag", "--reset").orFail();
    Instant from = Instant.now();
    SlurmStatus after = looked(looks);
    Map<String, Rpc> rpcs = Rpc.read(stage.cluster.run("sdiag").orFail());
    rpcs.remove("REQUEST_STATS_INFO"); // sdiag itself
    long requests = rpcs.values().stream().mapToLong(Rpc::count).sum();
    double micros = rpcs.values().stream().mapToDouble(it -> it.count() * it.micros()).sum();
    LOG.log(
        System.Logger.Level.INFO,
        "{0} looks in {1} s: {2} programs, {3} requests, {4} us in slurmctld: {5}",
        after.reads() - before.reads(),
        Duration.between(from, Instant.now()).toMillis() / 1000.0,
        after.calls() - before.calls(),
        requests,
        micros,
        rpcs);
    long read = after.reads() - before.reads();
    assertThat(after.calls() - before.calls()).as("programs").isLessThanOrEqualTo(3 * read + 1);
    assertThat(requests).as("%s", rpcs).isPositive().isLessThanOrEqualTo(6 * (read + 1));
  }

  /** How it stands after so many more looks; asks nothing of Slurm meanwhile. */
  private SlurmStatus looked(int more) throws Exception {
    long wanted = stage.control.link().orElseThrow().status().reads() + more;
    await(more + " looks", () -> stage.control.link().orElseThrow().status().reads() >= wanted);
    return stage.control.link().orElseThrow().status();
  }

  /** What clients asked of slurmctld, and how long one takes there. */
  private record Rpc(long count, double micros) {
    private static final Pattern LINE =
        Pattern.compile(
            "^\\s+(REQUEST_\\w+_INFO\\w*)\\s+\\(\\s*\\d+\\) count:(\\d+)\\s+ave_time:(\\d+)",
            Pattern.MULTILINE);

    static Map<String, Rpc> read(String sdiag) {
      Map<String, Rpc> found = new TreeMap<>();
      for (Matcher line = LINE.matcher(sdiag); line.find(); ) {
        found.put(
            line.group(1),
            new Rpc(Long.parseLong(line.group(2)), Double.parseDouble(line.group(3))));
      }
      return found;
    }
  }

  @Test
  void aNodeAnOperatorDrainedIsNeverTouched() throws Exception {
    stage
        .cluster
        .run(
            "scontrol",
            "create",
            "reservation",
            "reservationname=friday",
            "starttime=now+1hour",
            "duration=60",
            "users=root",
            "nodes=node3")
        .orFail();
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
    assertThat(last(3, Request.Kind.RESERVE).orElseThrow().answer()).contains(Answer.REFUSED);
    assertThat(stage.cluster.run("scontrol", "show", "reservation").orFail())
        .contains("ReservationName=friday")
        .doesNotContain("holdfast");

    stage.cluster.run("scontrol", "delete", "reservationname=friday").orFail();
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
    await("a word of it", () -> lines(log).size() > 1); // Slurm says so before its script begins
    assertThat(stage.cluster.jobField(job, "Restarts")).as("requeued once").isEqualTo("1");
    assertThat(lines(log)).hasSize(2);
    assertThat(last(4, Request.Kind.CORDON).orElseThrow().answer()).contains(Answer.DONE);
    assertThat(last(4, Request.Kind.RESTART_JOB).orElseThrow().answer()).contains(Answer.DONE);
  }
}
