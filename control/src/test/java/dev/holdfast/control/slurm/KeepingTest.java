package dev.holdfast.control.slurm;

import static dev.holdfast.control.slurm.StandInSlurm.job;
import static dev.holdfast.control.slurm.StandInSlurm.node;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.control.decide.Decider;
import dev.holdfast.control.decide.Input;
import dev.holdfast.control.state.ActionView;
import dev.holdfast.control.state.ClusterState;
import dev.holdfast.control.testing.Rules;
import dev.holdfast.control.testing.Told;
import dev.holdfast.core.cluster.JobDescription;
import dev.holdfast.core.cluster.JobMember;
import dev.holdfast.core.cluster.SchedulerNode;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.report.Request;
import dev.holdfast.core.report.Statement;
import dev.holdfast.core.report.Statement.Answer;
import dev.holdfast.core.slurm.ScontrolText;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is kept in order beside requests: exclusions that are no longer needed, health comments. */
class KeepingTest {
  private static final String SLURM = "slurm/c";

  @TempDir Path folder;
  private final ClusterState state = new ClusterState();
  private final Decider decider = new Decider(state, Rules.usual(), _ -> Rules.usual());
  private final Map<String, Told> sources = new HashMap<>();
  private Instant now = Instant.parse("2026-11-16T00:00:00Z");
  private StandInSlurm slurm;
  private Exclusions exclusions;

  @BeforeEach
  void start() throws IOException {
    slurm = new StandInSlurm(folder);
    SlurmPrograms programs = slurm.programs();
    exclusions = new Exclusions(programs, new CommandReader(programs));
    for (String name : List.of("n1", "n2")) {
      tell("node/" + name, Told.described(name, "r" + name, "l" + name));
      tell(SLURM, scheduled(name, true));
    }
  }

  private void tell(String source, Statement statement) {
    Told told = sources.computeIfAbsent(source, Told::new);
    var _ = decider.decide(new Input.Reported(source, List.of(told.say(statement))), now);
  }

  private static Statement scheduled(String node, boolean open) {
    return new Statement.Scheduled(
        new SchedulerNode(node, open ? "up" : "drain", open, false, !open, ""), false);
  }

  private static Statement told(JobDescription.State where, int attempt, String... nodes) {
    return new Statement.JobTold(
        new JobDescription(
            "slurm-7",
            "ann",
            where,
            attempt,
            attempt,
            Instant.EPOCH,
            List.of(nodes).stream().map(it -> new JobMember(it, 0, 1)).toList(),
            -1,
            0,
            Optional.empty(),
            0,
            List.of()));
  }

  private void answer(String target, Request.Kind kind, String detail) {
    String id =
        state.openActions(target).stream()
            .map(ActionView::request)
            .filter(it -> it.kind() == kind)
            .findFirst()
            .orElseThrow()
            .id();
    tell(target, new Statement.Answered(id, Answer.DONE, detail));
  }

  /** The job was requeued from n1 and excludes it, and so does its owner n9. */
  private void excluded() {
    tell(SLURM, told(JobDescription.State.RUNNING, 0, "n1"));
    tell("node/n1", Told.lostGpu("n1", 5));
    answer(SLURM, Request.Kind.CORDON, "drained");
    answer(SLURM, Request.Kind.RESTART_JOB, "requeued job 7, excluded n1");
    tell(SLURM, told(JobDescription.State.WAITING, 1));
    tell(SLURM, scheduled("n1", false));
    slurm.answer("jobs", job(7, "PENDING", 1, ""));
    slurm.answer(
        "job-7", "JobId=7 JobName=a\n   JobState=PENDING Reason=x\n   ExcNodeList=n[1,9]\n\n");
  }

  private int lift() throws SlurmAway {
    return exclusions.lift(state, SLURM, now);
  }

  @Test
  void anExclusionIsTakenBackWhenTheNodeIsBackAndTheJobStillWaits() throws Exception {
    excluded();
    now = now.plus(Exclusions.PATIENCE).plusSeconds(1);
    assertThat(lift()).as("the node is out").isZero();
    tell("node/n1", new Statement.Cleared("gpu.reachable", new Subject.Node("n1").gpu(5), "there"));
    answer(SLURM, Request.Kind.RESERVE, "reserved");
    answer("node/n1", Request.Kind.VERIFY, "passed");
    answer(SLURM, Request.Kind.UNCORDON, "resumed");
    assertThat(lift()).as("Slurm has not opened it yet").isZero();
    tell(SLURM, scheduled("n1", true));
    assertThat(slurm.changes()).isEmpty();
    assertThat(lift()).isEqualTo(1);
    assertThat(slurm.changes()).containsExactly("scontrol update jobid=7 excnodelist=n9");
  }

  @Test
  void aJobLooksForOtherNodesFirstAndOneThatRunsIsLeftAlone() throws Exception {
    excluded();
    tell("node/n1", new Statement.Cleared("gpu.reachable", new Subject.Node("n1").gpu(5), "there"));
    answer(SLURM, Request.Kind.RESERVE, "reserved");
    answer("node/n1", Request.Kind.VERIFY, "passed");
    answer(SLURM, Request.Kind.UNCORDON, "resumed");
    tell(SLURM, scheduled("n1", true));
    assertThat(lift()).as("too early").isZero();
    now = now.plus(Duration.ofMinutes(5));
    tell(SLURM, told(JobDescription.State.RUNNING, 1, "n2"));
    assertThat(lift()).isZero();
    assertThat(slurm.changes()).isEmpty();
  }

  private void write(String nodes) throws SlurmAway {
    new HealthComments(state, slurm.programs())
        .write(new ScontrolText(ZoneOffset.UTC).nodes(nodes).items());
  }

  @Test
  void healthIsWrittenWhereItChangedAndNoWordOfOthersIsOverwritten() throws Exception {
    tell("node/n1", Told.lostGpu("n1", 5));
    write(
        node("n1", "IDLE", "Comment=holdfast: health 100")
            + node("n2", "IDLE", "Comment=bought 2024, see Ann")
            + node("x1", "IDLE"));
    assertThat(slurm.changes())
        .containsExactly("scontrol update nodename=n1 comment=holdfast: health 0 (gpu.reachable)");
    write(node("n1", "IDLE", "Comment=holdfast: health 0 (gpu.reachable)") + node("n2", "IDLE"));
    assertThat(slurm.changes().subList(1, slurm.changes().size()))
        .containsExactly("scontrol update nodename=n2 comment=holdfast: health 100");
  }
}
