package dev.holdfast.control.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.control.entry.Batch;
import dev.holdfast.control.entry.Service;
import dev.holdfast.control.state.ClusterState;
import dev.holdfast.control.testing.Cluster;
import dev.holdfast.control.testing.StateText;
import dev.holdfast.control.testing.Told;
import dev.holdfast.core.cluster.JobDescription.State;
import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.report.Receipt;
import dev.holdfast.core.report.Report;
import dev.holdfast.core.report.Request;
import dev.holdfast.core.report.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Histories of a node that lies, {@code w3}, beside a job of {@code w1} and {@code w2} that runs
 * while {@code w2} waits to be drained. However it goes about it, the job stays what its owner
 * says, {@code w2} is not drained under it, nothing is found on others, and honest nodes are heard.
 */
class AdversaryTest {
  private static final String SOURCE = "node/w3";

  private static final Statement WARNED =
      Told.raised(
          "gpu.ecc.corrected",
          new Subject.Node("w1").gpu(5),
          Finding.Kind.CONDITION,
          Severity.WARNING,
          FaultClass.SOFTWARE);

  /** What the liar does; gives what was refused. */
  private interface Doing {
    List<Receipt.Refused> to(Cluster cluster);
  }

  private enum History {
    JOINS_AND_ENDS(
        it ->
            it.tell(
                SOURCE,
                Told.job("j", it.now, "w1", "w2", "w3"),
                Told.job("j", State.FINISHED, it.now, "w1", "w2", "w3"))),
    ENDS_AS_A_STRANGER(it -> it.tell(SOURCE, Told.job("j", State.FAILED, it.now, "w1", "w2"))),
    TAKES_IT_ALONE(it -> it.tell(SOURCE, Told.attempt("j", 7, "w3"))),
    CLAIMS_OTHERS_FOR_A_JOB_OF_ITS_OWN(
        it ->
            it.tell(
                SOURCE,
                Told.of("eve", "j", "w1", "w2", "w3", "w4"),
                Told.of("somebody", "a", "w1", "w2", "w3", "w4"),
                Told.worse("w4", 1))),
    CLAIMS_A_LATER_ATTEMPT(
        it ->
            it.tell(
                SOURCE,
                Told.attempt("j", 1, "w1", "w2", "w3"),
                Told.attempt("j", Integer.MAX_VALUE, "w1", "w2", "w3"))),
    DROPS_THE_DRAINED_NODE(it -> it.tell(SOURCE, Told.attempt("j", 1, "w1", "w3"))),
    WAITS_FOR_SILENCE(
        it -> {
          it.silent("w1");
          List<Receipt.Refused> refused =
              it.tell(SOURCE, Told.attempt("j", 1, "w2", "w3"), Told.attempt("j", 1, "w3"));
          var _ = it.decide(new Input.Silence("w1", false, it.now));
          return refused;
        }),
    WAITS_FOR_A_LONG_SILENCE(
        it -> {
          it.silent("w1");
          it.later(Duration.ofHours(1));
          List<Receipt.Refused> refused = it.tell(SOURCE, Told.attempt("j", 1, "w2", "w3"));
          var _ = it.decide(new Input.Silence("w1", false, it.now));
          return refused;
        }),
    CALLS_ITSELF_ANOTHER_USER(
        it -> it.tell(SOURCE, Told.of("root", "j", "w3"), Told.of("", "j", "w3"))),
    DECIDES_FOR_IT(
        it ->
            it.tell(
                SOURCE,
                new Statement.JobDecided("j", 0, "stop", "w1", "I say so"),
                Told.stepped("j", 0, 1_000_000))),
    ANSWERS_FOR_ALL(
        it ->
            it.tell(
                SOURCE,
                IntStream.rangeClosed(1, (int) it.state.actionCount())
                    .mapToObj(
                        id -> new Statement.Answered("a-" + id, Statement.Answer.DONE, "done"))
                    .toArray(Statement[]::new))),
    FINDS_OTHERS_ILL(
        it -> it.tell(SOURCE, Told.lostGpu("w1", 0), Told.lostGpu("w2", 1), Told.linkDown("w1"))),
    FINDS_WHAT_THEY_SHARE_ILL(
        it ->
            it.tell(
                SOURCE,
                Told.fault(new Subject.Switch("l1", "")),
                Told.fault(new Subject.Volume("scratch")),
                Told.fault(new Subject.Job("j", 0)),
                Told.fault(new Subject.Source("node/w1")))),
    SPEAKS_AS_ONE_FROM_OUTSIDE(
        it ->
            it.tell(
                SOURCE,
                new Statement.External(
                    "F",
                    Statement.External.Assertion.OCCUR,
                    ((Statement.Raised) Told.lostGpu("w1", 0)).finding(),
                    List.of(),
                    Optional.empty()),
                new Statement.Scheduled(
                    new dev.holdfast.core.cluster.SchedulerNode(
                        "w2", "drained", false, false, false, ""),
                    true))),
    DESCRIBES_OTHERS(
        it -> it.tell(SOURCE, Told.described("w1", "x", "x"), Told.described("w2", "x", "x"))),
    CLEARS_WHAT_OTHERS_FOUND(
        it ->
            it.tell(
                SOURCE,
                new Statement.Cleared(
                    "gpu.ecc.corrected", new Subject.Node("w1").gpu(5), "nothing there"))),
    NAMES_THE_LAST_EPOCH(
        it -> {
          List<Receipt.Refused> refused = new ArrayList<>();
          for (long epoch : new long[] {Long.MAX_VALUE, Long.MAX_VALUE - 1, 1L << 62}) {
            refused.addAll(it.epoch(SOURCE, epoch, Told.worse("w3", 1)));
          }
          refused.addAll(
              it.report("node/w1", new Report(SOURCE, 2, 1, Instant.EPOCH, Told.worse("w3", 2))));
          return refused;
        });

    private final Doing doing;

    History(Doing doing) {
      this.doing = doing;
    }
  }

  @ParameterizedTest
  @EnumSource
  void aNodeThatLiesHarmsNobodyElse(History history) {
    Cluster cluster = Cluster.confirming("w1", "w2", "w3", "w4");
    cluster.tell("node/w1", WARNED, Told.job("j", cluster.now, "w1", "w2"));
    cluster.tell("node/w2", Told.here("j"));
    cluster.wish(new Wish.Drain("w2", false, "smells of smoke"));
    String asked = cluster.asked("node/w2", Request.Kind.CORDON);
    var jobBefore = cluster.state.job("j").orElseThrow().job();
    var others = List.of(ofNode(cluster, "w1"), ofNode(cluster, "w2"), ofNode(cluster, "w4"));

    List<Receipt.Refused> refused = history.doing.to(cluster);
    cluster.later(Duration.ofSeconds(1));

    assertThat(refused).isNotEmpty().allSatisfy(it -> assertThat(it.why()).isNotBlank());
    assertThat(cluster.owner("j")).isEqualTo("node/w1");
    assertThat(cluster.state.job("j").orElseThrow().job()).isEqualTo(jobBefore);
    assertThat(cluster.state.node("w2").orElseThrow().service()).isEqualTo(Service.DRAINING);
    assertThat(List.of(ofNode(cluster, "w1"), ofNode(cluster, "w2"), ofNode(cluster, "w4")))
        .isEqualTo(others);
    assertThat(cluster.state.refusals(SOURCE).orElseThrow().count()).isEqualTo(refused.size());

    assertThat(
            cluster.tell("node/w2", new Statement.Answered(asked, Statement.Answer.DONE, "closed")))
        .isEmpty();
    assertThat(cluster.tell(SOURCE, Told.worse("w3", 3))).as("it is heard of itself").isEmpty();
    assertThat(cluster.state.findingsOf("w3")).isNotEmpty();
    assertThat(cluster.tell("node/w1", Told.job("j", State.FINISHED, cluster.now, "w1", "w2")))
        .isEmpty();
    assertThat(cluster.state.node("w2").orElseThrow().service()).isEqualTo(Service.DRAINED);
    ClusterState read = new ClusterState();
    cluster.lines.forEach(line -> read.apply(Batch.of(line)));
    assertThat(StateText.of(read)).isEqualTo(StateText.of(cluster.state));
  }

  private static List<Object> ofNode(Cluster cluster, String node) {
    return List.of(
        cluster.jobsOn(node),
        cluster.state.node(node).orElseThrow().description(),
        cluster.state.node(node).orElseThrow().service(),
        List.copyOf(cluster.state.findingsOf(node)),
        IntStream.rangeClosed(1, (int) cluster.state.actionCount())
            .mapToObj(it -> cluster.state.action("a-" + it).orElseThrow())
            .filter(it -> it.answer().equals(Optional.of(Statement.Answer.DONE)))
            .toList());
  }
}
