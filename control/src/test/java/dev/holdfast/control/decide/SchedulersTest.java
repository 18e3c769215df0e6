package dev.holdfast.control.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.control.entry.Entry;
import dev.holdfast.control.entry.NodeEntry;
import dev.holdfast.control.entry.Service;
import dev.holdfast.control.entry.Stand;
import dev.holdfast.control.state.ActionView;
import dev.holdfast.control.state.ClusterState;
import dev.holdfast.control.testing.Rules;
import dev.holdfast.control.testing.Told;
import dev.holdfast.core.cluster.JobDescription;
import dev.holdfast.core.cluster.JobMember;
import dev.holdfast.core.cluster.SchedulerNode;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.report.Report;
import dev.holdfast.core.report.Request;
import dev.holdfast.core.report.Statement;
import dev.holdfast.core.report.Statement.Answer;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is decided about nodes a scheduler keeps, however the scheduler and people there behave. */
class SchedulersTest {
  private static final String SLURM = "slurm/c";

  private final ClusterState state = new ClusterState();
  private final Map<String, Told> sources = new HashMap<>();
  private final Decider decider = new Decider(state, Rules.usual(), _ -> Rules.usual());
  private Instant now = Instant.parse("2026-11-15T00:00:00Z");

  private List<Entry> tell(String source, Statement... statements) {
    Told told = sources.computeIfAbsent(source, Told::new);
    List<Report> reports = Arrays.stream(statements).map(told::say).toList();
    return decider.decide(new Input.Reported(source, reports), now).entries();
  }

  private void later(Duration time) {
    now = now.plus(time);
    decider.decide(new Input.Tick(), now);
  }

  private static Statement up(String node) {
    return new Statement.Scheduled(new SchedulerNode(node, "up", true, false, false, ""), false);
  }

  private static Statement drained(String node, boolean used, boolean ours) {
    return new Statement.Scheduled(
        new SchedulerNode(node, "drain", false, used, ours, "why"), false);
  }

  private static Statement again(Statement scheduled) {
    return new Statement.Scheduled(((Statement.Scheduled) scheduled).node(), true);
  }

  private static Statement job(JobDescription.State where, int attempt, String... nodes) {
    return new Statement.JobTold(
        new JobDescription(
            "slurm-7",
            "ann",
            where,
            attempt,
            attempt,
            Instant.EPOCH,
            Arrays.stream(nodes).map(it -> new JobMember(it, 0, 1)).toList(),
            -1,
            0,
            Optional.empty(),
            0,
            List.of()));
  }

  private Optional<Request> asked(String target, Request.Kind kind) {
    return state.openActions(target).stream()
        .map(ActionView::request)
        .filter(it -> it.kind() == kind)
        .findFirst();
  }

  private void answer(String target, Request.Kind kind, Answer answer) {
    tell(
        target, new Statement.Answered(asked(target, kind).orElseThrow().id(), answer, "so it is"));
  }

  private Service service() {
    return state.node("n1").orElseThrow().service();
  }

  private void broken() {
    for (int i = 0; i < 4; i++) {
      tell("node/n" + i, Told.described("n" + i, "rack" + i, "leaf" + i));
      tell(SLURM, up("n" + i));
    }
    tell(SLURM, job(JobDescription.State.RUNNING, 3, "n1", "n2"));
    tell("node/n1", Told.lostGpu("n1", 5));
  }

  private void out() {
    broken();
    tell(SLURM, drained("n1", true, true));
    answer(SLURM, Request.Kind.CORDON, Answer.DONE);
    answer(SLURM, Request.Kind.RESTART_JOB, Answer.DONE);
    tell(SLURM, job(JobDescription.State.WAITING, 4), drained("n1", false, true));
  }

  private void mended() {
    tell(
        "node/n1",
        new Statement.Cleared("gpu.reachable", new Subject.Node("n1").gpu(5), "answers"));
  }

  /** It may come back; the scheduler was not told yet. */
  private void verified() {
    out();
    mended();
    answer(SLURM, Request.Kind.RESERVE, Answer.DONE);
    answer("node/n1", Request.Kind.VERIFY, Answer.DONE);
  }

  @Test
  void theSchedulerIsAskedAndTheNodeIsEmptyOnlyWhenItSaysSo() {
    broken();
    assertThat(service()).isEqualTo(Service.DRAINING);
    assertThat(state.openActions("node/n1")).isEmpty();
    assertThat(asked(SLURM, Request.Kind.CORDON)).isPresent();
    assertThat(asked(SLURM, Request.Kind.RESTART_JOB).orElseThrow())
        .satisfies(it -> assertThat(it.job()).isEqualTo("slurm-7"))
        .satisfies(it -> assertThat(it.attempt()).as("the one that is meant").isEqualTo(3));
    tell(SLURM, job(JobDescription.State.WAITING, 4));
    assertThat(service()).as("jobs may still begin there").isEqualTo(Service.DRAINING);
    tell(SLURM, drained("n1", true, true));
    assertThat(service()).as("somebody is still there").isEqualTo(Service.DRAINING);
    tell(SLURM, drained("n1", false, true));
    assertThat(service()).isEqualTo(Service.DRAINED);
  }

  @Test
  void aVerifiedNodeIsResumedByTheSchedulerThatDrainedIt() {
    verified();
    answer(SLURM, Request.Kind.RELEASE, Answer.DONE);
    assertThat(service()).isEqualTo(Service.IN);
    answer(SLURM, Request.Kind.UNCORDON, Answer.DONE);
    tell(SLURM, up("n1"));
    later(Duration.ofHours(1));
    assertThat(state.openActions(SLURM)).isEmpty();
    assertThat(state.openIncidents()).isEmpty();
  }

  @Test
  void aNodeThatBreaksWhileItIsOpenedIsNotTakenForEmpty() {
    verified();
    answer(SLURM, Request.Kind.RELEASE, Answer.DONE);
    tell(SLURM, drained("n1", false, false)); // as Slurm has it: its reservation is just going
    answer(SLURM, Request.Kind.UNCORDON, Answer.DONE);
    later(Duration.ofSeconds(2));
    tell("node/n1", Told.lostGpu("n1", 5));
    assertThat(service()).as("a job may have come meanwhile").isEqualTo(Service.DRAINING);
    tell(SLURM, drained("n1", true, true));
    answer(SLURM, Request.Kind.CORDON, Answer.DONE);
    assertThat(service()).isEqualTo(Service.DRAINING);
    tell(SLURM, job(JobDescription.State.RUNNING, 4, "n1"));
    later(Duration.ofSeconds(1));
    assertThat(asked(SLURM, Request.Kind.RESTART_JOB).orElseThrow().attempt()).isEqualTo(4);
    answer(SLURM, Request.Kind.RESTART_JOB, Answer.DONE);
    tell(SLURM, job(JobDescription.State.WAITING, 5), drained("n1", false, true));
    assertThat(service()).isEqualTo(Service.DRAINED);
  }

  @Test
  void aNodeThatIsEmptyAlreadyIsOutAsSoonAsTheSchedulerAnswers() {
    verified();
    later(Duration.ofSeconds(2));
    tell("node/n1", Told.lostGpu("n1", 5)); // the resume was not carried out yet
    answer(SLURM, Request.Kind.RELEASE, Answer.DONE);
    answer(SLURM, Request.Kind.UNCORDON, Answer.REFUSED);
    answer(SLURM, Request.Kind.CORDON, Answer.DONE);
    assertThat(service()).as("as it was said to be all the time").isEqualTo(Service.DRAINED);
  }

  @Test
  void aNodeIsReservedBeforeItIsVerifiedAndReleasedBeforeItIsResumed() {
    out();
    mended();
    assertThat(service()).isEqualTo(Service.VERIFYING);
    assertThat(state.openActions("node/n1")).as("not before it is reserved").isEmpty();
    answer(SLURM, Request.Kind.RESERVE, Answer.DONE);
    assertThat(asked("node/n1", Request.Kind.VERIFY).orElseThrow().checks())
        .containsExactly("gpu.reachable");
    answer("node/n1", Request.Kind.VERIFY, Answer.DONE);
    assertThat(
            state.openActions(SLURM).stream()
                .map(ActionView::request)
                .sorted(Comparator.comparing(Request::id, Subject.NATURAL)))
        .extracting(Request::kind)
        .containsExactly(Request.Kind.RELEASE, Request.Kind.UNCORDON);
  }

  @Test
  void aNodeThatCannotBeReservedIsVerifiedAllTheSame() {
    out();
    mended();
    answer(SLURM, Request.Kind.RESERVE, Answer.FAILED);
    answer("node/n1", Request.Kind.VERIFY, Answer.FAILED);
    assertThat(service()).isEqualTo(Service.DRAINED);
    assertThat(asked(SLURM, Request.Kind.RELEASE)).as("whatever came of it").isPresent();
    assertThat(asked(SLURM, Request.Kind.UNCORDON)).isEmpty();
  }

  @Test
  void aNodeSomebodyOpensBeforeItIsReservedIsNotVerified() {
    out();
    mended();
    tell(SLURM, up("n1"));
    assertThat(service()).as("a person has the last word").isEqualTo(Service.IN);
    answer(SLURM, Request.Kind.RESERVE, Answer.DONE);
    assertThat(state.openActions("node/n1")).isEmpty();
    assertThat(asked(SLURM, Request.Kind.RELEASE)).isPresent();
  }

  @Test
  void aResumeThatDidNotComeOffIsAskedForAgain() {
    verified();
    answer(SLURM, Request.Kind.RELEASE, Answer.DONE);
    answer(SLURM, Request.Kind.UNCORDON, Answer.FAILED);
    later(Duration.ofSeconds(30));
    assertThat(state.openActions(SLURM)).isEmpty();
    later(Duration.ofSeconds(31));
    assertThat(asked(SLURM, Request.Kind.UNCORDON)).isPresent();
    later(Duration.ofSeconds(61));
    assertThat(state.openActions(SLURM)).as("one at a time").hasSize(1);
  }

  @Test
  void aDrainTheSchedulerForgotInACrashIsAskedForAgain() {
    out();
    tell(SLURM, again(up("n1")));
    assertThat(service()).isEqualTo(Service.DRAINED);
    assertThat(asked(SLURM, Request.Kind.CORDON)).isPresent();
  }

  @Test
  void aJobThatCameWhileTheSchedulerHadForgottenTheDrainIsAskedToLeave() {
    out();
    tell(SLURM, again(up("n1")), job(JobDescription.State.RUNNING, 4, "n1"));
    tell(SLURM, drained("n1", true, true));
    answer(SLURM, Request.Kind.CORDON, Answer.DONE);
    later(Duration.ofSeconds(1));
    assertThat(asked(SLURM, Request.Kind.RESTART_JOB).orElseThrow().attempt()).isEqualTo(4);
    later(Duration.ofSeconds(1));
    assertThat(state.openActions(SLURM)).as("once").hasSize(1);
    mended();
    assertThat(service()).as("not while somebody is there").isEqualTo(Service.DRAINED);
    answer(SLURM, Request.Kind.RESTART_JOB, Answer.DONE);
    tell(SLURM, job(JobDescription.State.WAITING, 5), drained("n1", false, true));
    assertThat(service()).isEqualTo(Service.VERIFYING);
  }

  @Test
  void aJobOnANodeAPersonTookOutIsThatPersons() {
    broken();
    answer(SLURM, Request.Kind.CORDON, Answer.DONE);
    answer(SLURM, Request.Kind.RESTART_JOB, Answer.DONE);
    tell(SLURM, job(JobDescription.State.WAITING, 4));
    tell(SLURM, up("n1")); // somebody resumed it
    tell(SLURM, drained("n1", false, false)); // and closed it again for reasons of his own
    tell(SLURM, job(JobDescription.State.RUNNING, 5, "n1"), drained("n1", true, false));
    later(Duration.ofMinutes(2));
    assertThat(state.openActions(SLURM)).isEmpty();
  }

  @Test
  void aRequeueTheSchedulerForgotInACrashIsAskedForOnceMore() {
    broken();
    tell(SLURM, drained("n1", true, true));
    answer(SLURM, Request.Kind.CORDON, Answer.DONE);
    String id = asked(SLURM, Request.Kind.RESTART_JOB).orElseThrow().id();
    tell(SLURM, new Statement.Answered(id, Answer.DONE, "requeued job 7"));
    tell(SLURM, job(JobDescription.State.FAILED, 3));
    assertThat(asked(SLURM, Request.Kind.RESTART_JOB).orElseThrow().attempt()).isEqualTo(3);
    answer(SLURM, Request.Kind.RESTART_JOB, Answer.DONE);
    tell(SLURM, job(JobDescription.State.WAITING, 4));
    tell(SLURM, job(JobDescription.State.RUNNING, 4, "n2"), job(JobDescription.State.FAILED, 4));
    assertThat(asked(SLURM, Request.Kind.RESTART_JOB)).as("its own failure").isEmpty();
  }

  @Test
  void aJobThatRunsOnAfterItsRequeueWasForgottenIsAskedAgainInSeconds() {
    broken();
    tell(SLURM, drained("n1", true, true));
    answer(SLURM, Request.Kind.CORDON, Answer.DONE);
    answer(SLURM, Request.Kind.RESTART_JOB, Answer.DONE);
    later(Duration.ofSeconds(9));
    assertThat(asked(SLURM, Request.Kind.RESTART_JOB)).as("it may be on its way").isEmpty();
    later(Duration.ofSeconds(1));
    assertThat(asked(SLURM, Request.Kind.RESTART_JOB).orElseThrow().attempt()).isEqualTo(3);
    later(Duration.ofSeconds(10));
    assertThat(state.openActions(SLURM)).as("one at a time").hasSize(1);
    answer(SLURM, Request.Kind.RESTART_JOB, Answer.DONE);
    tell(SLURM, job(JobDescription.State.STOPPING, 3, "n1", "n2"));
    later(Duration.ofSeconds(10));
    assertThat(asked(SLURM, Request.Kind.RESTART_JOB)).as("it leaves").isEmpty();
  }

  @Test
  void aRequeueThatIsRefusedIsNotAskedForEveryFewSeconds() {
    broken();
    answer(SLURM, Request.Kind.RESTART_JOB, Answer.REFUSED);
    later(Duration.ofSeconds(59));
    assertThat(asked(SLURM, Request.Kind.RESTART_JOB)).isEmpty();
    later(Duration.ofSeconds(1));
    assertThat(asked(SLURM, Request.Kind.RESTART_JOB)).isPresent();
  }

  @Test
  void aPersonWhoResumesTheNodeInTheSchedulerHasTheLastWord() {
    broken();
    tell(SLURM, drained("n1", true, true));
    answer(SLURM, Request.Kind.CORDON, Answer.DONE);
    tell(SLURM, up("n1"));
    assertThat(service()).isEqualTo(Service.IN);
    assertThat(state.node("n1").orElseThrow().actor()).isEqualTo(SLURM);
    assertThat(state.decision("d-1").orElseThrow().stand()).isEqualTo(Stand.REJECTED);
    later(Duration.ofHours(1));
    assertThat(asked(SLURM, Request.Kind.CORDON)).isEmpty();
  }

  @Test
  void aLauncherKnowsMoreOfItsJobButNotThatItWaitsOrIsOver() {
    broken();
    tell("run/slurm-7", job(JobDescription.State.RUNNING, 0, "n1", "n2"));
    assertThat(tell(SLURM, job(JobDescription.State.RUNNING, 3, "n1", "n2", "n3")))
        .noneMatch(it -> it.kind().equals("job.told"));
    tell(SLURM, job(JobDescription.State.WAITING, 4));
    assertThat(state.job("slurm-7").orElseThrow().source()).isEqualTo(SLURM);
    tell("run/slurm-7", job(JobDescription.State.FINISHED, 0, "n1"));
    tell(SLURM, job(JobDescription.State.FAILED, 4));
    assertThat(state.job("slurm-7").orElseThrow().job().state())
        .isEqualTo(JobDescription.State.FINISHED);
  }

  @Test
  void nobodyElseSpeaksForASchedulerAndStrangersAreNotTakenIn() {
    broken();
    assertThat(tell("site/x", drained("n1", false, false)))
        .noneMatch(it -> it instanceof NodeEntry.Scheduled);
    assertThat(tell("node/n1", drained("n1", false, false)))
        .noneMatch(it -> it instanceof NodeEntry.Scheduled);
    tell(SLURM, up("stranger"));
    assertThat(state.node("stranger")).isEmpty();
  }

  @Test
  void whatIsSoAlreadyIsNotWrittenDownAgain() {
    broken();
    assertThat(tell(SLURM, up("n2"), again(up("n3"))))
        .extracting(Entry::kind)
        .containsExactly("source.heard");
  }

  @Test
  void aNodeTheSchedulerHasClosedIsNoSpare() {
    broken();
    assertThat(state.spares(8)).isEqualTo(2);
    tell(SLURM, drained("n3", false, false));
    assertThat(state.spares(8)).isEqualTo(1);
  }
}
