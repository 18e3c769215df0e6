package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.control.ControlPlane;
import dev.holdfast.control.decide.Input;
import dev.holdfast.control.journal.Journal;
import dev.holdfast.core.cluster.DeviceDescription;
import dev.holdfast.core.cluster.NodeDescription;
import dev.holdfast.core.health.Evidence;
import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.policy.DefaultPolicy;
import dev.holdfast.core.policy.PolicyYaml;
import dev.holdfast.core.report.Report;
import dev.holdfast.core.report.Statement;
import dev.holdfast.core.text.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an operator meets who looks at, proves and tries a policy. */
class PolicyCommandsTest {
  private final TestConsole console = new TestConsole();

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(ints = {32, 512, 10_000})
  void theShippedPolicyIsSoundForEverySizeOfCluster(int nodes) {
    int code =
        console.run("policy", "lint", "--nodes", Integer.toString(nodes), "--format", "json");
    assertThat(code).as(console.out()).isZero();
    assertThat(Json.object(console.out())).containsEntry("sound", true);
  }

  @Test
  void theShippedPolicyHasNothingToWarnOf() {
    assertThat(console.run("policy", "lint")).isZero();
    assertThat(console.out())
        .contains(
            "device-error: drain-now\n",
            "recommends, no 'enforce: true'; with it acts on: gpu.kernel.xid (Xid 48,",
            "accept: recorded\n\ndefault, ")
        .endsWith("rules: sound\n");
    assertThat(console.out().lines()).allMatch(line -> line.length() <= 100);
  }

  @Test
  void whatARuleMayActOnIsToldByRows() throws Exception {
    String rule =
        """
          - {id: lost, when: {checks: [gpu.kernel.*], severity: fatal}, then: drain-now, coolDown: 1h, enforce: true, reason: x}
          - {id: rest, when: {severity: fatal}, then: watch, reason: x}
        """;
    String head = "schema: holdfast.policy/1\nname: x\n";
    Path accepting =
        Files.writeString(folder.resolve("a.yaml"), head + "accept: recorded\nrules:\n" + rule);
    assertThat(console.run("policy", "lint", accepting.toString())).as(console.out()).isZero();
    assertThat(console.out())
        .containsPattern("acts on: gpu.kernel.xid \\(Xid [^)]*\\b79\\b")
        .containsPattern("recommends, from documents only: gpu.kernel.xid \\(Xid [^)]*\\b95\\b");

    Path silent = Files.writeString(folder.resolve("s.yaml"), head + "rules:\n" + rule);
    TestConsole other = new TestConsole();
    assertThat(other.run("policy", "lint", silent.toString(), "--format", "json")).isOne();
    assertThat(other.out())
        .contains("recorded, 'accept: recorded' is not said", "\"Xid 79\"")
        .contains("'accept: recorded' would let rows of its table act");
  }

  @Test
  void anUnsoundPolicyFailsAndNamesTheRule() throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("bad.yaml"),
            """
            schema: holdfast.policy/1
            name: bad
            rules:
              - id: reset-it
                when: {checks: [gpu.reachable], severity: fatal}
                then: reset-device
                enforce: true
                reason: it may help
            """);
    assertThat(console.run("policy", "lint", file.toString())).isOne();
    assertThat(console.out())
        .contains("loop: reset-it:", "proof: reset-it:", "fatal storage finding", "0 warnings");
  }

  @Test
  void aMistypedKeyIsToldWithFileAndLine() throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("typo.yaml"), "schema: holdfast.policy/1\nname: x\nruls: []\n");
    assertThat(console.run("policy", "lint", file.toString())).isEqualTo(2);
    assertThat(console.err()).contains("HF-1003", "typo.yaml:3", "did you mean 'rules'");
  }

  @Test
  void theRulesAreShownInTheirOrderWithTheirReasons() {
    assertThat(console.run("policy", "show")).isZero();
    assertThat(console.out())
        .contains("device-lost  drain-now, recommends", "3 times within 7 d on the same node")
        .containsSubsequence("part-again", "device-lost", "works-less-well");
  }

  @Test
  void whatIsShownAsYamlCanBeUsedAsAFile() throws Exception {
    console.run("policy", "show", "--format", "yaml");
    Path file = Files.writeString(folder.resolve("mine.yaml"), console.out());
    TestConsole again = new TestConsole();
    assertThat(again.run("policy", "show", file.toString(), "--format", "yaml")).isZero();
    assertThat(PolicyYaml.read("x", again.out())).isEqualTo(DefaultPolicy.policy());
  }

  private static void live(Path state, ThrowingConsumer<ControlPlane> user) throws Exception {
    try (ControlPlane control =
        new ControlPlane(
            Journal.embedded(state),
            DefaultPolicy.policy(),
            text -> PolicyYaml.read("journal", text),
            "127.0.0.1",
            0,
            Clock.systemUTC())) {
      user.accept(control);
    }
  }

  private interface ThrowingConsumer<T> {
    void accept(T value) throws Exception;
  }

  private static void loseAGpu(ControlPlane control) throws Exception {
    List<Statement> said =
        List.of(
            new Statement.Described(
                new NodeDescription(
                    "n1",
                    "test",
                    new TreeMap<>(),
                    new TreeMap<>(),
                    List.of(new DeviceDescription("gpu", "0", "H200", "", "")))),
            new Statement.Raised(
                new Finding(
                    "gpu.count",
                    new Subject.Node("n1"),
                    Finding.Kind.CONDITION,
                    Severity.FATAL,
                    FaultClass.HARDWARE,
                    Proof.HARDWARE,
                    "a GPU is gone",
                    Optional.empty(),
                    List.of(new Evidence("test", "said so")),
                    "it hurts",
                    "mend it"),
                1));
    for (int i = 0; i < said.size(); i++) {
      var refused =
          control
              .engine()
              .submit(
                  new Input.Reported(
                      "node/n1",
                      List.of(new Report("node/n1", 1, i + 1, Instant.EPOCH, said.get(i)))))
              .get(10, TimeUnit.SECONDS);
      assertThat(refused).isEmpty();
    }
  }

  private Path enforcing() throws Exception {
    return Files.writeString(
        folder.resolve("enforcing.yaml"),
        DefaultPolicy.text()
            .replace(
                "      checks: [gpu.count, gpu.reachable, gpu.health.reported]\n"
                    + "      severity: fatal\n    then: drain-now\n",
                "      checks: [gpu.count, gpu.reachable, gpu.health.reported]\n"
                    + "      severity: fatal\n    then: drain-now\n    enforce: true\n"));
  }

  @Test
  void aReplayReadsTheJournalOfAControlPlaneThatRuns() throws Exception {
    Path file = enforcing();
    live(
        folder.resolve("state"),
        control -> {
          loseAGpu(control);
          int code =
              console.run(
                  "policy",
                  "replay",
                  "--with",
                  file.toString(),
                  "--server",
                  "http://127.0.0.1:" + control.port());
          assertThat(code).as(console.err()).isZero();
          assertThat(console.out())
              .contains("node/n1", "drain-now (recommended)", "drain-now (done)")
              .contains("1 decisions differ", "makes 1 of the 1 recorded decisions again");
        });
  }

  @Test
  void aReplayReadsTheFilesOfAControlPlaneThatEndedAndDoesNotLead() throws Exception {
    Path file = enforcing();
    Path state = folder.resolve("state");
    live(state, PolicyCommandsTest::loseAGpu);
    long epoch;
    try (Journal journal = Journal.embedded(state)) {
      epoch = journal.epoch();
    }
    TestConsole again = new TestConsole();
    assertThat(replay(again, file, state)).as(again.err()).isZero();
    assertThat(Json.object(again.out()))
        .containsEntry("schema", "holdfast.replay/1")
        .containsEntry("recordedDecisions", 1L);
    try (Journal journal = Journal.embedded(state)) {
      assertThat(journal.epoch()).as("whoever only reads does not lead").isEqualTo(epoch + 1);
    }
  }

  private static int replay(TestConsole console, Path file, Path state) {
    return console.run(
        "policy",
        "replay",
        "--with",
        file.toString(),
        "--journal",
        state.toString(),
        "--format",
        "json");
  }

  @Test
  void aControlPlaneThatDoesNotAnswerIsSaidSo() throws Exception {
    Path file = enforcing();
    assertThat(
            console.run(
                "policy", "replay", "--with", file.toString(), "--server", "http://127.0.0.1:9"))
        .isEqualTo(3);
    assertThat(console.err()).contains("HF-1504", "http://127.0.0.1:9");
  }
}
