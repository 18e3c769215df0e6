package dev.holdfast.control.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.control.entry.Batch;
import dev.holdfast.control.entry.Ground;
import dev.holdfast.control.entry.SourceEntry;
import dev.holdfast.control.state.ClusterState;
import dev.holdfast.control.state.FindingKey;
import dev.holdfast.control.state.FindingView;
import dev.holdfast.control.testing.Cluster;
import dev.holdfast.control.testing.StateText;
import dev.holdfast.control.testing.Told;
import dev.holdfast.core.cluster.JobDescription;
import dev.holdfast.core.cluster.JobDescription.State;
import dev.holdfast.core.cluster.JobLoss;
import dev.holdfast.core.health.Evidence;
import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.report.Receipt;
import dev.holdfast.core.report.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What one source may have remembered, and what is let go of first. */
class LimitsTest {
  private final Cluster cluster = new Cluster("n1", "n2");

  private static Statement finding(int number, Finding.Kind kind) {
    return Told.raised(
        "site.flood",
        new Subject.Node("n1").part("thing", "t" + number),
        kind,
        Severity.WARNING,
        FaultClass.SOFTWARE);
  }

  private List<Receipt.Refused> flood(int from, int to, Finding.Kind kind) {
    List<Receipt.Refused> refused = new ArrayList<>();
    for (int next = from; next < to; next += 500) {
      refused.addAll(
          cluster.tell(
              "node/n1",
              IntStream.range(next, Math.min(to, next + 500))
                  .mapToObj(it -> finding(it, kind))
                  .toArray(Statement[]::new)));
    }
    return refused;
  }

  private FindingView notice() {
    return cluster
        .state
        .finding(new FindingKey(Limits.REACHED, new Subject.Node("n1")))
        .orElseThrow();
  }

  @Test
  void aDescriptionThatChangesNothingIsNotWrittenAndOneThatChangesOnceASecond() {
    Cluster cluster = new Cluster("n1");
    int lines = cluster.lines.size();
    int taken = 0;
    for (int i = 0; i < 100; i++) {
      taken += cluster.tell("node/n1", Told.described("n1", "r" + i, "l1")).isEmpty() ? 1 : 0;
    }
    assertThat(taken).isEqualTo(Volume.DESCRIPTIONS - 1);
    assertThat(cluster.state.refused().getFirst().ground()).isEqualTo(Ground.TOO_FAST);
    cluster.now = cluster.now.plusSeconds(1);
    assertThat(cluster.tell("node/n1", Told.described("n1", "last", "l1"))).isEmpty();
    assertThat(cluster.tell("node/n1", Told.described("n1", "last", "l1"))).isEmpty();
    assertThat(cluster.state.node("n1").orElseThrow().place("rack")).isEqualTo("last");
    assertThat(
            cluster.lines.subList(lines, cluster.lines.size()).stream()
                .filter(it -> it.contains("node.described"))
                .count())
        .isEqualTo(Volume.DESCRIPTIONS);
  }

  @Test
  void aSourceHasSoMuchWrittenDownInAnHourAndJobsDoNotMuteANode() {
    Cluster cluster = new Cluster("n1");
    long characters = 0;
    boolean full = false;
    String letters = "x".repeat(50_000);
    for (int i = 0; i < 2_000 && !full; i++) {
      Statement.Raised one = (Statement.Raised) Told.fault(new Subject.Node("n1"));
      Finding long1 = one.finding();
      Finding finding =
          new Finding(
              long1.check(),
              long1.subject(),
              long1.kind(),
              long1.severity(),
              long1.faultClass(),
              long1.proof(),
              i + letters,
              long1.since(),
              long1.evidence(),
              long1.meaning(),
              long1.remedy());
      full = !cluster.tell("node/n1", new Statement.Raised(finding, 1)).isEmpty();
      characters += full ? 0 : letters.length();
    }
    assertThat(full).isTrue();
    assertThat(characters).isBetween(Volume.MOST * 9 / 10, Volume.MOST);
    assertThat(cluster.state.finding(new FindingKey(Limits.REACHED, new Subject.Node("n1"))))
        .hasValueSatisfying(
            it -> assertThat(it.finding().evidence().toString()).contains("32 MiB"));
    assertThat(cluster.tell("node/n1", Told.job("j", cluster.now, "n1"))).isEmpty();
    cluster.later(Volume.WINDOW);
    assertThat(cluster.tell("node/n1", Told.worse("n1", 1))).isEmpty();
  }

  @Test
  void whatHoldsIsKeptAndMoreIsRefusedAndNamed() {
    assertThat(flood(0, Limits.FINDINGS, Finding.Kind.CONDITION)).isEmpty();
    List<Receipt.Refused> refused =
        flood(Limits.FINDINGS, Limits.FINDINGS + 700, Finding.Kind.CONDITION);
    assertThat(refused)
        .hasSize(2 * Receipt.MOST_REFUSED)
        .allMatch(it -> it.reason().equals(Ground.TOO_MANY.word()));
    assertThat(cluster.state.findingCount("node/n1")).isEqualTo(Limits.FINDINGS);
    assertThat(cluster.state.refusals("node/n1").orElseThrow().count()).isEqualTo(700);
    assertThat(notice().finding().summary()).contains("700");
    assertThat(cluster.tell("node/n1", finding(3, Finding.Kind.CONDITION)))
        .as("what is known may change")
        .isEmpty();
    assertThat(cluster.tell("node/n2", Told.worse("n2", 1))).as("others").isEmpty();
    cluster.later(Limits.REFILL);
    assertThat(notice().holds()).isFalse();

    Subject first = new Subject.Node("n1").part("thing", "t0");
    assertThat(cluster.tell("node/n1", new Statement.Cleared("site.flood", first, "gone")))
        .isEmpty();
    assertThat(cluster.tell("node/n1", Told.worse("n1", 1))).as("there is room again").isEmpty();
  }

  @Test
  void ofWhatIsOverTheOldestIsLetGo() {
    for (int i = 0; i < 4; i++) {
      assertThat(flood(i * 5_000, (i + 1) * 5_000, Finding.Kind.EVENT)).isEmpty();
      cluster.later(Duration.ofSeconds(1));
      assertThat(cluster.state.findingCount("node/n1")).isLessThanOrEqualTo(Limits.FINDINGS);
    }
    Subject last = new Subject.Node("n1").part("thing", "t19999");
    assertThat(cluster.state.finding(new FindingKey("site.flood", last))).isPresent();
    readsBack();
  }

  /** From the journal, and from a checkpoint. */
  private void readsBack() {
    ClusterState read = new ClusterState();
    cluster.lines.forEach(line -> read.apply(Batch.of(line)));
    assertThat(StateText.of(read)).isEqualTo(StateText.of(cluster.state));
    ClusterState kept = new ClusterState();
    kept.apply(Batch.of(new Batch(cluster.state.time(), cluster.state.kept()).line()));
    assertThat(StateText.of(kept)).isEqualTo(StateText.of(cluster.state));
  }

  @Test
  void incidentsOfOneSourceAreBounded() {
    assertThat(cluster.tell("node/n2", Told.worse("n2", 1))).isEmpty();
    for (int i = 0; i < Limits.INCIDENTS + 300; i++) {
      Subject part = new Subject.Node("n1").part("thing", "t" + i);
      assertThat(
              cluster.tell(
                  "node/n1", Told.fault(part), new Statement.Cleared("site.fault", part, "gone")))
          .isEmpty();
      if (i % 100 == 0) {
        cluster.later(Duration.ofHours(1));
      }
      assertThat(cluster.state.incidentCount("node/n1")).isLessThanOrEqualTo(Limits.INCIDENTS);
    }
    assertThat(cluster.state.incidentCount()).isGreaterThan(Limits.INCIDENTS);
    assertThat(cluster.state.incidents()).hasSizeLessThanOrEqualTo(Limits.INCIDENTS + 1);
    assertThat(cluster.state.decisions())
        .allMatch(it -> cluster.state.incident(it.made().incident()).isPresent());
    assertThat(cluster.state.incidentCount("node/n2")).as("of others").isEqualTo(1);
    readsBack();
  }

  @Test
  void theTextOfOneSourceIsBounded() {
    String much = "m".repeat(60_000);
    int fit = (int) (Limits.TEXT / (much.length() + 1_000));
    for (int i = 0; i < fit; i++) {
      assertThat(cluster.tell("node/n1", said(i, much))).isEmpty();
    }
    List<Receipt.Refused> refused = new ArrayList<>();
    for (int i = fit; i < fit + 20; i++) {
      refused.addAll(cluster.tell("node/n1", said(i, much)));
    }
    assertThat(refused)
        .hasSizeGreaterThan(10)
        .allMatch(it -> it.reason().equals(Ground.TOO_MANY.word()));
    assertThat(cluster.state.findingText("node/n1")).isLessThanOrEqualTo(Limits.TEXT);
    assertThat(cluster.tell("node/n1", said(0, "less"))).as("less of what is known").isEmpty();
    assertThat(cluster.tell("node/n1", said(fit + 20, much))).as("room again").isEmpty();
    assertThat(cluster.tell("node/n2", Told.worse("n2", 1))).as("others").isEmpty();
    readsBack();
  }

  private static Statement said(int number, String meaning) {
    return new Statement.Raised(
        new Finding(
            "site.flood",
            new Subject.Node("n1").part("thing", "t" + number),
            Finding.Kind.CONDITION,
            Severity.WARNING,
            FaultClass.SOFTWARE,
            Proof.RECORDED,
            "it is so",
            Optional.empty(),
            List.of(new Evidence("test", "said so")),
            meaning,
            "mend it"),
        1);
  }

  @Test
  void whatAJobLostIsBoundedByKinds() {
    for (int report = 0; report < 5; report++) {
      int first = 200 * report;
      JobDescription job =
          ((Statement.JobTold) Told.job("j", cluster.now, "n1"))
              .job()
              .with(
                  IntStream.range(first, first + 200)
                      .mapToObj(it -> new JobLoss("phase" + it, "x".repeat(500), 1 + it))
                      .toList());
      assertThat(cluster.tell("node/n1", new Statement.JobTold(job))).isEmpty();
    }
    assertThat(cluster.state.lostSince(cluster.now))
        .hasSize(500)
        .allMatch(it -> it.cause().length() <= 60);
    readsBack();
  }

  @Test
  void openIncidentsOfOneSourceAreBounded() {
    for (int i = 0; i < Limits.OPEN_INCIDENTS; i++) {
      assertThat(cluster.tell("node/n1", apart(i))).isEmpty();
      if (i % 2 == 1) {
        cluster.later(Incidents.TOGETHER.plusSeconds(1)); // three at once would be one incident
      }
    }
    assertThat(cluster.state.openIncidentCount("node/n1")).isEqualTo(Limits.OPEN_INCIDENTS);
    assertThat(cluster.tell("node/n1", apart(Limits.OPEN_INCIDENTS)))
        .singleElement()
        .satisfies(it -> assertThat(it.reason()).isEqualTo(Ground.TOO_MANY.word()));
    assertThat(cluster.tell("node/n1", apart(0))).as("what holds may change").isEmpty();
    assertThat(cluster.tell("node/n2", Told.worse("n2", 1))).as("others").isEmpty();
    Subject one = new Subject.Node("n1").part("thing", "t7");
    assertThat(cluster.tell("node/n1", new Statement.Cleared("site.fault", one, "gone"))).isEmpty();
    cluster.later(Duration.ofHours(1));
    assertThat(cluster.state.openIncidentCount("node/n1")).isLessThan(Limits.OPEN_INCIDENTS);
    assertThat(cluster.tell("node/n1", apart(Limits.OPEN_INCIDENTS))).isEmpty();
    readsBack();
  }

  private static Statement apart(int number) {
    return Told.fault(new Subject.Node("n1").part("thing", "t" + number));
  }

  @Test
  void jobsOfOneSourceKeepNobodyElsesOut() {
    for (int i = 0; i < 1_000; i++) {
      assertThat(cluster.tell("node/n1", Told.job("j" + i, cluster.now, "n1", "n2"))).isEmpty();
    }
    assertThat(cluster.tell("node/n1", Told.job("more", cluster.now, "n1", "n2")))
        .singleElement()
        .satisfies(it -> assertThat(it.why()).contains("1,000 jobs of node/n1"));
    assertThat(cluster.tell("node/n2", Told.job("honest", cluster.now, "n2"))).isEmpty();
    assertThat(cluster.state.job("honest")).isPresent();
  }

  @Test
  void aJobDecidesOnlyUnderItsOwnName() {
    assertThat(cluster.tell("node/n1", Told.lostGpu("n1", 1))).isEmpty();
    var ours = cluster.state.decisions().iterator().next();
    assertThat(ours.id()).isEqualTo("d-1");
    cluster.tell("node/n2", Told.attempt("d", 1, "n2"));
    assertThat(cluster.tell("node/n2", new Statement.JobDecided("d", 1, "stop", "", "why")))
        .isEmpty();
    assertThat(cluster.state.decision("d-1")).contains(ours);
    assertThat(cluster.state.decisions())
        .filteredOn(it -> it.made().actor().equals("run/d"))
        .singleElement()
        .satisfies(it -> assertThat(it.made().reason()).isEqualTo("stop: why"));
  }

  @Test
  void ofWhatALauncherDecidedTheNewestIsKept() {
    for (int attempt = 0; attempt < 60; attempt++) {
      cluster.tell("node/n1", Told.attempt("j", attempt, "n1"));
      assertThat(
              cluster.tell(
                  "node/n1",
                  new Statement.JobDecided("j", attempt, "restart", "", "y".repeat(5_000))))
          .isEmpty();
    }
    assertThat(cluster.state.decisions())
        .hasSize(10)
        .allMatch(it -> it.made().reason().length() < 400)
        .anyMatch(it -> it.id().equals("job-j-59"));
    readsBack();
  }

  @Test
  void anIncidentKeepsItsFindings() {
    assertThat(cluster.tell("node/n1", Told.lostGpu("n1", 1))).isEmpty();
    assertThat(
            cluster.tell(
                "node/n1",
                new Statement.Cleared("gpu.reachable", new Subject.Node("n1").gpu(1), "back")))
        .isEmpty();
    flood(0, 12_000, Finding.Kind.EVENT);
    assertThat(
            cluster.state.finding(new FindingKey("gpu.reachable", new Subject.Node("n1").gpu(1))))
        .isPresent();
  }

  @Test
  void jobsOfOneSourceAreBoundedByNumberAndByMembers() {
    String[] many = IntStream.range(0, 2_000).mapToObj(it -> "n" + it).toArray(String[]::new);
    int fit = Limits.MEMBERS / many.length;
    for (int i = 0; i < fit; i++) {
      assertThat(cluster.tell("node/n1", Told.job("j" + i, cluster.now, many))).isEmpty();
    }
    assertThat(cluster.tell("node/n1", Told.job("more", cluster.now, many)))
        .singleElement()
        .satisfies(it -> assertThat(it.reason()).isEqualTo(Ground.TOO_MANY.word()));
    assertThat(cluster.tell("node/n1", Told.job("j0", State.FINISHED, cluster.now, many)))
        .isEmpty();
    assertThat(cluster.tell("node/n1", Told.job("more", cluster.now, many)))
        .as("one that is over makes room")
        .isEmpty();
    assertThat(cluster.state.job("j0")).isEmpty();
    assertThat(cluster.state.memberCount("node/n1")).isEqualTo(Limits.MEMBERS);
  }

  @Test
  void aSourceThatWasSentBackIsNamed() {
    var entries = cluster.decide(new Input.Hurried("node/n1", 1_234)).entries();
    assertThat(entries).anyMatch(SourceEntry.Refused.class::isInstance);
    assertThat(notice().finding().summary()).contains("1,234");
  }
}
