package dev.holdfast.control.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.control.entry.Ground;
import dev.holdfast.control.entry.Service;
import dev.holdfast.control.state.Cursor;
import dev.holdfast.control.state.FindingKey;
import dev.holdfast.control.testing.Cluster;
import dev.holdfast.control.testing.Told;
import dev.holdfast.core.cluster.JobDescription.State;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.report.Request;
import dev.holdfast.core.report.Statement;
import dev.holdfast.core.report.Statement.External.Assertion;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Who may say what: a test for each row of the table in docs/security.md. */
class AuthorityTest {
  private final Cluster cluster = new Cluster("n1", "n2", "n3", "n4");

  private void refused(Ground ground, String source, Statement statement) {
    assertThat(cluster.tell(source, statement))
        .singleElement()
        .satisfies(it -> assertThat(it.reason()).isEqualTo(ground.word()))
        .satisfies(it -> assertThat(it.why()).isNotBlank());
  }

  private void taken(String source, Statement statement) {
    assertThat(cluster.tell(source, statement)).isEmpty();
  }

  private static Statement external(Subject subject) {
    Statement.Raised like = (Statement.Raised) Told.fault(subject);
    return new Statement.External(
        "F", Assertion.OCCUR, like.finding(), List.of(), Optional.empty());
  }

  private static Statement decided(String job, int attempt) {
    return new Statement.JobDecided(job, attempt, "restart", "", "why");
  }

  @Test
  void describedByTheNodeItself() {
    taken("node/n1", Told.described("n1", "r9", "l9"));
    refused(Ground.OTHER_NODE, "node/n1", Told.described("n2", "r9", "l9"));
    refused(Ground.NOT_ITS_TO_SAY, "site/x", Told.described("n2", "r9", "l9"));
  }

  @Test
  void aNodeIsFoundIllByItself() {
    taken("node/n1", Told.worse("n1", 1));
    refused(Ground.OTHER_NODE, "node/n1", Told.worse("n2", 1));
    refused(Ground.NOT_ITS_TO_SAY, "site/x", Told.worse("n2", 1));
    assertThat(cluster.state.findingsOf("n2")).isEmpty();
  }

  @Test
  void switchesLinksAndVolumesAreToldByOthersThanNodes() {
    for (Subject shared :
        List.of(
            new Subject.Switch("l1", ""), new Subject.Volume("scratch"), new Subject.Link("a-b"))) {
      refused(Ground.NOT_ITS_TO_SAY, "node/n1", Told.fault(shared));
      refused(Ground.NOT_ITS_TO_SAY, "node/n1", external(shared));
      taken("public/fabric", external(shared));
    }
  }

  @Test
  void otherFaultsOfNodesAreToldFromOutside() {
    taken("public/power", external(new Subject.Node("n2")));
    refused(Ground.NOT_ITS_TO_SAY, "node/n1", external(new Subject.Node("n1")));
    refused(Ground.NOT_ITS_TO_SAY, "public/power", external(new Subject.Job("j", -1)));
    refused(Ground.REPORTED_BY_ANOTHER, "public/other", external(new Subject.Node("n2")));
  }

  @Test
  void aFindingIsClearedByWhoToldItOrTheNodeItIsOn() {
    Subject gpu = new Subject.Node("n1").gpu(1);
    taken("node/n1", Told.worse("n1", 1));
    refused(Ground.OTHER_NODE, "node/n2", new Statement.Cleared("gpu.ecc.corrected", gpu, ""));
    refused(
        Ground.REPORTED_BY_ANOTHER,
        "public/x",
        new Statement.Cleared("gpu.ecc.corrected", gpu, ""));
    taken("node/n1", new Statement.Cleared("gpu.ecc.corrected", gpu, "mended"));
    taken("public/power", external(new Subject.Node("n1")));
    Statement told = new Statement.Cleared("site.fault", new Subject.Node("n1"), "");
    refused(Ground.REPORTED_BY_ANOTHER, "node/n1", told);
    refused(Ground.REPORTED_BY_ANOTHER, "node/n1", Told.fault(new Subject.Node("n1")));
    taken("public/power", told);
    taken("node/n1", Told.fault(new Subject.Node("n1")));
  }

  @Test
  void aJobIsFoundIllByItsOwnerAndARankByItsNode() {
    taken("node/n1", Told.job("j", cluster.now, "n1", "n2"));
    taken("node/n1", Told.fault(new Subject.Job("j", -1)));
    taken("node/n2", Told.fault(new Subject.Job("j", 8)));
    refused(Ground.OTHER_JOB, "node/n2", Told.fault(new Subject.Job("j", 7)));
    refused(Ground.OTHER_JOB, "node/n2", Told.fault(new Subject.Job("j", -1)));
    refused(Ground.OTHER_JOB, "node/n3", Told.fault(new Subject.Job("j", 0)));
    refused(Ground.OTHER_JOB, "node/n3", Told.fault(new Subject.Job("nobody", 0)));
  }

  @Test
  void aSourceIsFoundIllByItself() {
    taken("site/x", Told.fault(new Subject.Source("site/x")));
    refused(Ground.NOT_ITS_TO_SAY, "node/n1", Told.fault(new Subject.Source("site/x")));
  }

  @Test
  void onlyASchedulerSchedules() {
    Statement scheduled =
        new Statement.Scheduled(
            new dev.holdfast.core.cluster.SchedulerNode("n1", "down", false, false, false, ""),
            false);
    refused(Ground.NOT_ITS_TO_SAY, "node/n1", scheduled);
    refused(Ground.NOT_ITS_TO_SAY, "site/x", scheduled);
    taken("slurm/c", scheduled);
  }

  @Test
  void aRequestIsAnsweredByWhoWasAsked() {
    cluster.wish(new Wish.Drain("n2", true, "smoke"));
    String asked = cluster.asked("node/n2", Request.Kind.CORDON);
    Statement answer = new Statement.Answered(asked, Statement.Answer.DONE, "for him");
    refused(Ground.NOT_ASKED, "node/n1", answer);
    taken("node/n2", answer);
    taken("node/n2", answer);
    taken("node/n1", new Statement.Answered("a-99", Statement.Answer.DONE, "long ago"));
  }

  @Test
  void aNewJobIsToldByAMemberAndThenBelongsToIt() {
    refused(Ground.OTHER_JOB, "node/n3", Told.job("j", cluster.now, "n1", "n2"));
    taken("node/n1", Told.job("j", cluster.now, "n1", "n2"));
    refused(Ground.OTHER_JOB, "node/n3", Told.job("j", cluster.now, "n1", "n2", "n3"));
    refused(Ground.OTHER_JOB, "node/n2", Told.job("j", State.FINISHED, cluster.now, "n1", "n2"));
    refused(Ground.OTHER_JOB, "run/j", Told.job("j", State.FINISHED, cluster.now, "n1", "n2"));
    taken("node/n1", Told.job("j", State.FINISHED, cluster.now, "n1", "n2"));
  }

  @Test
  void aJobThatIsOverMayBeginAgainElsewhere() {
    taken("node/n1", Told.job("j", State.FAILED, cluster.now, "n1", "n2"));
    refused(Ground.OTHER_JOB, "node/n4", Told.job("j", cluster.now, "n3"));
    taken("node/n3", Told.job("j", cluster.now, "n3", "n4"));
    assertThat(cluster.owner("j")).isEqualTo("node/n3");
  }

  @Test
  void whenTheLeadersNodeDiesTheNextLeaderTellsOfTheNextAttempt() {
    taken("node/n1", Told.job("j", cluster.now, "n1", "n2", "n3"));
    Statement next = Told.attempt("j", 1, "n2", "n3");
    refused(Ground.OTHER_JOB, "node/n2", next);
    cluster.silent("n1");
    refused(Ground.OTHER_JOB, "node/n4", Told.attempt("j", 1, "n2", "n3", "n4"));
    refused(Ground.OTHER_JOB, "node/n2", Told.attempt("j", 1, "n2"));
    taken("node/n2", next);
    assertThat(cluster.owner("j")).isEqualTo("node/n2");
    refused(Ground.OTHER_JOB, "node/n1", Told.job("j", State.LOST, cluster.now, "n1", "n2", "n3"));
  }

  @Test
  void whenTheLeadersNodeIsDrainedTheNextLeaderTellsAtOnce() {
    taken("node/n1", Told.job("j", cluster.now, "n1", "n2"));
    cluster.wish(new Wish.Drain("n1", true, "smoke"));
    refused(Ground.OTHER_JOB, "node/n2", Told.attempt("j", 1, "n1", "n2"));
    taken("node/n2", Told.attempt("j", 1, "n2"));
    assertThat(cluster.state.node("n1").orElseThrow().service()).isEqualTo(Service.DRAINED);
  }

  @Test
  void aJobWhoseOwnerHasBeenSilentForLongIsAnyMembers() {
    taken("node/n1", Told.job("j", cluster.now, "n1", "n2", "n3"));
    cluster.silent("n1");
    refused(Ground.OTHER_JOB, "node/n2", Told.attempt("j", 1, "n2"));
    cluster.later(Ownership.ABANDONED);
    refused(Ground.OTHER_JOB, "node/n4", Told.attempt("j", 1, "n4"));
    taken("node/n2", Told.attempt("j", 1, "n2"));
  }

  @Test
  void aLauncherTakesOverFromItsSchedulerOnTheNodesItWasGiven() {
    taken("slurm/c", Told.job("slurm-1", cluster.now, "n1", "n2"));
    refused(Ground.OTHER_JOB, "node/n3", Told.job("slurm-1", cluster.now, "n1", "n2", "n3"));
    refused(Ground.OTHER_JOB, "node/n1", Told.job("slurm-1", cluster.now, "n1", "n3"));
    taken("node/n1", Told.job("slurm-1", cluster.now, "n1"));
    assertThat(cluster.owner("slurm-1")).isEqualTo("node/n1");
  }

  @Test
  void aJobStaysItsUsersAndNobodyTakesItsNameFromAnother() {
    taken("node/n1", Told.job("j", cluster.now, "n1", "n2"));
    refused(Ground.OTHER_JOB, "node/n1", Told.of("", "j", "n1"));
    taken("node/n3", Told.of("ann", "j", "n3"));
    taken("node/n4", Told.of("eve", "k@ann", "n4"));
    assertThat(cluster.owner("k@ann@eve")).as("nor ahead of him").isEqualTo("node/n4");
    taken("node/n3", Told.stepped("j", 0, 77));
    taken("node/n3", decided("j", 0));
    taken("node/n3", Told.fault(new Subject.Job("j", -1)));
    assertThat(cluster.owner("j")).isEqualTo("node/n1");
    assertThat(cluster.owner("j@ann")).isEqualTo("node/n3");
    assertThat(cluster.state.job("j").orElseThrow().job().step()).isEqualTo(100);
    assertThat(cluster.state.job("j@ann").orElseThrow().job().step()).isEqualTo(77);
    assertThat(cluster.state.finding(key("site.fault", new Subject.Job("j@ann", -1)))).isPresent();
  }

  @Test
  void aNameStaysApartWhenTheOneWhoHadItFirstIsDone() {
    taken("node/n1", Told.of("nobody", "slurm-4711", "n1"));
    taken("node/n1", over("nobody", "slurm-4711", "n1"));
    taken("node/n3", Told.of("ann", "slurm-4711", "n3"));
    taken("node/n3", over("ann", "slurm-4711", "n3"));
    assertThat(cluster.state.job("slurm-4711").orElseThrow().job().user()).isEqualTo("nobody");
    assertThat(cluster.state.job("slurm-4711@ann").orElseThrow().job().state())
        .isEqualTo(State.FINISHED);
  }

  @Test
  void aSchedulerTakesItsNameFromWhoeverHasNotTheJob() {
    taken("node/n1", Told.of("nobody", "slurm-4711", "n1"));
    taken("slurm/c", Told.of("ann", "slurm-4711", "n2", "n3"));
    assertThat(cluster.owner("slurm-4711")).isEqualTo("slurm/c");
    taken("node/n1", Told.of("nobody", "slurm-4711", "n1"));
    assertThat(cluster.owner("slurm-4711")).isEqualTo("slurm/c");
    assertThat(cluster.owner("slurm-4711@nobody")).isEqualTo("node/n1");
    taken("node/n2", Told.of("ann", "slurm-4711", "n2", "n3"));
    assertThat(cluster.owner("slurm-4711")).isEqualTo("node/n2");
  }

  private static FindingKey key(String check, Subject subject) {
    return new FindingKey(check, subject);
  }

  private static Statement over(String user, String job, String... nodes) {
    Statement.JobTold told = (Statement.JobTold) Told.of(user, job, nodes);
    return new Statement.JobTold(told.job().in(State.FINISHED));
  }

  @Test
  void whichJobsAreOnANodeItSaysItself() {
    Cluster nodes = Cluster.confirming("n1", "n2", "n3");
    nodes.tell("node/n1", Told.job("claim", nodes.now, "n1", "n2"));
    assertThat(nodes.jobsOn("n1")).containsExactly("claim");
    assertThat(nodes.jobsOn("n2")).isEmpty();
    assertThat(nodes.claimedOn("n2")).containsExactly("claim");
    nodes.tell("node/n2", Told.job("real", nodes.now, "n2"));
    assertThat(nodes.state.jobOn("n2").orElseThrow().id()).isEqualTo("real");
    assertThat(nodes.tell("node/n2", Told.here("claim"))).isEmpty();
    assertThat(nodes.jobsOn("n2")).containsExactly("claim", "real");
    assertThat(nodes.claimedOn("n2")).isEmpty();
    assertThat(nodes.tell("node/n2", Told.gone("claim"))).isEmpty();
    assertThat(nodes.jobsOn("n2")).containsExactly("real");
    assertThat(nodes.tell("run/x", Told.here("claim")))
        .singleElement()
        .satisfies(it -> assertThat(it.reason()).isEqualTo(Ground.NOT_ITS_TO_SAY.word()));
    assertThat(nodes.tell("node/n2", new Statement.JobHere("claim", "another", true))).isEmpty();
    assertThat(nodes.jobsOn("n2")).as("of another user").containsExactly("real");
  }

  @Test
  void aClaimHoldsUpNoDrainAndALauncherThereDoes() {
    Cluster nodes = Cluster.confirming("n1", "n2", "n3");
    nodes.tell("node/n1", Told.job("j", nodes.now, "n1", "n2", "n3"));
    nodes.tell("node/n3", Told.here("j"));
    nodes.wish(new Wish.Drain("n2", false, "smoke"));
    nodes.wish(new Wish.Drain("n3", false, "smoke"));
    assertThat(nodes.state.node("n2").orElseThrow().service()).isEqualTo(Service.DRAINED);
    assertThat(nodes.state.node("n3").orElseThrow().service()).isEqualTo(Service.DRAINING);
    nodes.silent("n1");
    nodes.later(Duration.ofHours(1));
    assertThat(nodes.state.node("n3").orElseThrow().service())
        .as("its own word does not end with its leader's")
        .isEqualTo(Service.DRAINING);
    nodes.tell("node/n3", Told.gone("j"));
    assertThat(nodes.state.node("n3").orElseThrow().service()).isEqualTo(Service.DRAINED);
  }

  @Test
  void aClaimIsShownAsLongAsTheClaimantIsHeardAndCountsForNothing() {
    Cluster nodes = Cluster.confirming("n1", "n2");
    int spares = nodes.state.spares(8);
    nodes.tell("node/n1", Told.job("j", nodes.now, "n1", "n2"));
    assertThat(nodes.state.spares(8)).isEqualTo(spares - 1);
    nodes.tell("node/n2", Told.here("j"));
    assertThat(nodes.state.spares(8)).isEqualTo(spares - 2);
    nodes.tell("node/n2", Told.gone("j"), Told.worse("n2", 1));
    assertThat(nodes.state.incident("i-1").orElseThrow().jobs()).isEmpty();
    assertThat(nodes.claimedOn("n2")).containsExactly("j");
    nodes.silent("n1");
    assertThat(nodes.claimedOn("n2")).isEmpty();
  }

  @Test
  void aJobIsNowhereOnceItIsOver() {
    Cluster nodes = Cluster.confirming("n1", "n2");
    nodes.tell("node/n2", Told.here("j"));
    nodes.tell("node/n1", Told.job("j", nodes.now, "n1", "n2"));
    assertThat(nodes.jobsOn("n2")).containsExactly("j");
    nodes.tell("node/n1", Told.job("j", State.FINISHED, nodes.now, "n1", "n2"));
    nodes.tell("node/n1", Told.job("j", nodes.now, "n1", "n2"));
    assertThat(nodes.jobsOn("n2")).isEmpty();
  }

  @Test
  void betweenAgentsOfBeforeAClaimCountsUntilTenMinutesAfterTheClaimantsSilence() {
    taken("node/n1", Told.job("j", cluster.now, "n1", "n2"));
    cluster.wish(new Wish.Drain("n2", false, "smoke"));
    cluster.silent("n1");
    cluster.later(Duration.ofMinutes(9));
    assertThat(cluster.state.node("n2").orElseThrow().service()).isEqualTo(Service.DRAINING);
    cluster.later(Duration.ofMinutes(2));
    assertThat(cluster.state.node("n2").orElseThrow().service()).isEqualTo(Service.DRAINED);
  }

  @Test
  void aJobOfBeforeKeepsItsNodesForTwoWeeksAfterTheirAgentsWereReplaced() {
    taken("node/n1", Told.job("before", cluster.now, "n1", "n2"));
    cluster.later(Duration.ofHours(1));
    taken("node/n1", Told.confirming("n1"));
    taken("node/n1", Told.job("after", cluster.now, "n1", "n2"));
    taken("node/n2", Told.confirming("n2"));
    assertThat(cluster.jobsOn("n2")).containsExactly("before");
    assertThat(cluster.claimedOn("n2")).containsExactly("after");
    cluster.later(Duration.ofDays(15));
    taken("node/n2", Told.worse("n2", 1));
    assertThat(cluster.jobsOn("n2")).isEmpty();
  }

  @Test
  void howFarAJobIsAndWhatWasDecidedForItItsOwnerSays() {
    taken("node/n1", Told.job("j", cluster.now, "n1", "n2"));
    refused(Ground.OTHER_JOB, "node/n2", Told.stepped("j", 0, 5));
    taken("node/n1", Told.stepped("j", 0, 5));
    refused(Ground.OTHER_JOB, "node/n2", decided("j", 0));
    refused(Ground.OTHER_JOB, "node/n3", decided("j", 0));
    refused(Ground.OTHER_JOB, "node/n1", decided("nobody's", 0));
    refused(Ground.OTHER_JOB, "node/n1", decided("j", 2));
    taken("node/n1", decided("j", 1));
    cluster.silent("n1");
    taken("node/n2", decided("j", 0));
    refused(Ground.OTHER_JOB, "node/n3", decided("j", 0));
  }

  @Test
  void aRefusedStatementIsAcknowledgedAndCountedAndWhatFollowsIsHeard() {
    Told told = cluster.told("node/n1");
    var left =
        cluster.report(
            "node/n1",
            told.say(Told.worse("n2", 1)),
            told.say(Told.worse("n1", 1)),
            told.say(Told.worse("n3", 1)));
    assertThat(left).hasSize(2);
    assertThat(left.getFirst().sequence()).isEqualTo(2);
    assertThat(cluster.state.cursor("node/n1").sequence()).isEqualTo(4);
    assertThat(cluster.state.findingsOf("n1")).hasSize(1);
    var counted = cluster.state.refusals("node/n1").orElseThrow();
    assertThat(counted.count()).isEqualTo(2);
    assertThat(counted.why()).contains("n3");
    assertThat(cluster.state.refused())
        .singleElement()
        .satisfies(it -> assertThat(it.ground()).isEqualTo(Ground.OTHER_NODE));
  }

  @Test
  void noEpochMutesANode() {
    assertThat(cluster.epoch("node/n1", Long.MAX_VALUE, Told.worse("n1", 1)))
        .singleElement()
        .satisfies(it -> assertThat(it.reason()).isEqualTo(Ground.EPOCH.word()));
    assertThat(cluster.state.cursor("node/n1")).isEqualTo(new Cursor(1, 1));
    long nanos = cluster.now.getEpochSecond() * 1_000_000_000;
    assertThat(cluster.epoch("node/n1", nanos, Told.worse("n1", 1))).isEmpty();
    assertThat(cluster.epoch("node/n1", nanos + 1, Told.worse("n1", 2))).isEmpty();
  }

  @Test
  void aResetClearsHowFarANodeWasHeard() {
    long muted = cluster.now.plus(Duration.ofHours(1)).getEpochSecond() * 1_000_000_000;
    cluster.epoch("node/n1", muted, Told.worse("n1", 1));
    cluster.wish(new Wish.ResetSource("node/n1"));
    assertThat(cluster.state.cursor("node/n1")).isEqualTo(Cursor.NOTHING);
    assertThat(cluster.state.refusals("node/n1")).isEmpty();
    assertThat(cluster.epoch("node/n1", 1, Told.worse("n1", 2))).isEmpty();
    assertThat(
            cluster.state.finding(
                new FindingKey("gpu.ecc.corrected", new Subject.Node("n1").gpu(2))))
        .isPresent();
  }
}
