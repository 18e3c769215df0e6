package dev.holdfast.control.slurm;

import static dev.holdfast.control.slurm.StandInSlurm.job;
import static dev.holdfast.control.slurm.StandInSlurm.node;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.control.ControlPlane;
import dev.holdfast.control.decide.Input;
import dev.holdfast.control.decide.Wish;
import dev.holdfast.control.entry.Entry;
import dev.holdfast.control.entry.JobEntry;
import dev.holdfast.control.entry.Service;
import dev.holdfast.control.journal.Journal;
import dev.holdfast.control.state.ClusterState;
import dev.holdfast.control.state.FindingKey;
import dev.holdfast.control.state.FindingView;
import dev.holdfast.control.testing.Rules;
import dev.holdfast.control.testing.Told;
import dev.holdfast.core.cluster.JobDescription;
import dev.holdfast.core.cluster.JobMember;
import dev.holdfast.core.cluster.SchedulerNode;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.text.MetricsText;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Slurm that answers badly: what could not be read is counted and shown, and changes nothing. */
@Timeout(120)
class SlurmLinkTest {
  private static final String IDLE = node("n1", "IDLE");
  private static final String FAN =
      node("n2", "IDLE+DRAIN", "Reason=new fans on Friday [root@1794788919]");
  private static final String RUNS = job(7, "RUNNING", 0, "n1");
  private static final String STEP = "7.0|8|n1\n";

  @TempDir Path folder;
  private final List<String> messages = new CopyOnWriteArrayList<>();
  private final List<Entry> entries = new CopyOnWriteArrayList<>();
  private StandInSlurm slurm;
  private ControlPlane control;
  private ClusterState state;

  @BeforeEach
  void start() throws Exception {
    slurm = new StandInSlurm(folder.resolve("slurm"));
    slurm.answer("nodes", IDLE + FAN);
    slurm.answer("jobs", RUNS);
    slurm.answer("steps", STEP);
    open();
    for (String name : List.of("n1", "n2", "n3")) {
      Told told = Told.node(name);
      tell(new Input.Reported("node/" + name, List.of(told.say(Told.described(name, "r", "l")))));
    }
  }

  private void open() throws Exception {
    control =
        new ControlPlane(
            Journal.embedded(folder.resolve("control")),
            Rules.usual(),
            _ -> Rules.usual(),
            "127.0.0.1",
            0,
            Clock.systemUTC());
    state = control.engine().state();
    control.engine().listen(batch -> entries.addAll(batch.entries()));
  }

  @AfterEach
  void stop() throws Exception {
    control.close();
  }

  private void tell(Input input) throws Exception {
    assertThat(control.engine().submit(input).get(20, TimeUnit.SECONDS)).isEmpty();
  }

  private void link(String cluster) {
    control.link(slurm.settings(cluster), messages::add);
  }

  /** Links and waits until Slurm's nodes and the job are known. */
  private void known() throws InterruptedException {
    link("");
    await("the job", () -> state.job("slurm-7").isPresent());
    await("the nodes", () -> status().good().isPresent());
  }

  private SlurmStatus status() {
    return control.link().orElseThrow().status();
  }

  private SchedulerNode scheduled(String node) {
    return state.node(node).orElseThrow().scheduling().orElseThrow().node();
  }

  private JobDescription job7() {
    return state.job("slurm-7").orElseThrow().job();
  }

  private void await(String what, BooleanSupplier condition) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime())
          .as("%s; %s; %s", what, status().json(), messages)
          .isLessThan(deadline);
      Thread.sleep(10);
    }
  }

  /** So many more looks that were good. */
  private void looks(int more) throws InterruptedException {
    long wanted = status().reads() + more;
    await(more + " looks", () -> status().reads() >= wanted);
  }

  private Optional<FindingView> finding(String check) {
    return state.finding(new FindingKey(check, new Subject.Source("slurm/alpha")));
  }

  @Test
  void whatIsGarbledOrCutIsCountedShownAndLeftAsItWas() throws Exception {
    known();
    slurm.answer("nodes", (IDLE + FAN).substring(0, (IDLE + FAN).indexOf("+DRAIN") + 3));
    slurm.answer("jobs", "8|RUNN\u0000\n7|RUN");
    await("something unreadable", () -> status().broken() >= 3);
    looks(3);
    assertThat(scheduled("n2").takesJobs()).as("though it reads IDLE").isFalse();
    assertThat(scheduled("n2").reason()).isEqualTo("new fans on Friday");
    assertThat(job7().state()).isEqualTo(JobDescription.State.RUNNING);
    assertThat(status().problem()).isEmpty();
    assertThat(status().json().get("firstUnreadable")).asString().contains("cut off: NodeName=n2");
    assertThat(messages).filteredOn(it -> it.contains("cut off")).hasSize(1);
    MetricsText metrics = new MetricsText();
    status().write(metrics);
    assertThat(metrics.toString())
        .containsPattern("holdfast_slurm_unreadable_records_total [1-9]")
        .contains("holdfast_slurm_up 1");

    slurm.answer("nodes", IDLE + node("n2", "IDLE"));
    slurm.answer("jobs", job(7, "COMPLETED", 0, "n1"));
    await("the node, resumed", () -> scheduled("n2").takesJobs());
    await("the job, over", () -> job7().state() == JobDescription.State.FINISHED);
  }

  @Test
  void aJobIsGoneOnlyWhenTwoAnswersLackIt() throws Exception {
    known();
    slurm.answer("jobs.once", "");
    looks(3);
    assertThat(job7().state()).isEqualTo(JobDescription.State.RUNNING);
    assertThat(entries)
        .noneMatch(
            it ->
                it instanceof JobEntry.Told told
                    && told.job().state() == JobDescription.State.LOST);
    slurm.answer("jobs", "");
    await("that it is gone", () -> job7().state() == JobDescription.State.LOST);
  }

  @Test
  void ranksStayWhereTheyWereWhileStepsCannotBeRead() throws Exception {
    known();
    await("its ranks", () -> job7().members().equals(List.of(new JobMember("n1", 0, 8))));
    slurm.answer("steps", "7.0|ei");
    await("something unreadable", () -> status().broken() > 0);
    looks(2);
    assertThat(job7().members()).containsExactly(new JobMember("n1", 0, 8));
    assertThat(job7().state()).isEqualTo(JobDescription.State.RUNNING);
  }

  @Test
  void aWordNobodyKnowsIsShownAndNothingIsConcludedFromIt() throws Exception {
    slurm.answer("jobs", "");
    link("");
    await("the nodes", () -> status().good().isPresent());
    slurm.answer(
        "drained", node("n1", "IDLE+DRAIN", "Reason=holdfast: control a-1: smoke [root@1]"));
    slurm.answer("after-update", "cat drained > nodes\n");
    tell(new Input.Wished("ann", new Wish.Drain("n1", true, "smoke")));
    await("the drain", () -> service("n1") == Service.DRAINED);

    slurm.answer("after-update", "");
    slurm.answer("nodes", node("n1", "IDLE+QUANTUM") + node("n2", "IDLE+DRAIN+QUANTUM"));
    await("the word", () -> status().unknown().containsKey("QUANTUM"));
    looks(2);
    assertThat(status().unknown()).containsEntry("QUANTUM", 2);
    assertThat(service("n1")).as("nobody is known to have resumed it").isEqualTo(Service.DRAINED);
    assertThat(scheduled("n2").state()).as("the rest counts").isEqualTo("drain+quantum");

    slurm.answer("nodes", node("n1", "IDLE") + FAN);
    await("that a person resumed it", () -> service("n1") == Service.IN);
    assertThat(state.node("n1").orElseThrow().actor()).isEqualTo("slurm/alpha");
    // What the nodes are is told before how the look went.
    await("that the word is gone", () -> status().unknown().isEmpty());
  }

  private Service service(String node) {
    return state.node(node).orElseThrow().service();
  }

  @Test
  void nodesAndJobsOfNobodyHereAreCountedAndNotTakenIn() throws Exception {
    slurm.answer("nodes", IDLE + node("x1", "DOWN*") + node("x\u00e4;rm -rf", "IDLE"));
    slurm.answer("jobs", RUNS + job(8, "RUNNING", 0, "x1"));
    known();
    assertThat(status().strangers()).isEqualTo(2);
    assertThat(status().someStrangers()).first().isEqualTo("x1");
    assertThat(state.nodeCount()).isEqualTo(3);
    assertThat(state.job("slurm-8")).isEmpty();
    assertThat(state.node("n3").orElseThrow().scheduling()).as("Slurm has it not").isEmpty();
    assertThat(status().json()).containsEntry("withoutAgent", 2);
  }

  @Test
  void anotherClusterInTheSameJournalIsNotReadUntilItIsNamed() throws Exception {
    known();
    control.close();
    slurm.cluster("beta", Instant.now());
    slurm.answer("jobs", job(9, "RUNNING", 0, "n1"));
    slurm.answer("calls", "");
    open();
    link("");
    await("that it is another", () -> status().problem().contains("slurm/alpha"));
    assertThat(status().problem()).contains("slurm/beta", "--slurm-cluster beta");
    assertThat(slurm.calls()).allMatch(it -> it.equals("scontrol show config"));
    assertThat(job7().state()).isEqualTo(JobDescription.State.RUNNING);
    control.close();

    open();
    link("gamma");
    await("the wrong name", () -> status().problem().contains("not gamma"));
    assertThat(slurm.calls()).allMatch(it -> it.equals("scontrol show config"));
    control.close();

    open();
    link("beta");
    await("the other's job", () -> state.job("slurm-9").isPresent());
    await("the old job, gone", () -> job7().state() == JobDescription.State.LOST);
    assertThat(state.node("n1").orElseThrow().scheduling().orElseThrow().scheduler())
        .isEqualTo("slurm/beta");
    assertThat(slurm.changes()).isEmpty();
  }

  @Test
  void clocksThatDifferAreAFindingAndNoTimeIsAheadOfOurs() throws Exception {
    slurm.cluster("alpha", Instant.now().plusSeconds(3600));
    slurm.answer(
        "jobs",
        "7|RUNNING|ann|0|1|2|1|%d|n1|None|7|%n"
            .formatted(Instant.now().plusSeconds(3600).getEpochSecond()));
    known();
    assertThat(status().clockAhead().orElseThrow().toSeconds()).isBetween(3590L, 3610L);
    assertThat(finding(SlurmTroubles.CLOCK).orElseThrow().finding().summary())
        .matches(
            "the clock of slurmctld is 36\\d\\d s ahead of the control plane's|.*35\\d\\d s.*");
    assertThat(job7().begun()).isBeforeOrEqualTo(Instant.now());
    control.close();

    slurm.cluster("alpha", Instant.now().minusSeconds(600));
    open();
    link("");
    await(
        "behind",
        () -> finding(SlurmTroubles.CLOCK).orElseThrow().finding().summary().contains("behind"));
    control.close();

    slurm.cluster("alpha", Instant.now());
    open();
    link("");
    await("that they agree", () -> !finding(SlurmTroubles.CLOCK).orElseThrow().holds());
  }

  @Test
  void anAnswerThatIsNoneIsAFindingUntilThereIsOne() throws Exception {
    known();
    slurm.answer("nodes", new byte[] {(byte) 0xff, 0, 'N', (byte) 0xc3, '\n', '=', '\n'});
    await("that it is away", () -> status().problem().contains("no node in the answer"));
    await("a finding", () -> finding(SlurmTroubles.AWAY).map(FindingView::holds).orElse(false));
    assertThat(scheduled("n2").reason()).isEqualTo("new fans on Friday");
    assertThat(job7().state()).isEqualTo(JobDescription.State.RUNNING);
    slurm.answer("nodes", IDLE + FAN);
    await("that it is back", () -> status().problem().isEmpty());
    await("no finding", () -> !finding(SlurmTroubles.AWAY).orElseThrow().holds());
    assertThat(slurm.changes()).as("nothing was done to Slurm").isEmpty();
  }
}
