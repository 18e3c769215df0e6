package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.control.entry.Service;
import dev.holdfast.control.entry.Stand;
import dev.holdfast.control.state.ActionView;
import dev.holdfast.core.report.Request;
import dev.holdfast.core.report.Statement.Answer;
import dev.holdfast.testing.slurm.SlurmPlan;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Nodes that break and are mended at any time, several at once, under jobs that go on, while
 * slurmctld is killed now and then: in the end every node is back and every job is still there.
 */
class SlurmCyclesIT {
  private static final int CYCLES = Integer.getInteger("holdfast.slurm.cycles", 20);
  private static final int KILL_EVERY = 15;
  private static final int JOBS = 3;
  private static final System.Logger LOG = System.getLogger("slurm");

  @TempDir Path folder;

  @Test
  @Timeout(1200)
  void noNodeIsLeftDrainedAndNoJobIsLostHoweverFaultsComeAndGo() throws Exception {
    try (SlurmStage stage = new SlurmStage(folder, SlurmPlan.of(5).gpus(1).set("KillWait", "1"))) {
      List<String> jobs = new ArrayList<>();
      for (int i = 0; i < JOBS; i++) {
        jobs.add(stage.train(folder.resolve("job" + i + ".log"), "--nodes=1", "--exclusive"));
      }
      stage.cluster.awaitSaved(Instant.now().plusSeconds(1));
      Instant begun = Instant.now();
      AtomicInteger left = new AtomicInteger(CYCLES);
      try (ExecutorService nodes = Executors.newCachedThreadPool()) {
        List<Future<?>> all = new ArrayList<>();
        for (int node = 1; node <= stage.cluster.nodes(); node++) {
          int number = node;
          all.add(nodes.submit(() -> cycles(stage, number, left)));
        }
        int killed = kills(stage, left);
        for (Future<?> each : all) {
          each.get();
        }
        Duration took = Duration.between(begun, Instant.now());
        stage.await("every node back", () -> settled(stage));
        int byHand = operate(stage, jobs);
        stage.await(
            "every job",
            () -> jobs.stream().allMatch(it -> stage.cluster.jobState(it).equals("RUNNING")));
        long drains = done(stage, Request.Kind.CORDON);
        LOG.log(
            System.Logger.Level.INFO,
            "{0} cycles in {1} s: {2}; slurmctld killed {3} times, {4} seen to by hand",
            CYCLES,
            took.toSeconds(),
            answers(stage),
            killed,
            byHand);
        assertThat(drains).as("drains").isGreaterThan(CYCLES / 2);
        assertThat(stage.state.openIncidents()).isEmpty();
        assertThat(stage.state.openDecisions()).noneMatch(it -> it.stand() == Stand.ACTING);
      }
    }
  }

  /** One node's share: breaks, is mended some time later, must come back. */
  private static Object cycles(SlurmStage stage, int node, AtomicInteger left) throws Exception {
    Random random = new Random(node);
    while (left.getAndDecrement() > 0) {
      Thread.sleep(random.nextInt(1_000));
      stage.breakGpu(node);
      if (random.nextBoolean()) {
        stage.await("node" + node + " out", () -> out(stage, node));
      }
      Thread.sleep(random.nextInt(2_000));
      stage.mendGpu(node);
      stage.await("node" + node + " back", () -> !out(stage, node));
    }
    return "";
  }

  private static boolean out(SlurmStage stage, int node) {
    return stage.state.node("node" + node).orElseThrow().service() != Service.IN;
  }

  private static int kills(SlurmStage stage, AtomicInteger left) throws Exception {
    Random random = new Random(0);
    int killed = 0;
    int next = CYCLES - KILL_EVERY / 2;
    while (left.get() > 0) {
      if (left.get() <= next) {
        next -= KILL_EVERY;
        killed++;
        stage.cluster.killController();
        Thread.sleep(random.nextInt(3_000));
        stage.cluster.startController();
      }
      Thread.sleep(100);
    }
    return killed;
  }

  private static boolean settled(SlurmStage stage) {
    return stage.state.openActions().isEmpty()
        && stage.state.nodes().stream()
            .allMatch(
                it -> it.service() == Service.IN && !it.scheduling().orElseThrow().node().ours());
  }

  /**
   * What Slurm itself did to nodes and jobs when slurmctld was killed in the middle of a requeue is
   * for its operator: it drains a node for a duplicate job id and holds the job. Tells how often.
   */
  private static int operate(SlurmStage stage, List<String> jobs) {
    int seenTo = 0;
    for (int node = 1; node <= stage.cluster.nodes(); node++) {
      if (stage.cluster.nodeState(node).startsWith("drain")) {
        assertThat(stage.cluster.nodeReason(node)).as("not ours").doesNotStartWith("holdfast");
        stage.cluster.run("scontrol", "update", "nodename=node" + node, "state=resume").orFail();
        seenTo++;
      }
    }
    for (String job : jobs) {
      if (stage.cluster.jobField(job, "Priority").equals("0")) {
        stage.cluster.run("scontrol", "release", job).orFail();
        seenTo++;
      }
    }
    return seenTo;
  }

  private static Stream<ActionView> actions(SlurmStage stage) {
    return stage.state.decisions().stream()
        .flatMap(it -> it.actions().stream())
        .flatMap(it -> stage.state.action(it).stream());
  }

  private static long done(SlurmStage stage, Request.Kind kind) {
    return actions(stage)
        .filter(it -> it.request().kind() == kind && it.answer().orElse(null) == Answer.DONE)
        .count();
  }

  /** What was asked for how often, by what came of it. */
  private static Map<String, Long> answers(SlurmStage stage) {
    return actions(stage)
        .collect(
            Collectors.groupingBy(
                it ->
                    it.request().kind()
                        + " "
                        + it.answer().map(Enum::name).orElse("not answered")
                        + (it.answer().orElse(null) == Answer.DONE ? "" : ": " + it.detail()),
                TreeMap::new,
                Collectors.counting()));
  }
}
