package dev.holdfast.core.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.core.cluster.JobDescription;
import dev.holdfast.core.cluster.JobMember;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The same cluster, as each of Slurm's programs tells it in each form. */
class SlurmAnswersTest {
  private static final ScontrolText SCONTROL = new ScontrolText(ZoneOffset.UTC);
  private static final SqueueText SQUEUE = new SqueueText(ZoneOffset.UTC);

  private static String file(String name) throws IOException {
    try (InputStream in =
        Objects.requireNonNull(SlurmAnswersTest.class.getResourceAsStream(name), name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static Parsed<SlurmNode> nodes(String name) throws IOException {
    return name.endsWith(".json") ? SlurmJson.nodes(file(name)) : SCONTROL.nodes(file(name));
  }

  private static Parsed<SlurmJob> jobs(String name) throws IOException {
    return name.endsWith(".json")
        ? SlurmJson.jobs(file(name))
        : name.contains("squeue") ? SQUEUE.jobs(file(name)) : SCONTROL.jobs(file(name));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "22.05/scontrol-show-nodes.txt",
        "22.05/sinfo.json",
        "24.11/scontrol-show-nodes.json"
      })
  void nodesAreTheSameInEveryForm(String name) throws IOException {
    Parsed<SlurmNode> nodes = nodes(name);
    assertThat(nodes.whole()).isTrue();
    assertThat(nodes.unknown()).isEmpty();
    assertThat(nodes.items())
        .extracting(SlurmNode::name)
        .containsExactly("node1", "node2", "node3", "node4", "node5");
    SlurmNode draining = nodes.items().get(1);
    assertThat(draining.states()).isEqualTo(Set.of("MIXED", "DRAIN"));
    assertThat(draining.reason()).isEqualTo("holdfast: gpu.xid: Xid 79 a=b on gpu/2 (a-7)");
    assertThat(draining.reasonBy()).isEqualTo("root");
    assertThat(draining.reasonAt()).contains(Instant.parse("2026-11-16T00:28:39Z"));
    assertThat(draining.takesJobs()).isFalse();
    assertThat(draining.used()).isTrue();
    assertThat(draining.partitions()).containsExactly("main", "long");
    assertThat(draining.gres()).isEqualTo("gpu:h200:4");
    SlurmNode drained = nodes.items().get(3);
    assertThat(drained.state()).isEqualTo("idle+drain");
    assertThat(drained.reason()).isEqualTo("bad fan [see ticket=12]");
    assertThat(drained.used()).isFalse();
    assertThat(nodes.items().get(0).takesJobs()).isTrue();
    assertThat(nodes.items().get(0).comment()).isEqualTo("health 87");
    assertThat(nodes.items().get(4).down()).isTrue();
    assertThat(nodes.items().get(4).drained()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "22.05/scontrol-show-jobs.txt",
        "22.05/squeue.json",
        "22.05/squeue-jobs.txt",
        "24.11/squeue.json"
      })
  void jobsAreTheSameInEveryForm(String name) throws IOException {
    Parsed<SlurmJob> jobs = jobs(name);
    assertThat(jobs.whole()).as(jobs.firstBroken()).isTrue();
    assertThat(jobs.unknown()).isEmpty();
    SlurmJob running = jobs.items().stream().filter(it -> it.id() == 1).findFirst().orElseThrow();
    assertThat(running.name()).isEqualTo("slurm-1");
    assertThat(running.state()).isEqualTo(JobDescription.State.RUNNING);
    assertThat(running.nodes()).containsExactly("node1", "node2", "node3");
    assertThat(running.user()).isEqualTo("root");
    assertThat(running.tasks()).isEqualTo(6);
    assertThat(running.requeue()).isTrue();
    assertThat(running.restarts()).isZero();
    assertThat(running.reason()).isEqualTo(name.contains("show-jobs") ? "None" : "");
    assertThat(running.submitted()).contains(Instant.parse("2026-11-16T00:28:37Z"));
    assertThat(running.started()).contains(Instant.parse("2026-11-16T00:28:38Z"));
    SlurmJob waiting = jobs.items().stream().filter(it -> it.id() == 2).findFirst().orElseThrow();
    assertThat(waiting.state()).isEqualTo(JobDescription.State.WAITING);
    assertThat(waiting.nodes()).isEmpty();
    assertThat(waiting.started()).isEmpty();
    assertThat(waiting.reason()).isNotEmpty();
    assertThat(running.handle()).isEqualTo("1");
    assertThat(jobs.items()).anyMatch(it -> it.handle().startsWith("3_") && !it.single());
  }

  @Test
  void aTaskOfAnArrayIsNotSpokenOfByTheNumberOfAll() throws IOException {
    assertThat(jobs("22.05/squeue-jobs.txt").items())
        .filteredOn(it -> it.id() == 4)
        .singleElement()
        .satisfies(it -> assertThat(it.handle()).isEqualTo("3_1"))
        .satisfies(it -> assertThat(it.single()).isTrue());
  }

  /** The state of a node that is cut off may lack the word that closes it. */
  @Test
  void whatWasCutOffIsNotRead() throws IOException {
    String nodes = file("22.05/scontrol-show-nodes.txt");
    int state = nodes.indexOf("State=IDLE+DRAIN");
    assertThat(state).isPositive();
    Parsed<SlurmNode> cut = SCONTROL.nodes(nodes.substring(0, state + "State=IDLE+DR".length()));
    assertThat(cut.items()).hasSize(3);
    assertThat(cut.firstBroken()).startsWith("cut off: NodeName=node4");
    Parsed<SlurmNode> atLine = SCONTROL.nodes(nodes.substring(0, nodes.indexOf('\n', state) + 1));
    assertThat(atLine.items()).as("no reason came").hasSize(3);
    assertThat(atLine.whole()).isFalse();
    int lost = nodes.indexOf("   Reason=bad fan");
    Parsed<SlurmNode> within =
        SCONTROL.nodes(nodes.substring(0, lost) + nodes.substring(nodes.indexOf("NodeName=node5")));
    assertThat(within.items()).extracting(SlurmNode::name).doesNotContain("node4").hasSize(4);
    assertThat(within.broken()).isEqualTo(1);
    String jobs = file("22.05/squeue-jobs.txt");
    assertThat(SQUEUE.jobs(jobs.substring(0, jobs.length() - 1)).broken()).isEqualTo(1);
    String steps = file("22.05/squeue-steps.txt");
    assertThat(SQUEUE.steps(steps.substring(0, steps.length() - 2)).broken()).isEqualTo(1);
  }

  @Test
  void aStateThatIsNoWordIsNotReadAsOne() {
    assertThat(SCONTROL.nodes("NodeName=n1\n   State=IDLE+DR\u0007AIN x=1\n").firstBroken())
        .contains("is no state")
        .contains("NodeName=n1");
    assertThat(SQUEUE.jobs("1|RUN/NING|a|0|1|1|1|1|n1|None|1|\n").broken()).isEqualTo(1);
    assertThat(SQUEUE.jobs("1|RUNNING|a|-1|1|1|1|1|n1|None|1|\n").broken()).isEqualTo(1);
  }

  @Test
  void ranksAreThoseOfTheLargestStep() throws IOException {
    SlurmJob job = jobs("22.05/squeue.json").items().getFirst();
    List<SlurmStep> steps =
        SQUEUE.steps(file("22.05/squeue-steps.txt")).items().stream()
            .filter(it -> it.job().equals("1"))
            .toList();
    assertThat(steps).extracting(SlurmStep::started).containsExactly(true, false);
    assertThat(SlurmLayout.members(job, steps))
        .containsExactly(
            new JobMember("node1", 0, 2),
            new JobMember("node2", 2, 2),
            new JobMember("node3", 4, 2));
    assertThat(
            SlurmLayout.members(
                job, List.of(new SlurmStep("1", "0", 3, List.of("node2", "node3")))))
        .containsExactly(
            new JobMember("node2", 0, 2),
            new JobMember("node3", 2, 1),
            new JobMember("node1", 3, 0));
  }

  @Test
  void theClusterIsKnownByItsConfiguration() throws IOException {
    assertThat(SlurmIdentity.of(file("22.05/scontrol-show-config.txt"), ZoneOffset.UTC))
        .contains(
            new SlurmIdentity(
                "hs",
                "22.05.8",
                java.util.Optional.of(Instant.parse("2026-11-16T00:28:41Z")),
                "2026-11-16T00:28:20"));
    assertThat(SlurmIdentity.of("scontrol: error: x", ZoneOffset.UTC)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"idle*", "IDLE+NOT_RESPONDING", "IDLE*", "idle"})
  void lettersAndWordsMeanTheSame(String text) {
    Set<String> states = SlurmWords.states(text);
    assertThat(states).contains("IDLE");
    assertThat(states.contains("NOT_RESPONDING")).isEqualTo(!text.equals("idle"));
  }

  @Test
  void wordsNobodyKnowsAreCountedAndTheRestIsRead() {
    Parsed<SlurmNode> nodes =
        SCONTROL.nodes(
            "NodeName=n1 Arch=x\n   State=IDLE+QUANTUM ThreadsPerCore=1\n   Novel=x y\n");
    assertThat(nodes.items()).hasSize(1);
    assertThat(nodes.unknown()).containsEntry("QUANTUM", 1);
    assertThat(nodes.items().getFirst().takesJobs()).isTrue();
    Parsed<SlurmJob> jobs =
        SQUEUE.jobs(
            "7|HIBERNATING|ann|0|1|1|1794788917|1794788918|n[1-2]|None|7|\n8|HIBERNATING|ann|0|1|1|1794788917|N/A||x|8|\n");
    assertThat(jobs.unknown()).containsEntry("HIBERNATING", 2);
    assertThat(jobs.items())
        .extracting(SlurmJob::state)
        .containsExactly(JobDescription.State.RUNNING, JobDescription.State.WAITING);
  }

  @Test
  void aRecordThatCannotBeReadIsCountedAndLeftOut() {
    Parsed<SlurmJob> jobs =
        SQUEUE.jobs("1|RUNNING|a|0|1|1|1|1|n1|None|1|\n2|RUNN\nx|RUNNING|a|0|1|1|1|1|n1|None|9|\n");
    assertThat(jobs.items()).hasSize(1);
    assertThat(jobs.broken()).isEqualTo(2);
    assertThat(jobs.firstBroken()).contains("2|RUNN");
    assertThat(SCONTROL.nodes("NodeName=n1 Arch=x86_64\n   CPUAlloc=0").broken()).isEqualTo(1);
    assertThat(
            SlurmJson.nodes("{\"nodes\":[{\"name\":\"n1\",\"state\":[\"IDLE\"]},{\"state\":7},3]}"))
        .satisfies(it -> assertThat(it.items()).hasSize(1))
        .satisfies(it -> assertThat(it.broken()).isEqualTo(2));
  }

  @Test
  void anAnswerThatIsNoneIsRefusedAsAWhole() {
    assertThatThrownBy(() -> SlurmJson.nodes("slurm_load_nodes error"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () ->
                SlurmJson.nodes(
                    "{\"errors\":[{\"error\":\"Unable to contact slurm controller\"}]}"))
        .hasMessageContaining("Unable to contact");
  }

  /** However an answer is cut or garbled, it is read or refused; nothing else happens. */
  @Test
  void garbledAndCutAnswersNeverBreakTheReader() throws IOException {
    Random random = new Random(7);
    for (String name :
        List.of(
            "22.05/scontrol-show-nodes.txt",
            "22.05/sinfo.json",
            "24.11/scontrol-show-nodes.json")) {
      String text = file(name);
      for (int i = 0; i < 300; i++) {
        StringBuilder bad = new StringBuilder(text.substring(0, random.nextInt(text.length())));
        for (int at = 0; at < 3 && !bad.isEmpty(); at++) {
          bad.setCharAt(random.nextInt(bad.length()), (char) random.nextInt(128));
        }
        try {
          Parsed<SlurmNode> read =
              name.endsWith(".json")
                  ? SlurmJson.nodes(bad.toString())
                  : SCONTROL.nodes(bad.toString());
          assertThat(read.items().size()).isLessThanOrEqualTo(6);
        } catch (IllegalArgumentException refused) {
          assertThat(name).endsWith(".json");
        }
      }
    }
  }

  @Test
  void whatPeopleWriteCannotPassForSomethingElse() {
    Parsed<SlurmNode> nodes =
        SCONTROL.nodes(
            "NodeName=n1 Arch=x\n   State=IDLE+DRAIN\n   Reason=fan State=IDLE [x@y] [root@1794788919]\n   Comment=State=IDLE Reason=holdfast: control\n");
    assertThat(nodes.items().getFirst().states()).containsExactlyInAnyOrder("IDLE", "DRAIN");
    assertThat(nodes.items().getFirst().reason()).isEqualTo("fan State=IDLE [x@y]");
    assertThat(OwnReason.is(nodes.items().getFirst().reason())).isFalse();
  }

  @Test
  void ownReasonsAreOneShortLineAndKnownAgain() {
    String reason = OwnReason.of("a-7", "it \"broke\"\n[today] | " + "x".repeat(400));
    assertThat(reason).startsWith("holdfast: control a-7: it broke today").hasSize(200);
    assertThat(OwnReason.is(reason)).isTrue();
    assertThat(OwnReason.is("holdfast: gpu.count 0 of 8")).isFalse();
  }
}
