package dev.holdfast.control.slurm;

import static dev.holdfast.control.slurm.StandInSlurm.job;
import static dev.holdfast.control.slurm.StandInSlurm.node;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.health.Subject;
import dev.holdfast.core.report.Request;
import dev.holdfast.core.report.Statement.Answer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is done in Slurm, what is left alone, and what is not believed. */
class SlurmHandTest {
  private static final String OURS =
      node("n1", "IDLE+DRAIN", "Reason=holdfast: control a-1: smoke [root@1794788919]");

  @TempDir Path folder;
  private StandInSlurm slurm;

  @BeforeEach
  void start() throws IOException {
    slurm = new StandInSlurm(folder);
  }

  private SlurmHand.Outcome ask(Request.Kind kind, boolean cancels) throws SlurmAway {
    SlurmPrograms programs = slurm.programs();
    CommandReader reader = new CommandReader(programs);
    return new SlurmHand(programs, reader, new Exclusions(programs, reader), cancels)
        .carryOut(
            new Request(
                "a-9",
                kind,
                new Subject.Node("n1"),
                List.of(),
                kind == Request.Kind.RESTART_JOB ? "slurm-7" : "",
                kind == Request.Kind.RESTART_JOB ? 0 : -1,
                "because",
                Instant.MAX));
  }

  private static String reservation(String nodes) {
    return """
        ReservationName=holdfast-verify-n1 StartTime=1794788917 EndTime=1794790717 Duration=00:30:00
           Nodes=%s NodeCnt=1 CoreCnt=8 Features=(null) PartitionName=(null) Flags=MAINT,IGNORE_JOBS,SPEC_NODES
           TRES=cpu=8
           Users=root Groups=(null) Accounts=(null) Licenses=(null) State=ACTIVE BurstBuffer=(null) Watts=n/a
           MaxStartDelay=(null)

        """
        .formatted(nodes);
  }

  @Test
  void anAnswerThatCannotBeReadIsNotTakenForANodeThatIsNotThere() throws Exception {
    assertThat(ask(Request.Kind.CORDON, false).detail()).isEqualTo("Slurm has no node n1");
    slurm.answer("nodes", node("n1", "IDLE"));
    slurm.answer("node.once", "NodeName=n1 Arch=x86_64\n   State=ID");
    assertThat(ask(Request.Kind.CORDON, false))
        .satisfies(it -> assertThat(it.answer()).isEqualTo(Answer.FAILED))
        .satisfies(it -> assertThat(it.detail()).contains("could not be read: cut off"));
    assertThat(slurm.changes()).isEmpty();
  }

  @Test
  void anOrderThatHasNoEffectIsNotCalledDone() throws Exception {
    slurm.answer("nodes", node("n1", "IDLE"));
    assertThat(ask(Request.Kind.CORDON, false).answer()).isEqualTo(Answer.FAILED);
    assertThat(slurm.changes())
        .containsExactly(
            "scontrol update nodename=n1 state=drain reason=holdfast: control a-9: because");
  }

  @Test
  void aNodeIsReservedOnceAndOnlyWhereTheDrainIsOurs() throws Exception {
    slurm.answer("nodes", node("n1", "IDLE+DRAIN", "Reason=new fans [root@1794788919]"));
    assertThat(ask(Request.Kind.RESERVE, false).answer()).isEqualTo(Answer.REFUSED);
    slurm.answer("nodes", node("n1", "IDLE"));
    assertThat(ask(Request.Kind.RESERVE, false).answer()).isEqualTo(Answer.REFUSED);
    assertThat(slurm.changes()).isEmpty();

    slurm.answer("nodes", OURS);
    assertThat(ask(Request.Kind.RESERVE, false).detail())
        .isEqualTo("reserved as holdfast-verify-n1");
    assertThat(slurm.changes())
        .singleElement()
        .asString()
        .startsWith("scontrol create reservation reservationname=holdfast-verify-n1 starttime=now")
        .contains("nodes=n1", "duration=30", "flags=maint");
    slurm.answer("reservation", reservation("n1"));
    assertThat(ask(Request.Kind.RESERVE, false).detail()).startsWith("reserved already");
    assertThat(slurm.changes()).hasSize(1);
  }

  @Test
  void onlyOurOwnReservationIsRemoved() throws Exception {
    assertThat(ask(Request.Kind.RELEASE, false).detail())
        .isEqualTo("no reservation holdfast-verify-n1");
    slurm.answer("reservation", reservation("n[1-4]"));
    assertThat(ask(Request.Kind.RELEASE, false))
        .satisfies(it -> assertThat(it.answer()).isEqualTo(Answer.REFUSED))
        .satisfies(it -> assertThat(it.detail()).contains("not ours: it holds n1,n2,n3,n4"));
    slurm.answer("reservation", "ReservationName=holdf");
    assertThat(ask(Request.Kind.RELEASE, false).answer()).isEqualTo(Answer.FAILED);
    assertThat(slurm.changes()).isEmpty();
    slurm.answer("reservation", reservation("n1"));
    assertThat(ask(Request.Kind.RELEASE, false).detail())
        .isEqualTo("removed reservation holdfast-verify-n1");
    assertThat(slurm.changes())
        .containsExactly("scontrol delete reservationname=holdfast-verify-n1");
  }

  @Test
  void aJobThatMayNotBeRequeuedIsCancelledOnlyWhereThatIsAllowed() throws Exception {
    slurm.answer("jobs", job(7, "RUNNING", 0, "n1").replace("|0|1|2|", "|0|0|2|"));
    assertThat(ask(Request.Kind.RESTART_JOB, false))
        .satisfies(it -> assertThat(it.answer()).isEqualTo(Answer.REFUSED))
        .satisfies(it -> assertThat(it.detail()).contains("scancel 7"));
    assertThat(slurm.changes()).isEmpty();
    assertThat(ask(Request.Kind.RESTART_JOB, true).detail()).startsWith("cancelled job 7");
    assertThat(slurm.changes()).containsExactly("scancel 7");
    for (String over : List.of("CANCELLED", "FAILED")) {
      slurm.answer("jobs", job(7, over, 0, "n1").replace("|0|1|2|", "|0|0|2|"));
      assertThat(ask(Request.Kind.RESTART_JOB, true).detail()).startsWith("the job is over");
    }
    assertThat(slurm.changes()).hasSize(1);
  }

  @Test
  void ofAnArrayOnlyTheTaskOnTheNodeIsRequeued() throws Exception {
    slurm.answer(
        "jobs",
        job(7, "RUNNING", 0, "n1").replace("|7|", "|7_2|")
            + job(8, "RUNNING", 0, "n2").replace("|8|", "|7_1|"));
    slurm.answer(
        "job-7_2",
        "JobId=7 ArrayJobId=7 ArrayTaskId=2 JobName=a\n   JobState=PENDING Reason=x\n   ExcNodeList=n9\n\n");
    assertThat(ask(Request.Kind.RESTART_JOB, false).detail())
        .isEqualTo("requeued job 7_2, excluded n1");
    assertThat(slurm.changes())
        .containsExactly("scontrol requeue 7_2", "scontrol update jobid=7_2 excnodelist=n[1,9]");
  }

  @Test
  void whatIsDoneAlreadyIsNotDoneAgain() throws Exception {
    slurm.answer("nodes", OURS);
    assertThat(ask(Request.Kind.CORDON, false).detail()).isEqualTo("drained already");
    slurm.answer("jobs", job(7, "RUNNING", 1, "n1"));
    assertThat(ask(Request.Kind.RESTART_JOB, false).detail()).isEqualTo("requeued already");
    slurm.answer("nodes", node("n1", "IDLE"));
    assertThat(ask(Request.Kind.UNCORDON, false).detail()).isEqualTo("not drained");
    assertThat(slurm.changes()).isEmpty();
  }
}
